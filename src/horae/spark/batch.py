"""A kernel program over all rows at once: route, shuffle, sort, add and decide, finish.

Rows travel to their shards as parcels, tables as bytes, which Spark moves and sorts without looking at
their rows. The parcels of a shard come to its kernel by their first time points; what no later parcel
can change is decided at once, so that a shard need not hold rows that came in order.

Shards without rows run too. Each partition of the input tells every shard the time points that it saw,
as far as the program wants them: so nothing has to be looked up before, and all is lazy. What a stage
derives goes to the shards of the next one; parcels for stages further on, and answers, travel through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, groupby
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from horae.data.columns import Array, fitted, plain_columns, without_nulls
from horae.data.cuts import Cuts
from horae.engine.contract import AtOnce, Kernel, Later, Routed, stages_of, start_whole
from horae.engine.in_process import wanted_points
from horae.spark.bad_rows import refuse_told
from horae.spark.failures import marked, unmarked
from horae.spark.parcels import (
    BAD,
    ParcelKind,
    ahead,
    pack,
    pack_pieces,
    pack_points,
    read_ahead,
    unpack,
    unpack_points,
)
from horae.spark.piped import Batches, Piped, through

if TYPE_CHECKING:
    from horae.engine.contract import Earlier, LaterKernel

_PARCELS = "shard int, least long, kind string, payload binary"
_TYPES: dict[str, pa.DataType] = {
    "shard": pa.int32(),
    "least": pa.int64(),
    "kind": pa.string(),
    "payload": pa.binary(),
}
SCHEMA = pa.schema(_TYPES)
_NOTES = f"{BAD} string"

POINTS_FIRST = -(2**63)  # before all else
FIRST = POINTS_FIRST + 1  # before all rows
WAKING = "waking"  # the kind of a parcel that says nothing: with it, every shard has one
_TOGETHER = 1 << 16  # rows that are routed at once
_SENT = 1 << 24  # bytes of parcels that are sent at once
_WAITING = 1 << 17  # rows that a kernel may hold before something is decided


def run_batch(
    program: Routed,
    rows: Sequence[Piped],
    shape: Callable[[pa.Table], pa.Table] = plain_columns,
    together: int = 1,
) -> DataFrame:
    """The answers, in no order, as `shape` makes them. `rows` have the columns of the program.

    So many shards are `together` in a task, which runs one after the other.
    """
    spark = rows[0].frame.sparkSession
    routed = [through(piped, RouteRows(program), _PARCELS).rows for piped in rows]
    parcels = reduce(DataFrame.unionAll, routed)
    for number, stage in enumerate(stages_of(program)):
        carriers = program.width if number else 0
        ordered = _to_shards(parcels, stage.width, carriers, together, spark)
        if stage.later is None:
            answers = from_arrow_schema(shape(program.answers.empty_table()).schema)
            return ordered.mapInArrow(LastStage(stage, number, shape), answers)
        parcels = ordered.mapInArrow(InnerStage(stage, number, program.width), _PARCELS)
    raise AssertionError("a program has a last stage")


def refuse_bad(rows: Sequence[Piped]) -> None:
    """A scan of rows that came through a gate which tells: what could not be read is an error now."""
    notes = [through(piped, _notes_of, _NOTES).rows for piped in rows]
    with unmarked():
        found = reduce(DataFrame.unionAll, notes).toArrow()
    refuse_told(min(map(str, found.column(BAD).to_pylist()), default=None))


def _to_shards(
    parcels: DataFrame, width: int, carriers: int, together: int, spark: SparkSession
) -> DataFrame:
    """Each shard in one partition, its parcels in order; and the answers of stages before in others.

    A stage may have one shard only: what its carriers hold needs no more than to be shaped.
    """
    waking = spark.range(0, width, 1, 1).select(
        f.col("id").cast("int").alias("shard"),
        f.lit(FIRST).cast("long").alias("least"),
        f.lit(WAKING).alias("kind"),
        f.lit(None).cast("binary").alias("payload"),
    )
    every = parcels.unionAll(waking)
    own, carrying = -(-width // together), -(-carriers // together)
    shard = f.col("shard")
    place = shard % own
    if carrying:
        place = f.when(shard < width, place).otherwise(own + shard % carrying)
    by_place = getattr(every, "repartitionById", every.repartition)
    spread: DataFrame = by_place(own + carrying, place)
    return spread.sortWithinPartitions("shard", "least")


# --- in the workers


class _Parcel(NamedTuple):
    shard: int
    least: int
    kind: str
    payload: bytes


def _notes_of(batches: Batches) -> Batches:
    for batch in batches:
        notes = batch.column(BAD).drop_null() if BAD in batch.schema.names else pa.nulls(0)
        yield pa.record_batch([notes.cast(pa.string())], names=[BAD])


@dataclass(frozen=True)
class RouteRows:
    """Rows into parcels for the shards of all stages; those of later ones travel through the first.

    At the end of a partition, every shard is told its time points.
    """

    program: Routed

    def __call__(self, batches: Batches) -> Batches:
        points = [np.empty(0, np.int64)]
        with marked():
            for rows in _gathered(batches):
                points.append(self._wanted(rows.column("time").to_numpy()))
                yield from _batches_of(self._parcels(rows.select(self.program.rows.names)))
            every = self._wanted(np.concatenate(points))
            yield from _batches_of(_told_points(every, self.program.width))

    def _wanted(self, times: Cuts) -> Cuts:
        return wanted_points(times, self.program.wants)

    def _parcels(self, rows: pa.Table) -> Iterator[_Parcel]:
        width = self.program.width
        for number, stage in enumerate(stages_of(self.program)):
            for shard, part in stage.route(rows):
                if len(part):
                    kind = ParcelKind.ROWS if number == 0 else ahead(number, shard)
                    yield _Parcel(shard % width, _least(part), kind, pack(without_nulls(part)))


def _told_points(points: Cuts, width: int) -> Iterator[_Parcel]:
    if len(points):
        payload = pack_points(points)
        for shard in range(width):
            yield _Parcel(shard, POINTS_FIRST, ParcelKind.POINTS, payload)


def _gathered(batches: Batches) -> Iterator[pa.Table]:
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(b.num_rows for b in waiting) >= _TOGETHER:
            yield pa.Table.from_batches(waiting)
            waiting = []
    if waiting:
        yield pa.Table.from_batches(waiting)


def _least(rows: pa.Table) -> int:
    return int(cast("int", pc.min(rows.column("time")).as_py()))


def _batch_of(parcels: Sequence[_Parcel]) -> pa.RecordBatch:
    shards, leasts, kinds, payloads = zip(*parcels, strict=True)
    columns = [pa.array(shards, pa.int32()), pa.array(leasts, pa.int64()), pa.array(kinds)]
    return pa.RecordBatch.from_arrays([*columns, _binary(payloads)], schema=SCHEMA)


def _binary(payloads: Sequence[bytes]) -> Array:
    """Put together at once: Arrow would make room for them one by one."""
    ends = np.cumsum([0, *map(len, payloads)], dtype=np.int32)
    whole = [None, pa.py_buffer(ends.tobytes()), pa.py_buffer(b"".join(payloads))]
    return pa.Array.from_buffers(pa.binary(), len(payloads), whole)


@dataclass(frozen=True)
class _Shards:
    """The shards of a partition, one after the other, each with its kernel."""

    program: Routed
    number: int  # of the stage

    def _shards(self, batches: Batches) -> Iterator[tuple[int, Cuts, Iterator[_Parcel]]]:
        """Each with the time points that it must see, and its other parcels."""
        for shard, parcels in groupby(_read(batches), key=lambda parcel: parcel.shard):
            own = iter(parcels)
            points, after = _seen_points(own)
            yield shard, wanted_points(points, self.program.wants), chain([after], own)

    def _answers(
        self, kernel: Kernel, parcels: Iterator[_Parcel], others: list[_Parcel]
    ) -> Iterator[pa.Table]:
        """What the kernel answers to its own parcels; `others` gets those that are not for it."""
        waits = self.number > 0 or isinstance(self.program, AtOnce)
        held = 0
        for parcel in parcels:
            if parcel.kind == ParcelKind.ROWS:
                if held >= _WAITING and not waits:
                    yield kernel.decide(parcel.least - 1)
                    held = 0
                rows = fitted(unpack(parcel.payload), self.program.rows)
                kernel.add(rows)
                held += len(rows)
            elif parcel.kind == ParcelKind.DERIVED:
                cast("LaterKernel", kernel).add_derived(unpack(parcel.payload))
            elif parcel.kind != WAKING:
                others.append(parcel)
        yield kernel.finish()

    def _kernel(self, shard: int, points: Cuts) -> Kernel:
        kernel = start_whole(self.program, shard)
        kernel.see(points)
        return kernel


def _seen_points(parcels: Iterator[_Parcel]) -> tuple[Cuts, _Parcel]:
    """The time points that partitions told, and the parcel after them: one at least wakes the shard."""
    points = [np.empty(0, np.int64)]
    for parcel in parcels:
        if parcel.kind != ParcelKind.POINTS:
            return np.concatenate(points), parcel
        points.append(unpack_points(parcel.payload))
    raise AssertionError("every shard has a parcel that wakes it")


@dataclass(frozen=True)
class LastStage(_Shards):
    """Parcels → answers as rows, as `shape` makes them."""

    shape: Callable[[pa.Table], pa.Table] = plain_columns

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for shard, points, parcels in self._shards(batches):
                if shard < self.program.width:
                    found = self._answers(self._kernel(shard, points), parcels, [])
                else:
                    found = (unpack(parcel.payload) for parcel in parcels)
                for answers in found:
                    yield from self._rows(answers)

    def _rows(self, answers: pa.Table) -> Batches:
        yield from self.shape(fitted(answers, self.program.answers)).to_batches()


@dataclass(frozen=True)
class InnerStage(_Shards):
    """Parcels → parcels for the next stage: what is derived, answers, and what travels through."""

    carriers: int

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for shard, points, parcels in self._shards(batches):
                if shard >= self.program.width:
                    for parcel in parcels:
                        yield from _batches_of(self._carried(shard, parcel.payload))
                    continue
                kernel, others = self._kernel(shard, points), list[_Parcel]()
                if shard == 0:
                    yield from _batches_of(_told_points(points, self._next.width))
                for answers in self._answers(kernel, parcels, others):
                    yield from _batches_of(self._sent(shard, answers, kernel))
                for parcel in others:
                    yield from _batches_of(self._forwarded(parcel))

    @property
    def _next(self) -> Later:
        assert self.program.later is not None, "the last stage gives rows"
        return self.program.later

    def _sent(self, shard: int, answers: pa.Table, kernel: Kernel) -> Iterator[_Parcel]:
        for piece in pack_pieces(without_nulls(answers)):
            yield from self._carried(shard, piece)
        derived = cast("Earlier", kernel).derived()
        if len(derived):
            yield from self._derived(derived)

    def _carried(self, shard: int, answers: bytes) -> Iterator[_Parcel]:
        carrier = self._next.width + shard % self.carriers
        yield _Parcel(carrier, FIRST, ParcelKind.ANSWERS, answers)

    def _derived(self, derived: pa.Table) -> Iterator[_Parcel]:
        for shard, part in self._next.route_derived(derived):
            if len(part):
                yield _Parcel(shard, FIRST, ParcelKind.DERIVED, pack(part))
        if self._next.later is not None:
            yield _Parcel(0, FIRST, ParcelKind.PASSED, pack(derived))

    def _forwarded(self, parcel: _Parcel) -> Iterator[_Parcel]:
        place = read_ahead(parcel.kind)
        if parcel.kind == ParcelKind.PASSED:
            yield from self._derived(unpack(parcel.payload))
        elif place is not None and place[0] == self.number + 1:
            yield parcel._replace(shard=place[1], kind=ParcelKind.ROWS)
        else:
            yield parcel._replace(shard=parcel.shard % self._next.width)


def _batches_of(parcels: Iterator[_Parcel]) -> Batches:
    """As few as Spark takes well."""
    found: list[_Parcel] = []
    for parcel in parcels:
        found.append(parcel)
        if sum(len(each.payload) for each in found) >= _SENT:
            yield _batch_of(found)
            found = []
    if found:
        yield _batch_of(found)


def _read(batches: Batches) -> Iterator[_Parcel]:
    for batch in batches:
        shards, leasts, kinds = (batch.column(n).to_pylist() for n in ("shard", "least", "kind"))
        payloads = batch.column("payload")
        for row, (shard, least, kind) in enumerate(zip(shards, leasts, kinds, strict=True)):
            payload = payloads[row].as_py() or b""
            yield _Parcel(cast("int", shard), cast("int", least), str(kind), bytes(payload))
