"""What a shard tells about itself after each micro-batch, in a parcel beside its answers.

The totals are stored with the state of the shard. So they go on after a restart, and a micro-batch
that runs again changes nothing.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Self

from horae.engine.contract import StateSize
from horae.spark.streaming.shard import SeenTimes
from horae.spark.streaming.watermark import Watermark

METRICS = (
    "stage int, shard int, events long, rows long, late long, bad long, answers long, "
    "total_events long, total_rows long, total_late long, total_bad long, total_answers long, "
    "last long, decided long, state_instances long, state_values long, state_bytes long, "
    "state_waiting long, chunks_written long, bytes_written long"
)
"""The columns of the metrics, as Spark writes a schema."""


@dataclass(frozen=True, slots=True)
class Written:
    """Chunks of the state that changed in a micro-batch, and their size in bytes."""

    chunks: int
    size: int


@dataclass(frozen=True, slots=True)
class ShardMetrics:
    """One shard after one micro-batch; `total_…` are since the beginning of the stream.

    `events` and `bad` are rows of the input that could be read or not, and only the first shard has
    their numbers: a row may go to several shards. Each of them has it in `rows`, one of them in `late`.
    `state_waiting` are the bytes of rows that wait, which are among the `state_bytes`.
    Times are ticks: `last` is the greatest of the input, and everything up to `decided` is answered.
    """

    stage: int
    shard: int
    events: int
    rows: int
    late: int
    bad: int
    answers: int
    total_events: int
    total_rows: int
    total_late: int
    total_bad: int
    total_answers: int
    last: int | None
    decided: int | None
    state_instances: int
    state_values: int
    state_bytes: int
    state_waiting: int
    chunks_written: int
    bytes_written: int

    def to_json(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_json(cls, payload: bytes) -> Self:
        return cls(**json.loads(payload))


def measure(
    place: tuple[int, int],
    before: SeenTimes,
    after: SeenTimes,
    watermark: Watermark,
    size: StateSize,
    written: Written,
) -> ShardMetrics:
    """`place`: the stage and the shard. What `after` has more than `before` is of the micro-batch."""
    stage, shard = place
    return ShardMetrics(
        stage,
        shard,
        events=after.events - before.events,
        rows=after.rows - before.rows,
        late=after.late - before.late,
        bad=after.bad - before.bad,
        answers=after.answers - before.answers,
        total_events=after.events,
        total_rows=after.rows,
        total_late=after.late,
        total_bad=after.bad,
        total_answers=after.answers,
        last=after.last,
        decided=_decided(after, watermark),
        state_instances=size.instances,
        state_values=size.values,
        state_bytes=size.bytes,
        state_waiting=size.waiting,
        chunks_written=written.chunks,
        bytes_written=written.size,
    )


def _decided(seen: SeenTimes, watermark: Watermark) -> int | None:
    """At the end of the stream nothing waits: the greatest time is decided too."""
    if seen.finished:
        return seen.last
    limit = watermark.limit(seen.greatest)
    return None if limit is None else limit - 1
