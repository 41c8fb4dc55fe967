"""ORDER BY and LIMIT: the place of each row among the rows of its context."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as f

from horae.languages.cql.plan.algebra import Limit, OrderKey
from horae.languages.cql.plan.expressions import Ref

_PLACE = "limit_place"


def limit(node: Limit, rows: DataFrame) -> DataFrame:
    ranked = rows.withColumn(_PLACE, place(node.keys, node.order))
    return ranked.where(f.col(_PLACE) < node.count).drop(_PLACE)


def place(keys: Sequence[Ref], order: Sequence[OrderKey]) -> Column:
    """From 0, per value of the keys."""
    window = Window.partitionBy(*(key.name for key in keys))
    number = f.row_number().over(window.orderBy(*map(_sorted, order)))
    return (number - 1).cast("bigint")


def _sorted(key: OrderKey) -> Column:
    column = f.col(key.column.name)
    return column.desc_nulls_last() if key.descending else column.asc_nulls_first()
