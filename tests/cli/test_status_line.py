"""The line about a running stream, at the usual widths of terminals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from horae.cli.status_line import brief, short_duration, size, status_text
from horae.spark.streaming.snapshot import Told, take_snapshot

QUIET = replace(
    take_snapshot(Told(), 0.0),
    batch=12,
    events_per_second=1234.5,
    lag=5_000_001,
    state_values=42,
    state_bytes=3500,
    late=3,
)
BUSY = replace(
    QUIET,
    batch=12_345,
    events_per_second=1_234_567.0,
    clock_lag=86_400.0,
    state_values=2_300_000,
    state_bytes=5 * 2**30,
    values_bound=4_000_000,
    bytes_bound=8 * 2**30,
    late=12_345,
    bad=7,
)


def test_at_120_columns():
    assert status_text(QUIET, 10**6, 117) == (
        "batch 12 · 1,234 events/s · lag 5 s · state 42 values, 3.4 KiB · 3 late · 0 bad"
    )
    assert status_text(replace(QUIET, bytes_bound=9000), 10**6, 117) == (
        "batch 12 · 1,234 events/s · lag 5 s · state 42 values, 3.4 KiB (bound 8.8 KiB) · 3 late · 0 bad"
    )


def test_at_80_columns():
    assert status_text(replace(QUIET, bytes_bound=9000), 10**6, 77) == (
        "#12 · 1,234/s · lag 5 s · 3 late · 0 bad · 42 values · 3.4 KiB/8.8 KiB"
    )


def test_a_busy_one():
    assert status_text(BUSY, 10**6, 77) == (
        "#12345 · 1.23M/s · lag 24.0 h · 12.3k late · 7 bad · 2.3M/4M values · 5.0 Gi…"
    )


@pytest.mark.parametrize("width", [0, 1, 20, 40, 77, 117])
def test_it_never_wraps(width):
    assert len(status_text(BUSY, 10**6, width)) <= max(width, 1)


def test_numbers():
    assert [brief(n) for n in (0, 9999, 12_345, 12_345_678)] == ["0", "9,999", "12.3k", "12.3M"]
    assert [size(n) for n in (0, 1023, 1024, 3 * 2**40)] == ["0 B", "1,023 B", "1.0 KiB", "3.0 TiB"]
    assert [short_duration(s) for s in (0, 0.25, 59.6, 7200)] == ["0 s", "0.25 s", "60 s", "2.0 h"]
