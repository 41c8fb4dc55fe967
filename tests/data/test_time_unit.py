"""What times that are numbers count, and a warning where it cannot be seconds."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

import horae
from horae.cli.main import main

LOLA = horae.compile("input int a\noutput int o := a")
CLOCK = horae.compile("timeinput double t\ninput int a\noutput double o := t")
SECONDS = 1_700_000_000


def times(inputs: object, **options: Any) -> list[float]:
    return [row["time"] for row in LOLA.evaluate(inputs, **options)]


@pytest.mark.parametrize(
    ("unit", "written", "seconds"),
    [
        ("s", 5, 5),
        ("ms", SECONDS * 1000 + 250, SECONDS + 0.25),
        ("us", SECONDS * 10**6, SECONDS),
        ("ns", SECONDS * 10**9 + 3000, SECONDS + 0.000003),
        ("ms", 1500.5, 1.5005),
        ("ms", "1500", 1.5),
        ("ms", -250, -0.25),
    ],
)
def test_numbers_count_units(unit, written, seconds):
    assert times([{"time": written, "a": 1}], time_unit=unit) == [seconds]
    column = [Decimal(written)] if isinstance(written, float) else [written]
    assert times(pa.table({"time": column, "a": [1]}), time_unit=unit) == [seconds]


def test_dates_are_dates():
    moment = datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    for time in (moment, moment.isoformat()):
        assert times([{"time": time, "a": 1}], time_unit="ms") == [SECONDS]
    assert times(pa.table({"time": [moment], "a": [1]}), time_unit="ns") == [SECONDS]


def test_a_unit_that_is_finer_than_the_precision():
    """The last nanoseconds are not rounded away."""
    with pytest.raises(horae.InputError, match="INP013"):
        times([{"time": SECONDS * 10**9 + 1, "a": 1}], time_unit="ns")
    found = times([{"time": 10**9 + 1, "a": 1}], time_unit="ns", precision="ns")
    assert found == [1.000000001]


def test_a_clock_reads_seconds():
    rows = [{"t": 1500, "a": 1}]
    assert [row["value"] for row in CLOCK.evaluate(rows, time_unit="ms")] == [1.5]
    rows = [{"time": 1500, "a": 1}]
    assert [row["value"] for row in CLOCK.evaluate(rows, time_unit="ms")] == [1.5]


def test_a_unit_that_is_none():
    with pytest.raises(ValueError, match="time_unit: `h` is not one of s, ms, us, ns"):
        times([], time_unit="h")


# --- the warning


@pytest.mark.parametrize(("factor", "unit"), [(10**3, "ms"), (10**6, "us")])
@pytest.mark.parametrize("number", [int, float, str])
def test_a_time_after_the_year_3000(factor, unit, number):
    with pytest.warns(horae.InputWarning, match=f"INP132[^$]*--time-unit {unit}") as found:
        times([{"time": number(SECONDS * factor + i), "a": 1} for i in range(3)], precision="s")
    assert len(found) == 1
    with pytest.raises(horae.InputError, match="INP132"):
        times([{"time": number(SECONDS * factor), "a": 1}], precision="s", strict=True)


@pytest.mark.parametrize("time", [SECONDS, 32_503_680_000, "4000-01-01T00:00:00Z", -(10**11)])
def test_a_time_that_may_be_meant(time):
    assert times([{"time": time, "a": 1}], strict=True)
    assert times([{"time": SECONDS * 1000, "a": 1}], time_unit="s", strict=True)


def test_windows_with_a_unit_count_seconds():
    """`RANGE 5000` may be milliseconds; `RANGE 5 s` is not."""
    text = "REGISTER STREAM p(x int); SELECT x FROM p [RANGE {}];"
    rows = [("p", [1], SECONDS * 1000)]
    queries = horae.compile(text.format("5 s"), "cql")
    with pytest.warns(horae.InputWarning, match=r"INP132[^$]*numbers of milliseconds"):
        queries.evaluate(rows)
    table = pa.table({"time": [SECONDS * 1000], "x": [1]})
    with pytest.raises(horae.InputError, match="INP132"):
        queries.evaluate({"p": table}, strict=True)
    assert queries.evaluate({"p": [{"time": "4000-01-01", "x": 1}]}, strict=True)
    assert queries.evaluate("p(1)@4000-01-01", strict=True)
    with pytest.raises(horae.InputError, match="INP132"):
        queries.evaluate(f"p(1)@{SECONDS * 1000}", strict=True)
    assert horae.compile(text.format("5000"), "cql").evaluate(rows, strict=True)


def test_rules_with_durations_or_dates_count_seconds():
    """`win[5]` and `[0,5]` may count milliseconds, as the times do."""
    facts = f"p(a)@{SECONDS * 1000}"
    lars = horae.compile("q(X) :- win[5 s] <> p(X).", "lars")
    with pytest.warns(horae.InputWarning, match=r"INP132[^$]*--precision ms"):
        lars.evaluate(facts)
    assert lars.evaluate(facts, time_unit="s", strict=True)
    assert lars.evaluate(facts, precision="ms", strict=True)
    with pytest.raises(horae.InputError, match="is read as milliseconds since 1970"):
        lars.evaluate(f"p(a)@{SECONDS * 10**6}", precision="ms", strict=True)
    assert horae.compile("q(X) :- win[5] <> p(X).", "lars").evaluate(facts, strict=True)
    rules = horae.compile("q(X) :- Diamondminus[0,5] p(X).", "datalogmtl")
    assert rules.evaluate(facts, strict=True)
    with pytest.raises(horae.InputError, match=r"INP132[^$]*there are also dates"):
        rules.evaluate(f"{facts}\np(b)@2024-05-01", strict=True)


def test_nanoseconds_as_seconds_do_not_fit(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.lola").write_text("input int a\noutput int o := a\n")
    (tmp_path / "e.csv").write_text(f"time,a\n{SECONDS * 10**9},1\n")
    run = ["run", "m.lola", "--engine", "local", "--input", "e.csv"]
    assert main(run) == 3
    assert "--time-unit" in capsys.readouterr().err
    assert main([*run, "--time-unit", "ns"]) == 0
    assert f'"time": {SECONDS},' in capsys.readouterr().out
    assert main([*run, "--time-unit", "h"]) == 2
    assert "--time-unit: `h` is not one of s, ms, us, ns." in capsys.readouterr().err
