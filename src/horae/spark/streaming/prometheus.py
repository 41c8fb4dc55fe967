"""Metrics of streams for Prometheus, over HTTP, on request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from horae.source.errors import InputError
from horae.spark import catalogue
from horae.spark.streaming.metrics import Monitor
from horae.spark.streaming.snapshot import Snapshot, StageSnapshot

_Family = TypeVar("_Family", CounterMetricFamily, GaugeMetricFamily)

LOOPBACK = "127.0.0.1"

_COUNTERS = {
    "events": ("horae_events", "Rows of the input that reached the program"),
    "answers": ("horae_answers", "Rows of answers"),
    "late": ("horae_late_rows", "Rows beyond the lateness"),
    "bad": ("horae_bad_rows", "Rows that could not be read"),
    "input_rows": ("horae_input_rows", "Rows that Spark read, events or not, in this run"),
}
_GAUGES = {
    "events_per_second": ("horae_events_per_second", "Events of the last micro-batch per second"),
    "batch": ("horae_batch", "Number of the last micro-batch"),
    "batch_seconds": ("horae_batch_seconds", "Duration of the last micro-batch"),
    "last": ("horae_last_time_ticks", "The greatest time of the input"),
    "decided": ("horae_decided_time_ticks", "Everything up to this time has been answered"),
    "lag": ("horae_watermark_lag_ticks", "From the decided to the greatest time"),
    "clock_lag": ("horae_clock_lag_seconds", "From the decided time to the clock"),
    "state_instances": ("horae_state_instances", "Instances in the state"),
    "state_values": ("horae_state_values", "Values in the state"),
    "state_bytes": ("horae_state_bytes", "Bytes of the state"),
    "values_bound": ("horae_state_values_bound", "Values, as the report bounds them"),
    "bytes_bound": ("horae_state_bytes_bound", "Bytes, as the report bounds them"),
    "bytes_written": ("horae_state_written_bytes", "State written in the last micro-batch"),
    "store_rows": ("horae_state_store_rows", "Rows in Spark's state store"),
    "store_bytes": ("horae_state_store_bytes", "Memory of Spark's state store"),
}

_STAGE_COUNTERS = {
    "rows": ("horae_stage_rows", "Rows of the input that reached a shard of the stage"),
    "late": ("horae_stage_late_rows", "Rows beyond the lateness, where they are first needed"),
    "answers": ("horae_stage_answers", "Rows of answers"),
}
_STAGE_GAUGES = {
    "shards": ("horae_stage_shards", "Shards of the stage"),
    "decided": ("horae_stage_decided_time_ticks", "Everything up to this time is answered"),
    "state_instances": ("horae_stage_state_instances", "Instances in the state"),
    "state_values": ("horae_stage_state_values", "Values in the state"),
    "state_bytes": ("horae_stage_state_bytes", "Bytes of the state"),
    "bytes_written": ("horae_stage_state_written_bytes", "State written in the last micro-batch"),
}


@contextmanager
def serving(monitors: Sequence[Monitor], port: int, host: str = LOOPBACK) -> Iterator[int]:
    """`/metrics` at this port, or at a free one if it is 0; gives the port."""
    registry = CollectorRegistry()
    registry.register(_Streams(tuple(monitors)))
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise _no_port(host, port, error) from error
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass(frozen=True)
class _Streams(Collector):
    """A sample per query and metric; what is not known has none."""

    monitors: tuple[Monitor, ...]

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        taken = [(monitor.name or "", monitor.snapshot()) for monitor in self.monitors]
        whole = [((query,), snapshot) for query, snapshot in taken]
        yield from _families(_COUNTERS, _GAUGES, ("query",), whole)
        stages = [((query, str(s.stage)), s) for query, found in taken for s in found.stages]
        yield from _families(_STAGE_COUNTERS, _STAGE_GAUGES, ("query", "stage"), stages)


_Named = Mapping[str, tuple[str, str]]
_Taken = Sequence[tuple[Sequence[str], Snapshot | StageSnapshot]]


def _families(
    counters: _Named, gauges: _Named, labels: Sequence[str], taken: _Taken
) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
    for field, (name, about) in counters.items():
        yield _filled(CounterMetricFamily(name, about, labels=labels), field, taken)
    for field, (name, about) in gauges.items():
        yield _filled(GaugeMetricFamily(name, about, labels=labels), field, taken)


def _filled(family: _Family, field: str, taken: _Taken) -> _Family:
    for labels, snapshot in taken:
        value = getattr(snapshot, field)
        if value is not None:
            family.add_metric(labels, value)
    return family


def _no_port(host: str, port: int, error: OSError) -> InputError:
    return catalogue.PORT_NOT_FREE(host=host, port=port, reason=error.strerror or error)
