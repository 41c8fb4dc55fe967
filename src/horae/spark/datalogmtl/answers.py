"""Answers of DatalogMTL programs: as a DataFrame for people who go on with Spark, or here, sorted."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import types as t

from horae.data.columns import Array
from horae.data.constants import json_value
from horae.data.fact_columns import ARGS, PREDICATE
from horae.data.fact_values import read_constant
from horae.data.symbols import Symbols
from horae.engine.answers import Answers
from horae.languages.datalogmtl.kernel.answers import interval_answers, point_answers
from horae.languages.datalogmtl.kernel.fact_relations import HI, LO, to_relations
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.spark.datalogmtl.batch import Derived
from horae.spark.failures import unmarked
from horae.spark.piped import Batches

_INTERVALS = t.StructType(
    [
        t.StructField("predicate", t.StringType()),
        t.StructField("args", t.StringType()),
        t.StructField("interval", t.StringType()),
        t.StructField("lo", t.LongType()),
        t.StructField("hi", t.LongType()),
    ]
)
_POINTS = t.StructType(
    [
        t.StructField("time", t.StringType()),
        t.StructField("predicate", t.StringType()),
        t.StructField("args", t.StringType()),
        t.StructField("ticks", t.LongType()),
    ]
)


def answer_frame(derived: Derived) -> DataFrame:
    """`predicate`, `args` (JSON text), `interval` (text), and `lo`, `hi` to sort by.

    With an answer domain: `time` (text), `predicate`, `args`, and `ticks` to sort by.
    """
    if derived.points is None:
        return derived.rows.mapInArrow(_IntervalTexts(derived.timeline), _INTERVALS)
    ticks = tuple(derived.points)
    return derived.rows.mapInArrow(_PointTexts(derived.timeline, ticks), _POINTS)


def collect_answers(derived: Derived) -> Answers:
    """All answers here: dicts as in the JSON Lines, sorted."""
    with unmarked():
        rows = derived.rows.toArrow()
    symbols = Symbols()
    found = to_relations(rows, PREDICATE, symbols)
    if derived.points is None:
        return interval_answers(found, symbols, derived.timeline)
    return point_answers(found, symbols, derived.timeline, derived.points)


# --- in the workers


@dataclass(frozen=True)
class _IntervalTexts:
    timeline: Timeline

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            ends = zip(batch.column(LO).to_numpy(), batch.column(HI).to_numpy(), strict=True)
            texts = [str(self.timeline.interval(int(lo), int(hi))) for lo, hi in ends]
            columns = [batch.column(PREDICATE), _args(batch), pa.array(texts, pa.string())]
            columns += [batch.column(LO), batch.column(HI)]
            yield pa.record_batch(columns, names=_INTERVALS.fieldNames())


@dataclass(frozen=True)
class _PointTexts:
    timeline: Timeline
    points: tuple[int, ...]

    def __call__(self, batches: Batches) -> Batches:
        points = np.array(self.points, np.int64)
        for batch in batches:
            first, after = (
                np.searchsorted(points, (batch.column(end).to_numpy() + 1) >> 1) for end in (LO, HI)
            )
            counts = after - first
            rows = np.repeat(np.arange(batch.num_rows), counts)
            within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
            ticks = points[first[rows] + within]
            times = [str(self.timeline.time(tick)) for tick in ticks.tolist()]
            taken = [column.take(rows) for column in (batch.column(PREDICATE), _args(batch))]
            columns = [pa.array(times, pa.string()), *taken, pa.array(ticks)]
            yield pa.record_batch(columns, names=_POINTS.fieldNames())


def _args(batch: pa.RecordBatch) -> Array:
    lists: list[Any] = batch.column(ARGS).to_pylist()
    texts = [
        json.dumps([json_value(read_constant(text)) for text in constants], ensure_ascii=False)
        for constants in lists
    ]
    return pa.array(texts, pa.string())
