"""A plan over a DataFrame of history: shuffle by key, sort by time, run the kernels.

Stages of the plan become DataFrames that Spark evaluates lazily. One thing is looked at at once: the
first and the last time, which every shard needs to know for its clocks, and whether the rows are as the
plan assumes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql import types as spark_types
from pyspark.sql.pandas.types import from_arrow_schema

from horae.data.layout import TIME
from horae.languages.rtlola.kernel.faults import check_span
from horae.languages.rtlola.kernel.options import Options, QuantifiedMode
from horae.languages.rtlola.options import Emit
from horae.languages.rtlola.plan.spread import one_place
from horae.languages.rtlola.plan.stages import Join, Partition, Shards, Single
from horae.spark.columns import column
from horae.spark.rtlola.door import Events
from horae.spark.rtlola.places import SAME, place_names
from horae.spark.rtlola.shuffle import Shuffle
from horae.spark.rtlola.stage import AnswerRows, ExportRows, InputSpan, JoinRecords
from horae.spark.rtlola.survey import survey


def evaluate_frame(
    events: Events,
    plan: Partition,
    options: Options,
    shards: int,
    check: Callable[[int, int], None] = lambda _first, _last: None,
    *,
    is_shown: bool = False,
) -> DataFrame:
    """The answers to checked events, as kernels give them, or as users read them (`is_shown`).

    `check` sees the first and the last time before anything is evaluated.
    """
    seen = survey(events, plan)
    if seen is None:
        nothing = AnswerRows(plan.whole, options, InputSpan(0, 0, 0), is_shown)
        return events.frame.sparkSession.createDataFrame([], from_arrow_schema(nothing.schema))
    check(seen.span.first, seen.span.last)
    check_span(plan.whole, options, seen.span.first, seen.span.last)
    if not seen.fits:
        plan = one_place(plan.whole, ())
    batch = _Batch(seen.events, options, seen.span, Shuffle(seen.events, shards), is_shown)
    return reduce(DataFrame.unionByName, batch.parts(plan))


@dataclass(frozen=True)
class _Batch:
    """One evaluation. Every stage runs, also one without answers: a fault in it must stop the run."""

    events: Events
    options: Options
    span: InputSpan
    shuffle: Shuffle
    is_shown: bool

    def parts(self, plan: Partition) -> list[DataFrame]:
        """The answers of each stage."""
        quiet = self.options.emit is Emit.TRIGGERS
        parts = [self._spread(s) for s in plan.shards if not (quiet and s.exported)]
        if plan.join is not None:
            parts.append(self._joined(plan.shards, plan.join))
        if plan.single is not None:
            parts.append(self._single(plan.single))
        return parts

    def _single(self, stage: Single) -> DataFrame:
        rows = self.shuffle.together(stage.program)
        return self._run(AnswerRows(stage.program, self.options, self.span, self.is_shown), rows)

    def _spread(self, stage: Shards) -> DataFrame:
        rows = self.shuffle.spread(stage)
        return self._run(AnswerRows(stage.program, self.options, self.span, self.is_shown), rows)

    def _run(self, stage: AnswerRows, ordered: DataFrame) -> DataFrame:
        stage.warm_up()
        return ordered.mapInArrow(stage, from_arrow_schema(stage.schema))

    # --- joining

    def _joined(self, shards: tuple[Shards, ...], join: Join) -> DataFrame:
        """All that the shards export, in one place and in order."""
        exporting = [stage for stage in shards if stage.exported]
        records = reduce(DataFrame.unionByName, [self._records(s, join) for s in exporting])
        position = (TIME, "tick", *place_names(self.events.order), SAME)
        ordered = records.repartition(1).sortWithinPartitions(*position)
        options = replace(self.options, quantified=QuantifiedMode.IMPORT, joined=join.imported)
        stage = JoinRecords(join.program, options, self.span, self.is_shown, position)
        return self._run(stage, ordered)

    def _records(self, stage: Shards, join: Join) -> DataFrame:
        options = replace(
            self.options,
            quantified=QuantifiedMode.EXPORT,
            joined=stage.exported,
            emit=Emit.TRIGGERS,
        )
        rows, order = self.shuffle.spread(stage), self.shuffle.order(stage)
        run = ExportRows(stage.program, options, self.span, order)
        run.warm_up()
        return _renumbered(rows.mapInArrow(run, _records_schema(rows, order, stage)), stage, join)


def _records_schema(
    rows: DataFrame, order: tuple[str, ...], stage: Shards
) -> spark_types.StructType:
    count = len(stage.exported)
    kinds: dict[str, spark_types.DataType] = {TIME: spark_types.LongType()}
    kinds["tick"] = spark_types.BooleanType()
    kinds |= {f"touched{i}": spark_types.BooleanType() for i in range(count)}
    kinds |= {f"delta{i}": spark_types.LongType() for i in range(4 * count)}
    kinds |= {
        place: rows.schema[name].dataType
        for place, name in zip(place_names(order), order, strict=True)
    }
    kinds[SAME] = spark_types.LongType()
    return spark_types.StructType([spark_types.StructField(n, kind) for n, kind in kinds.items()])


def _renumbered(records: DataFrame, stage: Shards, join: Join) -> DataFrame:
    """The columns of one shard stage under the numbers that the join gives to operators."""
    mine = {joined: i for i, joined in enumerate(stage.exported)}
    numbered = [name for name in records.columns if not name.startswith(("touched", "delta"))]
    columns = [column(name) for name in numbered]
    for i, joined in enumerate(join.imported):
        at = mine.get(joined)
        touched = f.lit(False) if at is None else f.col(f"touched{at}")
        columns.append(touched.alias(f"touched{i}"))
        for part in range(4):
            delta = f.lit(0).cast("long") if at is None else f.col(f"delta{4 * at + part}")
            columns.append(delta.alias(f"delta{4 * i + part}"))
    return records.select(*columns)
