"""Spark's own joins. Background relations go to every worker."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from horae.languages.cql.plan.algebra import Join, Read, Scan
from horae.spark.cql.agreement import equal, every, other, renamed, same


def join(node: Join, left: DataFrame, right: DataFrame) -> DataFrame:
    shared = [ref.name for ref in node.shared]
    there = renamed(right, shared)
    if isinstance(node.right, Scan) and node.right.read is Read.RELATION:
        there = f.broadcast(there)
    agree = [*(same(ref) for ref in node.shared), *(equal(pair) for pair in node.on)]
    joined = left.join(there, every(agree), "inner") if agree else left.crossJoin(there)
    return joined.drop(*(other(name) for name in shared))
