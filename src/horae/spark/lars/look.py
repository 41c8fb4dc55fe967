"""A first look at all facts: when the program is evaluated, and what has background data.

Both concern all shards, so they are found before facts are spread. Facts that cannot be in a stream are
refused here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import types as t

from horae.inputs import catalogue_facts as catalogue
from horae.inputs.encode_rows import background_rows, moments, time_spans, timed_rows
from horae.inputs.fact_columns import PREDICATE
from horae.inputs.time_points import AtEvents, EvaluationTimes, find_times
from horae.kernels.intervals.cuts import Cuts
from horae.languages.lars.program import Program
from horae.spark.failures import marked, unmarked
from horae.spark.piped import Batches

_SEEN = t.StructType(
    [
        t.StructField("moment", t.LongType()),
        t.StructField("background", t.StringType()),
    ]
)
_TYPES: dict[str, pa.DataType] = {"moment": pa.int64(), "background": pa.string()}
_SCHEMA = pa.schema(_TYPES)


@dataclass(frozen=True)
class Look:
    """Evaluation times, ascending, and the predicates with background data."""

    times: Cuts
    background: frozenset[str]


def look_at(facts: DataFrame, program: Program, at: EvaluationTimes) -> Look:
    seen = facts.mapInArrow(_Seen(program.derived, isinstance(at, AtEvents)), _SEEN).distinct()
    with unmarked():
        table = seen.toArrow()
    points = [moment for moment in table.column("moment").to_pylist() if moment is not None]
    names = (name for name in table.column("background").to_pylist() if name is not None)
    return Look(np.array(find_times(at, points), np.int64), frozenset(map(str, names)))


# --- in the workers


@dataclass(frozen=True)
class _Seen:
    """`every`: all time points are wanted, else the first and the last do."""

    derived: frozenset[str]
    every: bool

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                rows = pa.Table.from_batches([batch])
                static, timed = background_rows(rows), timed_rows(rows)
                self._check(timed)
                yield _moments(moments(timed) if self.every else _first_and_last(timed))
                yield _background(static)

    def _check(self, timed: pa.Table) -> None:
        for name in timed.column(PREDICATE).unique().to_pylist():
            if name in self.derived:
                raise catalogue.derived_in_stream(str(name))


def _first_and_last(timed: pa.Table) -> Cuts:
    first, last = time_spans(timed)
    some = first <= last
    return np.array([first[some].min(), last[some].max()] if some.any() else [], np.int64)


def _moments(points: Cuts) -> pa.RecordBatch:
    return pa.record_batch([pa.array(points), pa.nulls(len(points), pa.string())], schema=_SCHEMA)


def _background(static: pa.Table) -> pa.RecordBatch:
    names = pc.unique(static.column(PREDICATE))
    return pa.record_batch([pa.nulls(len(names), pa.int64()), names], schema=_SCHEMA)
