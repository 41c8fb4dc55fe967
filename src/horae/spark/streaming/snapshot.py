"""A running stream in numbers: what its shards told last, and what Spark told of its micro-batches."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from horae.engine.report.state_bound import StateBound
from horae.spark.streaming.shard_metrics import ShardMetrics

_ABSURD = 10 * 365 * 86_400.0  # seconds


@dataclass(frozen=True, slots=True)
class Progress:
    """What Spark tells of a micro-batch. `input_rows` are all rows that it read, events or not."""

    batch: int
    input_rows: int
    seconds: float
    store_rows: int
    store_bytes: int


@dataclass(frozen=True, slots=True)
class StageSnapshot:
    """The shards of one stage. Counts are since the beginning of the stream, and so of its input.

    `rows` reached the shards, one that several of them want in each; what earlier stages derived is
    not among them.
    """

    stage: int
    shards: int
    rows: int
    late: int
    answers: int
    decided: int | None
    state_instances: int
    state_values: int
    state_bytes: int
    bytes_written: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Counts are since the beginning of the stream; `input_rows` since this run of it.

    Times are ticks. `lag` is how far answers are behind the greatest time seen; `clock_lag` how many
    seconds the decided time is behind the clock, where the times are those of the clock.

    The state is that of all shards, with rows that wait and the engine's own indexes. The bounds are
    those of the report, which counts what the program needs, once: they stand beside the state.
    `store_rows` and `store_bytes` are Spark's: rows and memory of the state store.
    """

    batch: int | None
    events: int
    events_per_second: float
    answers: int
    late: int
    bad: int
    last: int | None
    decided: int | None
    lag: int | None
    clock_lag: float | None
    state_instances: int
    state_values: int
    state_bytes: int
    values_bound: int | None
    bytes_bound: int | None
    bytes_written: int
    batch_seconds: float
    input_rows: int
    store_rows: int
    store_bytes: int
    stages: tuple[StageSnapshot, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """All that a snapshot is made of: the last word of each shard, and of Spark."""

    shards: Collection[ShardMetrics] = ()
    progress: Progress | None = None
    events_per_second: float = 0.0
    input_rows: int = 0
    bound: StateBound = StateBound()
    ticks_per_second: int | None = None


def take_snapshot(told: Told, now: float) -> Snapshot:
    """`now` is in seconds since the epoch."""
    shards, progress = told.shards, told.progress
    last = max((s.last for s in shards if s.last is not None), default=None)
    decided = min((s.decided for s in shards if s.decided is not None), default=None)
    instances = sum(s.state_instances for s in shards)
    return Snapshot(
        batch=None if progress is None else progress.batch,
        events=sum(s.total_events for s in shards),
        events_per_second=told.events_per_second,
        answers=sum(s.total_answers for s in shards),
        late=sum(s.total_late for s in shards),
        bad=sum(s.total_bad for s in shards),
        last=last,
        decided=decided,
        lag=None if last is None or decided is None else last - decided,
        clock_lag=_clock_lag(decided, told.ticks_per_second, now),
        state_instances=instances,
        state_values=sum(s.state_values for s in shards),
        state_bytes=sum(s.state_bytes for s in shards),
        values_bound=told.bound.values,
        bytes_bound=_bytes_bound(told),
        bytes_written=sum(s.bytes_written for s in shards),
        batch_seconds=0.0 if progress is None else progress.seconds,
        input_rows=told.input_rows,
        store_rows=0 if progress is None else progress.store_rows,
        store_bytes=0 if progress is None else progress.store_bytes,
        stages=tuple(_stages(shards)),
    )


def _stages(shards: Collection[ShardMetrics]) -> Iterator[StageSnapshot]:
    for stage in sorted({shard.stage for shard in shards}):
        own = [shard for shard in shards if shard.stage == stage]
        yield StageSnapshot(
            stage,
            len(own),
            rows=sum(s.total_rows for s in own),
            late=sum(s.total_late for s in own),
            answers=sum(s.total_answers for s in own),
            decided=min((s.decided for s in own if s.decided is not None), default=None),
            state_instances=sum(s.state_instances for s in own),
            state_values=sum(s.state_values for s in own),
            state_bytes=sum(s.state_bytes for s in own),
            bytes_written=sum(s.bytes_written for s in own),
        )


def _bytes_bound(told: Told) -> int | None:
    """For the shards that there are, with the rows that wait in them."""
    instances = sum(s.state_instances for s in told.shards)
    bound = told.bound.bytes_of(instances, max(len(told.shards), 1))
    return None if bound is None else bound + sum(s.state_waiting for s in told.shards)


def _clock_lag(decided: int | None, ticks_per_second: int | None, now: float) -> float | None:
    """Times that are years away from now are not those of the clock."""
    if decided is None or ticks_per_second is None:
        return None
    lag = now - decided / ticks_per_second
    return lag if abs(lag) < _ABSURD else None


def rate(events: int, seconds: float) -> float:
    return events / seconds if seconds > 0 else 0.0
