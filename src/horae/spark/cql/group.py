"""GROUP BY by Spark, and exact sums: ints as decimals, doubles as lists that workers add up."""

from __future__ import annotations

from typing import assert_never

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql import types as t

from horae.data.types import Type
from horae.languages.cql.kernel.faults import Fault, Kind
from horae.languages.cql.plan.algebra import Group, Measure
from horae.languages.cql.syntax.tree import Aggregation
from horae.spark.cql.agreement import every, other, renamed, same
from horae.spark.cql.expressions import not_finite
from horae.spark.cql.faults import fault_text, stop_on
from horae.spark.cql.sums import FinishSums


def group(node: Group, rows: DataFrame, context: DataFrame | None) -> DataFrame:
    keys = [key.name for key in node.keys]
    measures = [_measure(measure).alias(measure.result.name) for measure in node.measures]
    grouped = rows.groupBy(*keys).agg(*measures) if measures else rows.select(*keys).distinct()
    found = _checked(node, _finished(node, grouped))
    return found if context is None else _with_empty(node, found, context)


def _measure(measure: Measure) -> Column:
    if measure.argument is None:
        return f.count(f.lit(1))
    argument = f.col(measure.argument.name)
    match measure.function:
        case Aggregation.COUNT:
            return f.count_distinct(argument) if measure.distinct else f.count(argument)
        case Aggregation.SUM | Aggregation.AVG if measure.argument.type is Type.DOUBLE:
            return f.collect_set(argument) if measure.distinct else f.collect_list(argument)
        case Aggregation.SUM:
            return _total(argument, measure.distinct)
        case Aggregation.AVG:
            count = f.count_distinct(argument) if measure.distinct else f.count(argument)
            total = _total(argument, measure.distinct)
            return f.struct(total.alias("total"), count.alias("count"))
        case Aggregation.MIN:
            return f.min(argument)
        case Aggregation.MAX:
            return f.max(argument)
        case _:
            assert_never(measure.function)


def _total(argument: Column, distinct: bool) -> Column:
    """Of 20 digits, so that 10¹⁰ rows have room."""
    exact = argument.cast("decimal(20,0)")
    return f.sum_distinct(exact) if distinct else f.sum(exact)


def _finished(node: Group, grouped: DataFrame) -> DataFrame:
    """Lists and totals become doubles."""
    open_ones = [m for m in node.measures if _is_double(m)]
    if not open_ones:
        return grouped
    lists = {m.result.name: m.function for m in open_ones if _argument_type(m) is Type.DOUBLE}
    totals = tuple(m.result.name for m in open_ones if m.result.name not in lists)
    fields = [
        t.StructField(field.name, t.DoubleType())
        if field.name in lists or field.name in totals
        else field
        for field in grouped.schema.fields
    ]
    return grouped.mapInArrow(FinishSums(lists, totals), t.StructType(fields))


def _is_double(measure: Measure) -> bool:
    """It is computed in the workers."""
    if measure.function is Aggregation.AVG:
        return True
    return measure.function is Aggregation.SUM and _argument_type(measure) is Type.DOUBLE


def _argument_type(measure: Measure) -> Type | None:
    return None if measure.argument is None else measure.argument.type


def _checked(node: Group, found: DataFrame) -> DataFrame:
    """Sums that cannot be represented stop the run; those of ints come back to 64 bits."""
    totals = [m for m in node.measures if m.function is Aggregation.SUM and not _is_double(m)]
    faults = [_fault(m) for m in node.measures if m in totals or _is_double(m)]
    small = {m.result.name: f.col(m.result.name).try_cast("bigint") for m in totals}
    checked = stop_on(found, faults)
    return checked.withColumns(small) if small else checked


def _fault(measure: Measure) -> Column:
    value = f.col(measure.result.name)
    if _is_double(measure):
        return f.when(not_finite(value), fault_text(Fault(Kind.NOT_FINITE, measure.site)))
    wrong = (value < -(2**63)) | (value > f.lit(2**63 - 1).cast("decimal(20,0)"))
    return f.when(wrong, fault_text(Fault(Kind.OVERFLOW, measure.site)))


def _with_empty(node: Group, found: DataFrame, context: DataFrame) -> DataFrame:
    """A group for every context. Of no rows, counts are 0 and the rest is null."""
    keys = [key.name for key in node.keys]
    there = renamed(found, keys)
    joined = context.join(there, every([same(key) for key in node.keys]), "left")
    counts = {
        m.result.name: f.coalesce(f.col(m.result.name), f.lit(0).cast("bigint"))
        for m in node.measures
        if m.function is Aggregation.COUNT
    }
    full = joined.withColumns(counts) if counts else joined
    return full.drop(*(other(name) for name in keys))
