"""Rows on their way to the stages: each to its shards, there in order of time."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql import types as spark_types

from horae.data.layout import TIME
from horae.languages.rtlola.plan.stages import Shards
from horae.languages.rtlola.program import Program
from horae.spark.columns import column
from horae.spark.rtlola.door import Events

_SHARD = "__shard"


@dataclass(frozen=True)
class Shuffle:
    events: Events
    shards: int

    def together(self, program: Program) -> DataFrame:
        """All rows in one place."""
        return self._rows(program).repartition(1).sortWithinPartitions(TIME, *self.events.order)

    def spread(self, stage: Shards) -> DataFrame:
        """Each row to the shard of each of its keys."""
        rows = self._rows(stage.program)
        keys = self._keys(stage)
        if len(keys) == 1:
            present = rows.where(column(keys[0]).isNotNull())
            spread = present.repartition(self.shards, _value(rows, keys[0]))
        else:
            spread = self._copies(rows, keys)
        return spread.sortWithinPartitions(TIME, *map(column, self.order(stage)))

    def order(self, stage: Shards) -> tuple[str, ...]:
        """Copies of a row lose some keys: where those order rows, they are kept under another name."""
        keys = self._keys(stage)
        if len(keys) == 1:
            return self.events.order
        return tuple(_whole(name) if name in keys else name for name in self.events.order)

    def _keys(self, stage: Shards) -> list[str]:
        return [self.events.columns[key] for key in stage.keys]

    def _rows(self, program: Program) -> DataFrame:
        inputs = (self.events.columns[stream.name] for stream in program.inputs)
        names = dict.fromkeys([TIME, *inputs, *self.events.order])
        return self.events.frame.select(*map(column, names))

    def _copies(self, rows: DataFrame, keys: list[str]) -> DataFrame:
        """A row with keys of two shards goes to both; each copy keeps the keys of its own shard."""
        for key in keys:
            if key in self.events.order:
                rows = rows.withColumn(_whole(key), column(key))
        homes = {key: _home(rows, key, self.shards) for key in keys}
        targets = f.array_distinct(f.filter(f.array(*homes.values()), lambda h: h.isNotNull()))
        copies = rows.select("*", f.explode(targets).alias(_SHARD))
        kept = {key: f.when(homes[key] == f.col(_SHARD), column(key)) for key in keys}
        return _by_number(copies.withColumns(kept), self.shards).drop(_SHARD)


def _whole(key: str) -> str:
    return f"__whole_{key.partition(':')[0]}"


def _value(rows: DataFrame, key: str) -> Column:
    """Both zeros of a double are the same key."""
    is_double = isinstance(rows.schema[key].dataType, spark_types.DoubleType)
    return column(key) + f.lit(0.0) if is_double else column(key)


def _home(rows: DataFrame, key: str, shards: int) -> Column:
    """The number of a key's shard."""
    home = f.pmod(f.xxhash64(_value(rows, key)), f.lit(shards)).cast("int")
    return f.when(column(key).isNotNull(), home)


def _by_number(copies: DataFrame, shards: int) -> DataFrame:
    """Before Spark 4.1 the number is hashed again, and two shards may share a partition: as exact,
    but not as even.
    """
    if hasattr(copies, "repartitionById"):
        return copies.repartitionById(shards, f.col(_SHARD))
    return copies.repartition(shards, f.col(_SHARD))
