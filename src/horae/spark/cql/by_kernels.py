"""Queries by the kernels that run in process, in shards where they can be spread.

Spark's own joins need a row for each evaluation time at which a window holds it; kernels have each row
once. So queries with windows that hold rows for long are evaluated like those of a stream: shards
evaluate what can be spread, and one place gathers their rows and evaluates all else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql import types as t
from pyspark.sql.pandas.types import from_arrow_schema

from horae.data.rows_of_inputs import schema_of
from horae.data.schema import Input
from horae.languages.cql.kernel.columns import Ints
from horae.languages.cql.kernel.evaluate import continue_evaluation, evaluate_rows
from horae.languages.cql.kernel.kept_rows import table_from_bytes, table_to_bytes
from horae.languages.cql.kernel.memory import Memory
from horae.languages.cql.kernel.windows import ORDER
from horae.languages.cql.live.gathered import SCHEMA, Gathered, pack_found
from horae.languages.cql.live.join import found_schema
from horae.languages.cql.live.parts import Part, are_of, parts_of
from horae.languages.cql.live.row_layout import RowLayout
from horae.languages.cql.plan.algebra import Algebra, Read
from horae.languages.cql.plan.spread import find_spreading, gather
from horae.languages.cql.plan.walk import scans_of
from horae.spark.cql.answers import ANSWERS
from horae.spark.failures import marked
from horae.spark.piped import Batches

_SHARD = "shard"
_ROUTED = t.StructType([t.StructField(_SHARD, t.LongType()), t.StructField("rows", t.BinaryType())])
_FOUND = from_arrow_schema(SCHEMA)


def answers_by_kernels(
    plan: Algebra, frames: Mapping[str, DataFrame], times: Ints, spark: SparkSession
) -> DataFrame:
    """As `answers_at` gives them."""
    layout = RowLayout(tuple(item for item in plan.program.inputs if item.is_stream))
    relations = {
        i.name: _relation(frames[i.name], i) for i in plan.program.inputs if not i.is_stream
    }
    run = _Run(plan, layout, relations, times, _shards(spark))
    packed = [_packed(frames[item.name], layout, item) for item in layout.streams]
    if not packed:
        packed = [spark.createDataFrame([], from_arrow_schema(layout.schema))]
    return run.answers(reduce(DataFrame.unionAll, packed), spark)


def _shards(spark: SparkSession) -> int:
    return int(spark.conf.get("spark.sql.shuffle.partitions") or 1)


def _relation(frame: DataFrame, item: Input) -> pa.Table:
    schema = schema_of(item)
    return frame.toArrow().select(schema.names).cast(schema)


def _packed(frame: DataFrame, layout: RowLayout, item: Input) -> DataFrame:
    whole = frame if ORDER in frame.columns else frame.withColumn(ORDER, f.lit(None).cast("string"))
    return whole.mapInArrow(_Pack(layout, item), from_arrow_schema(layout.schema))


@dataclass(frozen=True)
class _Run:
    plan: Algebra
    layout: RowLayout
    relations: Mapping[str, pa.Table]
    times: Ints
    shards: int

    @property
    def parts(self) -> tuple[Part, ...]:
        return tuple(parts_of(self.plan, find_spreading(self.plan), self.shards))

    def answers(self, rows: DataFrame, spark: SparkSession) -> DataFrame:
        parts = self.parts
        spread = frozenset(query.name for part in parts for query in part.plan.queries)
        last = _Gather(self.plan, self.layout, self.relations, self.times, spread)
        found = rows.mapInArrow(last.hand_on, _FOUND)
        if parts:
            found = found.unionAll(self._found(rows, parts, spark))
        return found.repartition(1).mapInArrow(last, ANSWERS)

    def _found(self, rows: DataFrame, parts: tuple[Part, ...], spark: SparkSession) -> DataFrame:
        """What shards find; also those without rows are asked."""
        every = spark.range(self.shards * len(parts)).select(
            f.col("id").alias(_SHARD), f.lit(None).cast("binary").alias("rows")
        )
        routed = rows.mapInArrow(_Route(parts, self.layout), _ROUTED).unionAll(every)
        shard = _Shard(parts, self.layout, self.relations, self.times)

        def evaluate(parcels: pa.Table) -> pa.Table:
            return shard.evaluate(parcels)

        return routed.groupBy(_SHARD).applyInArrow(evaluate, _FOUND)


# --- in the workers


@dataclass(frozen=True)
class _Pack:
    """The rows of one stream among those of all."""

    layout: RowLayout
    item: Input

    def __call__(self, batches: Batches) -> Batches:
        schema = schema_of(self.item)
        for batch in batches:
            rows = pa.Table.from_batches([batch]).select(schema.names).cast(schema)
            yield from self.layout.pack(self.item, rows).to_batches()


@dataclass(frozen=True)
class _Route:
    parts: tuple[Part, ...]
    layout: RowLayout

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            rows = pa.Table.from_batches([batch])
            for number, part in enumerate(self.parts):
                for shard, own in part.route(rows, self.layout):
                    place = pa.array([number * part.shards + shard], pa.int64())
                    bytes_ = pa.array([table_to_bytes(own)], pa.binary())
                    yield pa.record_batch([place, bytes_], names=[_SHARD, "rows"])


@dataclass(frozen=True)
class _Shard:
    parts: tuple[Part, ...]
    layout: RowLayout
    relations: Mapping[str, pa.Table]
    times: Ints

    def evaluate(self, parcels: pa.Table) -> pa.Table:
        number = parcels.column(_SHARD)[0].as_py()
        part = self.parts[number // self.parts[0].shards]
        inputs = {**self.relations, **_opened(parcels.column("rows"), self.layout)}
        with marked():
            return pack_found(evaluate_rows(part.plan, inputs, self.times))


def _opened(parcels: Any, layout: RowLayout) -> dict[str, pa.Table]:
    """The rows of each stream."""
    tables = [table_from_bytes(parcel) for parcel in parcels.to_pylist() if parcel is not None]
    return layout.unpack(pa.concat_tables([layout.schema.empty_table(), *tables]))


@dataclass(frozen=True)
class _Gather:
    """Evaluates the queries that are not spread, and answers all."""

    plan: Algebra
    layout: RowLayout
    relations: Mapping[str, pa.Table]
    times: Ints
    spread: frozenset[str]

    def hand_on(self, batches: Batches) -> Batches:
        """Rows of streams that the other queries read, as records beside those of shards."""
        scans = scans_of(gather(self.plan, self.spread))
        names = {scan.name for scan in scans if scan.read is Read.STREAM}
        for batch in batches:
            rows = pa.Table.from_batches([batch])
            own = rows.filter(pa.array(are_of(rows, names)))
            record = {"query": [None], "rows": [table_to_bytes(own)], "failure": [None]}
            yield from pa.table(record, schema=SCHEMA).to_batches()

    def __call__(self, batches: Batches) -> Batches:
        records = pa.Table.from_batches(list(batches), SCHEMA)
        is_row, gathered = pc.is_null(pc.field("query")), Gathered()
        gathered.add(records.filter(~is_row))
        inputs = _opened(records.filter(is_row).column("rows"), self.layout)
        yield from self._answers({**self.relations, **inputs}, gathered)

    def _answers(self, inputs: Mapping[str, pa.Table], gathered: Gathered) -> Batches:
        if not len(self.times):
            return
        schemas = {q.name: found_schema(q) for q in self.plan.queries if q.name in self.spread}
        memory = Memory.empty(gather(self.plan, self.spread))
        elsewhere = gathered.take(self.times, schemas)
        with marked():
            for answers in continue_evaluation(memory, inputs, self.times, elsewhere=elsewhere):
                yield from answers.to_batches()
