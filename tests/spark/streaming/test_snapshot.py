"""Metrics without Spark: of a shard, of a stream, and over HTTP. All numbers are worked out by hand."""

from __future__ import annotations

import urllib.request

import pytest

from horae.engine.contract import StateSize
from horae.engine.report.state_bound import StateBound
from horae.source.errors import InputError
from horae.spark.streaming.metrics import Monitor
from horae.spark.streaming.prometheus import serving
from horae.spark.streaming.shard import SeenTimes
from horae.spark.streaming.shard_metrics import ShardMetrics, Written, measure
from horae.spark.streaming.snapshot import Progress
from horae.spark.streaming.watermark import Watermark

BEFORE = SeenTimes((20,), 3, rows=10, late=2, events=15, answers=4, bad=1)
AFTER = SeenTimes((30,), 3, rows=17, late=3, events=25, answers=9, bad=3)
LATE = Watermark(5)


def _first(seen: SeenTimes = AFTER) -> ShardMetrics:
    return measure((0, 0), BEFORE, seen, LATE, StateSize(3, 40, 800, waiting=70), Written(2, 100))


def _second() -> ShardMetrics:
    before, after = (
        SeenTimes((20,), 3, rows=5, answers=1),
        SeenTimes((30,), 3, rows=8, late=1, answers=2),
    )
    return measure((0, 1), before, after, LATE, StateSize(1, 10, 200), Written(1, 60))


def test_a_micro_batch_is_what_a_shard_has_more_than_before():
    found = _first()
    assert (found.events, found.rows, found.late, found.answers) == (10, 7, 1, 5)
    assert (found.bad, found.total_bad) == (2, 3)
    assert (found.total_events, found.total_late, found.total_answers) == (25, 3, 9)
    assert (found.last, found.decided) == (30, 24)  # at 25 = 30 − 5 a row is still on time
    assert (found.chunks_written, found.bytes_written) == (2, 100)


def test_at_the_end_nothing_waits():
    assert _first(SeenTimes((30,), 3, finished=True)).decided == 30


def test_before_the_first_row_no_time_is_known():
    found = measure(
        (0, 0), SeenTimes((None,)), SeenTimes((None,)), LATE, StateSize(0, 0, 0), Written(0, 0)
    )
    assert (found.last, found.decided) == (None, None)


def test_metrics_travel_as_json():
    assert ShardMetrics.from_json(_first().to_json()) == _first()


def test_a_snapshot_adds_up_the_shards():
    monitor = Monitor(bound=StateBound(values=60, fixed=500, per_instance=200))
    monitor.take([_first(), _second()], 7)
    found = monitor.snapshot()
    assert (found.events, found.answers, found.late) == (25, 9 + 2, 3 + 1)
    assert (found.last, found.decided, found.lag) == (30, 24, 6)
    assert (found.state_instances, found.state_values, found.state_bytes) == (4, 50, 1000)
    assert (found.values_bound, found.bytes_bound) == (60, 2 * 500 + 4 * 200 + 70)
    assert found.bytes_written == 160


def test_a_snapshot_tells_stages_apart():
    """The second stage has one shard, whose state is 200 bytes for 10 values of one instance."""
    joining = measure((1, 0), BEFORE, AFTER, LATE, StateSize(1, 10, 200), Written(1, 60))
    monitor = Monitor()
    monitor.take([_first(), _second(), joining], 7)
    first, second = monitor.snapshot().stages
    assert (first.stage, first.shards, first.rows, first.late) == (0, 2, 17 + 8, 3 + 1)
    assert (first.answers, first.state_bytes, first.bytes_written) == (9 + 2, 1000, 160)
    assert (second.stage, second.shards, second.state_values) == (1, 1, 10)
    assert (second.state_bytes, second.decided) == (200, 24)


def test_a_micro_batch_that_runs_again_counts_once():
    monitor = Monitor()
    monitor.take([_first(), _second()], 7)
    once = monitor.snapshot()
    monitor.take([_first(), _second()], 7)
    assert monitor.snapshot() == once


def test_a_shard_that_was_not_called_keeps_its_state():
    monitor = Monitor()
    monitor.take([_first(), _second()], 7)
    monitor.take([_first()], 8)
    assert monitor.snapshot().state_bytes == 1000


def test_events_per_second_are_those_of_the_micro_batch_that_spark_tells_about():
    monitor = Monitor()
    monitor.take([_first(), _second()], 7)  # 10 events
    monitor.take([], 8)
    monitor.take_progress(Progress(7, 12, 4.0, 6, 4096))
    found = monitor.snapshot()
    assert (found.batch, found.events_per_second, found.batch_seconds) == (7, 2.5, 4.0)
    assert (found.input_rows, found.store_rows, found.store_bytes) == (12, 6, 4096)
    monitor.take_progress(Progress(8, 1, 0.5, 6, 4096))
    found = monitor.snapshot()
    assert (found.events_per_second, found.input_rows) == (0.0, 13)


def test_the_clock_is_ahead_of_what_is_decided():
    monitor = Monitor(ticks_per_second=10, now=lambda: 12.0)
    monitor.take([_first()], 7)
    assert monitor.snapshot().clock_lag == pytest.approx(12.0 - 2.4)
    far = Monitor(ticks_per_second=10, now=lambda: 1.7e9)
    far.take([_first()], 7)
    assert far.snapshot().clock_lag is None


def test_nothing_is_known_before_the_first_micro_batch():
    found = Monitor().snapshot()
    assert (found.batch, found.events, found.lag, found.clock_lag) == (None, 0, None, None)
    assert (found.values_bound, found.bytes_bound) == (None, None)


def _read(port: int) -> list[str]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        return str(answer.read(), "utf-8").splitlines()


def test_prometheus_reads_the_metrics_over_http():
    trams, trains = Monitor("trams", bound=StateBound(fixed=1200)), Monitor("trains")
    trams.take([_first(), _second()], 7)
    with serving([trams, trains], 0) as port:
        lines = _read(port)
    assert 'horae_events_total{query="trams"} 25.0' in lines
    assert 'horae_events_total{query="trains"} 0.0' in lines
    assert 'horae_bad_rows_total{query="trams"} 3.0' in lines
    assert 'horae_watermark_lag_ticks{query="trams"} 6.0' in lines
    assert 'horae_stage_answers_total{query="trams",stage="0"} 11.0' in lines
    assert 'horae_stage_shards{query="trams",stage="0"} 2.0' in lines
    assert 'horae_state_bytes{query="trams"} 1000.0' in lines
    assert 'horae_state_bytes_bound{query="trams"} 2470.0' in lines
    assert not [line for line in lines if line.startswith("horae_state_values_bound{")]
    assert not [line for line in lines if "lag" in line and "trains" in line]


def test_a_port_that_is_taken_is_an_error():
    with serving([], 0) as port, pytest.raises(InputError, match="ENV012"), serving([], port):
        pass
