"""EXISTS and IN as a column: does a row agree? Outer joins with the distinct rows of the query."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from horae.languages.cql.plan.algebra import Mark
from horae.languages.cql.plan.expressions import Ref
from horae.spark.cql.agreement import Pair, equal, every, other, renamed, same
from horae.spark.cql.keep import keep

_FOUND = "mark_found"
_PERHAPS = "mark_perhaps"


def mark(node: Mark, rows: DataFrame, query: DataFrame) -> DataFrame:
    query = keep(query) if node.result.nullable else query
    found = _found(node, rows, query)
    truth = f.coalesce(f.col(_FOUND), f.lit(False))
    if node.result.nullable:
        found = _perhaps(node, found, rows, query)
        truth = (
            f.when(truth, True).when(f.col(_PERHAPS), f.lit(None).cast("boolean")).otherwise(False)
        )
    return found.withColumn(node.result.name, truth).select(*rows.columns, node.result.name)


def _found(node: Mark, rows: DataFrame, query: DataFrame) -> DataFrame:
    """With a column that is true where a row of the query agrees in all pairs: one row at most does."""
    keys = [ref.name for ref in node.keys]
    values = [right.name for _, right in node.values]
    asked = renamed(query.select(*keys, *values).distinct(), keys)
    agree = [*(same(ref) for ref in node.keys), *(equal(pair) for pair in node.values)]
    found = rows.join(asked.withColumn(_FOUND, f.lit(True)), every(agree), "left")
    return found.select(*rows.columns, _FOUND)


def _perhaps(node: Mark, found: DataFrame, rows: DataFrame, query: DataFrame) -> DataFrame:
    """With a column that is true where some row of the query disagrees in no pair."""
    keys = [ref.name for ref in node.keys]
    own = list(dict.fromkeys(left for left, _ in node.values if left.name not in keys))
    asked = renamed(query.select(*keys, *(b.name for _, b in node.values)).distinct(), keys)
    agree = [*(same(ref) for ref in node.keys), *(_may_be_equal(pair) for pair in node.values)]
    wanted = [*node.keys, *own]
    names = [ref.name for ref in wanted]
    possible = rows.select(*names).distinct().join(asked, every(agree), "inner")
    flagged = renamed(possible.select(*names).distinct(), names).withColumn(_PERHAPS, f.lit(True))
    back = found.join(flagged, every([same(ref) for ref in wanted]), "left")
    return back.drop(*(other(name) for name in names))


def _may_be_equal(pair: Pair) -> Column:
    left, right = pair
    return equal(pair) | _missing(left) | _missing(right)


def _missing(ref: Ref) -> Column:
    return f.col(ref.name).isNull()
