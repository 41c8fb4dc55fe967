"""A plan over a DataFrame of history: shuffle by key, sort by time, run the kernels.

Stages of the plan become DataFrames that Spark evaluates lazily. One thing is looked at at once: the first and the
last time, which every shard needs to know for its clocks, and whether the rows are as the plan assumes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql import types as spark_types

from horae.inputs.layout import TIME
from horae.kernels.rtlola.options import Emit, Options, OverMode
from horae.languages.rtlola.program import Program
from horae.plan.stages import Join, Plan, Shards, Single
from horae.spark.door import Events
from horae.spark.failures import unmarked
from horae.spark.stage import AnswerRows, ExportRows, Facts

ANSWERS = spark_types.StructType(
    [
        spark_types.StructField("time", spark_types.DoubleType()),
        spark_types.StructField("position", spark_types.LongType()),
        spark_types.StructField("stream", spark_types.StringType()),
        spark_types.StructField("params", spark_types.StringType()),
        spark_types.StructField("value", spark_types.StringType()),
        spark_types.StructField("trigger", spark_types.IntegerType()),
        spark_types.StructField("message", spark_types.StringType()),
        spark_types.StructField("condition", spark_types.StringType()),
    ]
)


@dataclass(frozen=True)
class Batch:
    """One evaluation: checked events, how to run, and how many shards."""

    events: Events
    options: Options
    shards: int

    def answers(self, plan: Plan) -> DataFrame:
        facts = self._look(plan)
        if facts is None:
            return self.events.frame.sparkSession.createDataFrame([], ANSWERS)
        if not facts.fits and plan.is_spread:
            plan = Plan(plan.whole, (), None, Single(plan.whole, ()))
        parts = self._parts(plan, facts)
        return reduce(DataFrame.unionByName, parts)

    # --- a first look

    def _look(self, plan: Plan) -> Facts | None:
        pairs = list(dict.fromkeys(p for shards in plan.shards for p in shards.present))
        lost = [f.count_if(_missing(key, other)) for key, other in pairs]
        with unmarked():
            row = self.events.frame.agg(f.count("*"), f.min(TIME), f.max(TIME), *lost).first()
        if row is None or not row[0]:
            return None
        return Facts(row[0], row[1], row[2], fits=not any(row[3:]))

    # --- stages

    def _parts(self, plan: Plan, facts: Facts) -> list[DataFrame]:
        parts: list[DataFrame] = []
        if self.options.emit is not Emit.TRIGGERS:
            parts += [self._shard_answers(shards, facts) for shards in plan.shards]
        if plan.join is not None:
            parts.append(self._joined(plan, plan.join, facts))
        if plan.single is not None:
            parts.append(self._single(plan.single, facts))
        return parts or [self.events.frame.sparkSession.createDataFrame([], ANSWERS)]

    def _single(self, stage: Single, facts: Facts) -> DataFrame:
        rows = self._columns(stage.program, self.events.frame)
        ordered = rows.repartition(1).sortWithinPartitions(TIME, *self.events.order)
        return self._run(AnswerRows(stage.program, self.options, facts), ordered)

    def _shard_answers(self, stage: Shards, facts: Facts) -> DataFrame:
        run = AnswerRows(stage.program, self.options, facts)
        return self._run(run, self._spread(stage))

    def _run(self, stage: AnswerRows, ordered: DataFrame) -> DataFrame:
        stage.warm_up()
        return ordered.mapInArrow(stage, ANSWERS)

    def _columns(self, program: Program, frame: DataFrame) -> DataFrame:
        names = dict.fromkeys([TIME, *(i.name for i in program.inputs), *self.events.order])
        return frame.select(*(_column(name) for name in names))

    # --- spreading

    def _spread(self, stage: Shards) -> DataFrame:
        """Each row to the shard of each of its keys, in order of time."""
        rows = self._columns(stage.program, self.events.frame)
        if len(stage.keys) == 1:
            (key,) = stage.keys
            present = rows.where(_column(key).isNotNull())
            spread = present.repartition(self.shards, _home(rows, key, self.shards))
        else:
            spread = self._spread_by_several(rows, stage.keys)
        return spread.sortWithinPartitions(TIME, *self._order(stage))

    def _order(self, stage: Shards) -> tuple[str, ...]:
        """Keys that order rows are kept under another name where copies of rows lose some keys."""
        if len(stage.keys) == 1:
            return self.events.order
        return tuple(_WHOLE + name if name in stage.keys else name for name in self.events.order)

    def _spread_by_several(self, rows: DataFrame, keys: tuple[str, ...]) -> DataFrame:
        """A row with keys of two shards goes to both; each copy keeps the keys of its own shard."""
        for key in keys:
            if key in self.events.order:
                rows = rows.withColumn(_WHOLE + key, _column(key))
        homes = [_home(rows, key, self.shards) for key in keys]
        targets = f.array_distinct(f.filter(f.array(*homes), lambda home: home.isNotNull()))
        copies = rows.select("*", f.explode(targets).alias(_SHARD))
        for key in keys:
            kept = f.when(_home(rows, key, self.shards) == f.col(_SHARD), _column(key))
            copies = copies.withColumn(key, kept)
        return copies.repartition(self.shards, f.col(_SHARD)).drop(_SHARD)

    # --- joining

    def _joined(self, plan: Plan, join: Join, facts: Facts) -> DataFrame:
        records = reduce(
            DataFrame.unionByName, [self._records(s, join, facts) for s in plan.shards if s.exported]
        )
        order = [f"{_PLACE}{i}" for i in range(len(self.events.order))]
        place = [TIME, "tick", *order, "__same"]
        columns = range(len(join.imported))
        merged = records.groupBy(*place).agg(
            *(f.max(f"touched{i}").alias(f"touched{i}") for i in columns),
            *(f.sum(f"delta{i}").alias(f"delta{i}") for i in range(4 * len(columns))),
        )
        ordered = merged.repartition(1).sortWithinPartitions(*place)
        options = self._with(OverMode.IMPORT, joined=join.imported)
        return self._run(AnswerRows(join.program, options, facts), ordered)

    def _records(self, stage: Shards, join: Join, facts: Facts) -> DataFrame:
        options = self._with(OverMode.EXPORT, joined=stage.exported, emit=Emit.TRIGGERS)
        order, spread = self._order(stage), self._spread(stage)
        run = ExportRows(stage.program, options, facts, order)
        run.warm_up()
        records = spread.mapInArrow(run, _records_schema(spread, order, stage))
        return _aligned(records, stage, join, order)

    def _with(self, overs: OverMode, **changes: object) -> Options:
        return replace(self.options, overs=overs, **changes)  # type: ignore[arg-type]


_SHARD = "__shard"
_WHOLE = "__whole_"
_PLACE = "__place"


def _column(name: str) -> Column:
    return f.col(f"`{name}`")


def _home(rows: DataFrame, key: str, shards: int) -> Column:
    """The shard of a key; both zeros of a double are the same key."""
    column = _column(key)
    if isinstance(rows.schema[key].dataType, spark_types.DoubleType):
        column = column + f.lit(0.0)
    return f.when(_column(key).isNotNull(), f.pmod(f.xxhash64(column), f.lit(shards)))


def _missing(key: str, other: str) -> Column:
    return _column(key).isNotNull() & _column(other).isNull()


def _records_schema(
    rows: DataFrame, order: tuple[str, ...], stage: Shards
) -> spark_types.StructType:
    fields = [
        spark_types.StructField(TIME, spark_types.LongType()),
        spark_types.StructField("tick", spark_types.BooleanType()),
    ]
    for i in range(len(stage.exported)):
        fields.append(spark_types.StructField(f"touched{i}", spark_types.BooleanType()))
    for i in range(4 * len(stage.exported)):
        fields.append(spark_types.StructField(f"delta{i}", spark_types.LongType()))
    fields += [spark_types.StructField(name, rows.schema[name].dataType) for name in order]
    fields.append(spark_types.StructField("__same", spark_types.LongType()))
    return spark_types.StructType(fields)


def _aligned(records: DataFrame, stage: Shards, join: Join, order: tuple[str, ...]) -> DataFrame:
    """The columns of one shard stage under the numbers that the join gives to operators."""
    mine = {joined: i for i, joined in enumerate(stage.exported)}
    places = [_column(name).alias(f"{_PLACE}{i}") for i, name in enumerate(order)]
    columns = [f.col(TIME), f.col("tick"), *places, f.col("__same")]
    for i, joined in enumerate(join.imported):
        at = mine.get(joined)
        touched = f.lit(False) if at is None else f.col(f"touched{at}")
        columns.append(touched.alias(f"touched{i}"))
        for part in range(4):
            delta = f.lit(0).cast("long") if at is None else f.col(f"delta{4 * at + part}")
            columns.append(delta.alias(f"delta{4 * i + part}"))
    return records.select(*columns)
