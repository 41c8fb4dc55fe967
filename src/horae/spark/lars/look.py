"""A first look at all facts: when the program is evaluated, and what has background data.

Both concern all shards, so they are found before facts are spread. Facts that cannot be in a stream are
refused here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import types as t

from horae.data import catalogue_facts as catalogue
from horae.data.columns import Array
from horae.data.cuts import Cuts
from horae.data.fact_columns import PREDICATE, background_rows, facts_of_rows, timed_rows
from horae.data.predicate_facts import PredicateFacts
from horae.data.time_points import AtEvents, EvaluationTimes
from horae.languages.lars.kernel.facts import moments, spans_of
from horae.languages.lars.program import Program
from horae.spark.bad_rows import refuse_told
from horae.spark.failures import marked, unmarked
from horae.spark.piped import Batches
from horae.spark.streaming.parcels import BAD

_SEEN = t.StructType(
    [
        t.StructField("moment", t.LongType()),
        t.StructField("background", t.StringType()),
        t.StructField(BAD, t.StringType()),
    ]
)
_TYPES: dict[str, pa.DataType] = {
    "moment": pa.int64(),
    "background": pa.string(),
    BAD: pa.string(),
}
_SCHEMA = pa.schema(_TYPES)


@dataclass(frozen=True)
class Look:
    """Time points that all shards must see, and the predicates with background data."""

    points: Cuts
    background: frozenset[str]


def look_at(facts: DataFrame, program: Program, at: EvaluationTimes) -> Look:
    """Where the facts come with what is wrong with others, that is an error first."""
    seen = facts.mapInArrow(_Seen(program.derived, isinstance(at, AtEvents)), _SEEN).distinct()
    with unmarked():
        table = seen.toArrow()
    refuse_told(min(map(str, table.column(BAD).drop_null().to_pylist()), default=None))
    points = table.column("moment").drop_null().to_numpy()
    names = (name for name in table.column("background").to_pylist() if name is not None)
    return Look(points, frozenset(map(str, names)))


# --- in the workers


@dataclass(frozen=True)
class _Seen:
    """`every`: all time points are wanted, else the first and the last do."""

    derived: frozenset[str]
    every: bool

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                rows, told = _apart(pa.Table.from_batches([batch]))
                yield told
                static, timed = background_rows(rows), timed_rows(rows)
                self._check(timed)
                facts = facts_of_rows(timed)
                yield _moments(moments(facts) if self.every else _first_and_last(facts))
                yield _background(static)

    def _check(self, timed: pa.Table) -> None:
        for name in timed.column(PREDICATE).unique().to_pylist():
            if name in self.derived:
                raise catalogue.derived_in_stream(str(name))


def _apart(rows: pa.Table) -> tuple[pa.Table, pa.RecordBatch]:
    """Facts, and what is wrong with other rows."""
    if BAD not in rows.column_names:
        return rows, _seen()
    is_fact = pc.is_null(rows.column(BAD))
    told = rows.filter(pc.invert(is_fact)).column(BAD).combine_chunks()
    return rows.filter(is_fact).drop_columns(BAD), _seen(**{BAD: told})


def _seen(**found: Array) -> pa.RecordBatch:
    """One column that was found, and nothing in the others."""
    count = max((len(column) for column in found.values()), default=0)
    columns = [found.get(f.name, pa.nulls(count, f.type)) for f in _SCHEMA]
    return pa.record_batch(columns, schema=_SCHEMA)


def _first_and_last(facts: Sequence[PredicateFacts]) -> Cuts:
    points: list[int] = []
    for first, last in map(spans_of, facts):
        some = first <= last
        points += [first[some].min(), last[some].max()] if some.any() else []
    return np.array([min(points), max(points)] if points else [], np.int64)


def _moments(points: Cuts) -> pa.RecordBatch:
    return _seen(moment=pa.array(points))


def _background(static: pa.Table) -> pa.RecordBatch:
    return _seen(background=pc.unique(static.column(PREDICATE).combine_chunks()))
