"""When rows of two frames agree. Columns of the right side get other names: none is ambiguous."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from horae.languages.cql.plan.expressions import Ref
from horae.spark.cql.compare import comparable

Pair = tuple[Ref, Ref]

_OTHER = "_other"


def other(name: str) -> str:
    return name + _OTHER


def renamed(rows: DataFrame, names: Sequence[str]) -> DataFrame:
    """These columns under their other names."""
    return rows.withColumnsRenamed({name: other(name) for name in names})


def same(ref: Ref) -> Column:
    """The column on both sides; null equals null."""
    left, right = f.col(ref.name), f.col(other(ref.name))
    return left.eqNullSafe(right) if ref.nullable else left == right


def equal(pair: Pair) -> Column:
    """Null equals nothing."""
    a, b = pair
    left, right = comparable((f.col(a.name), a.type), (f.col(b.name), b.type))
    return left == right


def every(conditions: Sequence[Column]) -> Column:
    return reduce(lambda a, b: a & b, conditions, f.lit(True))
