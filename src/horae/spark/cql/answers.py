"""A plan over DataFrames: the answers at the given evaluation times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import assert_never

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql import types as t

from horae.engine.answers import Answers
from horae.languages.cql.kernel.answers import json_texts, kind_of, sorted_answers
from horae.languages.cql.kernel.columns import Ints
from horae.languages.cql.kernel.streams import RANK
from horae.languages.cql.kernel.windows import TIME, place_name
from horae.languages.cql.plan.algebra import TAU, Algebra, QueryPlan, Read, Scan
from horae.languages.cql.plan.walk import scans_of, shared_nodes
from horae.languages.cql.syntax.tree import StreamOperator
from horae.spark.cql.expressions import one_zero, rows_where
from horae.spark.cql.keep import keep
from horae.spark.cql.nodes import Nodes
from horae.spark.cql.order import place
from horae.spark.cql.spread import spread_rows
from horae.spark.cql.streams import NEXT, stream
from horae.spark.cql.windows import FROM, UNTIL, with_lives
from horae.spark.failures import unmarked
from horae.spark.piped import Batches

COLUMNS = [TIME, "query", "row", "kind", "rank"]
"""Of answers, in the order in which users see them."""

ANSWERS = t.StructType(
    [
        t.StructField(TIME, t.LongType()),
        t.StructField("query", t.StringType()),
        t.StructField("kind", t.StringType()),
        t.StructField("row", t.StringType()),
        t.StructField(RANK, t.LongType()),
    ]
)


def answers_frame(plan: Algebra, frames: Mapping[str, DataFrame], times: DataFrame) -> DataFrame:
    """`time`, `query`, `kind`, `row` (JSON text), and `rank`, by which rows of a query are ordered.

    `frames` has a frame per registered name: columns `c0`, `c1`, …, for streams also `time` and perhaps
    `order`. `times` has a column `time`; it is collected at once. Parts that several others read may be
    computed at once too.
    """
    with unmarked():
        return answers_at(plan, frames, collect_times(times), times.sparkSession)


def collect_times(times: DataFrame) -> Ints:
    found = times.select(f.col(TIME).cast("bigint")).distinct().toArrow()
    return np.sort(found.column(0).to_numpy())


def answers_at(
    plan: Algebra, frames: Mapping[str, DataFrame], times: Ints, spark: SparkSession
) -> DataFrame:
    """At these times, in increasing order."""
    run = _Run(plan, frames, times, spark)
    nothing = spark.createDataFrame([], ANSWERS)
    return reduce(DataFrame.unionAll, [run.answers(query) for query in plan.queries] or [nothing])


def collect_answers(frame: DataFrame) -> Answers:
    """All answers here: dicts as in the JSON Lines, sorted."""
    with unmarked():
        return sorted_answers(frame.toArrow())


@dataclass
class _Run:
    plan: Algebra
    frames: Mapping[str, DataFrame]
    times: Ints
    spark: SparkSession
    nodes: Nodes = field(init=False)
    rows: dict[str, DataFrame] = field(default_factory=dict)
    given: dict[str, DataFrame] = field(default_factory=dict)

    def __post_init__(self) -> None:
        taus = self._frame({TAU.name: self.times})
        self.nodes = Nodes(taus, self._read, shared_nodes(self.plan))

    def answers(self, query: QueryPlan) -> DataFrame:
        rows = _ranked(query, self.nodes.frame(query.node))
        read = {scan.read for scan in scans_of(self.plan) if scan.name == query.name}
        if query.stream is not StreamOperator.RSTREAM or Read.ROWS_OF_QUERY in read:
            rows = keep(rows)
        given = stream(query.stream, rows, self._steps())
        if Read.ANSWERS_OF_QUERY in read:
            given = keep(given)
        self.rows[query.name], self.given[query.name] = rows, given.drop(RANK)
        return given.mapInArrow(_Texts(query.name, kind_of(query), len(query.outputs)), ANSWERS)

    def _steps(self) -> DataFrame:
        return self._frame({TIME: self.times[:-1], NEXT: self.times[1:]})

    def _frame(self, columns: dict[str, Ints]) -> DataFrame:
        table = pa.table({name: pa.array(values, pa.int64()) for name, values in columns.items()})
        return self.spark.createDataFrame(table)

    def _read(self, scan: Scan) -> DataFrame:
        match scan.read:
            case Read.STREAM:
                return self._windowed(scan, _one_zero(self.frames[scan.name]))
            case Read.RELATION:
                return _chosen(scan, _one_zero(self.frames[scan.name]))
            case Read.ROWS_OF_QUERY:
                rows = self.rows[scan.name]
                return _chosen(scan, rows.withColumnRenamed(TIME, TAU.name), TAU.name)
            case Read.ANSWERS_OF_QUERY:
                return self._windowed(scan, self.given[scan.name])
            case _:
                assert_never(scan.read)

    def _windowed(self, scan: Scan, rows: DataFrame) -> DataFrame:
        assert scan.window is not None
        living = with_lives(scan.window, scan.window_places, rows)
        return spread_rows(_chosen(scan, living, FROM, UNTIL), self.times)


def _chosen(scan: Scan, rows: DataFrame, *kept: str) -> DataFrame:
    """The columns of the scan under their names, and those that are kept; rows where it holds."""
    columns = [
        f.col(place_name(p)).alias(ref.name)
        for p, ref in zip(scan.places, scan.columns, strict=True)
    ]
    found = rows.select(*kept, *columns)
    return found if scan.where is None else rows_where(found, scan.where)


def _one_zero(rows: DataFrame) -> DataFrame:
    doubles = [
        field.name for field in rows.schema.fields if isinstance(field.dataType, t.DoubleType)
    ]
    return rows.withColumns({name: one_zero(f.col(name)) for name in doubles}) if doubles else rows


def _ranked(query: QueryPlan, rows: DataFrame) -> DataFrame:
    """`time`, the outputs by their places, and `rank`."""
    outputs = [f.col(ref.name).alias(place_name(i)) for i, ref in enumerate(query.outputs)]
    rank = place((TAU,), query.order).alias(RANK)
    return rows.select(f.col(TAU.name).alias(TIME), *outputs, rank)


@dataclass(frozen=True)
class _Texts:
    """In the workers: rows as JSON text."""

    query: str
    kind: str
    width: int

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            values = [batch.column(place_name(i)) for i in range(self.width)]
            size = batch.num_rows
            columns = [
                batch.column(TIME),
                pa.repeat(self.query, size),
                pa.repeat(self.kind, size),
                json_texts(values, size),
                batch.column(RANK),
            ]
            yield pa.record_batch(columns, names=ANSWERS.fieldNames())
