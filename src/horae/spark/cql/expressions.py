"""Expressions as Spark columns that never fail by themselves, whatever the session is set to.

Beside its value an expression has the text of its fault, null where there is none; AND and OR go
from the left and stop when the result is certain, as in the kernels.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import assert_never

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from horae.data.types import Type
from horae.languages.cql.kernel.faults import Fault, Kind
from horae.languages.cql.plan.algebra import Project
from horae.languages.cql.plan.expressions import (
    Checked,
    Comparison,
    Compute,
    Conjunction,
    Constant,
    Disjunction,
    Missing,
    Negation,
    Ref,
    Scalar,
    ToDouble,
    type_of,
)
from horae.rules.arithmetic import Sign
from horae.spark.cql.compare import compare
from horae.spark.cql.faults import fault_text, stop_on

SPARK_TYPES: dict[Type, str] = {
    Type.INT: "bigint",
    Type.DOUBLE: "double",
    Type.STRING: "string",
    Type.BOOL: "boolean",
}


@dataclass(frozen=True)
class Result:
    """`fault` None: it cannot fail."""

    value: Column
    fault: Column | None = None


def rows_where(rows: DataFrame, condition: Scalar) -> DataFrame:
    """Rows for which the condition is true."""
    found = result_of(condition)
    checked = stop_on(rows, [] if found.fault is None else [found.fault])
    return checked.where(found.value)


def project(node: Project, rows: DataFrame) -> DataFrame:
    found = [(ref.name, result_of(scalar)) for ref, scalar in node.columns]
    faults = [each.fault for _, each in found if each.fault is not None]
    checked = rows if node.is_lenient else stop_on(rows, faults)
    return checked.select(*(each.value.alias(name) for name, each in found))


def result_of(scalar: Scalar) -> Result:
    match scalar:
        case Ref(name=name):
            return Result(f.col(name))
        case Constant(value=value, type=type):
            return Result(f.lit(value).cast(SPARK_TYPES[type]))
        case ToDouble(operand=operand):
            found = result_of(operand)
            return Result(found.value.cast("double"), found.fault)
        case Compute():
            return _compute(scalar)
        case Comparison(comparator=comparator, left=left, right=right):
            a, b = result_of(left), result_of(right)
            truth = compare(comparator, (a.value, type_of(left)), (b.value, type_of(right)))
            return Result(truth, _either(a.fault, b.fault))
        case Missing(operand=operand):
            found = result_of(operand)
            return Result(found.value.isNull(), found.fault)
        case Negation(operand=operand):
            found = result_of(operand)
            return Result(~found.value, found.fault)
        case Conjunction(operands=operands):
            return _fold(operands, stop=False)
        case Disjunction(operands=operands):
            return _fold(operands, stop=True)
        case Checked(operands=operands, result=result):
            faults = [result_of(operand).fault for operand in operands]
            return Result(f.col(result.name), reduce(_either, faults))
        case _:
            assert_never(scalar)


def _fold(operands: tuple[Scalar, ...], *, stop: bool) -> Result:
    so_far = result_of(operands[0])
    for operand in operands[1:]:
        found = result_of(operand)
        needed = None
        if found.fault is not None:
            certain = f.coalesce(so_far.value == f.lit(stop), f.lit(False))
            needed = f.when(~certain, found.fault)
        value = so_far.value | found.value if stop else so_far.value & found.value
        so_far = Result(value, _either(so_far.fault, needed))
    return so_far


def _either(first: Column | None, second: Column | None) -> Column | None:
    if first is None or second is None:
        return second if first is None else first
    return f.coalesce(first, second)


# --- arithmetic


def _compute(scalar: Compute) -> Result:
    left, right = result_of(scalar.left), result_of(scalar.right)
    below = _either(left.fault, right.fault)
    own = _ints if scalar.type is Type.INT else _doubles
    found = own(scalar, left.value, right.value)
    return Result(found.value, _either(below, found.fault))


def _ints(scalar: Compute, left: Column, right: Column) -> Result:
    match scalar.sign:
        case Sign.PLUS:
            value = f.try_add(left, right)
        case Sign.MINUS:
            value = f.try_subtract(left, right)
        case Sign.TIMES:
            value = f.try_multiply(left, right)
        case Sign.DIVIDED:
            raise TypeError("division is double")
        case _:
            assert_never(scalar.sign)
    wrong = value.isNull() & left.isNotNull() & right.isNotNull()
    return Result(value, f.when(wrong, fault_text(Fault(Kind.OVERFLOW, scalar.site))))


def _doubles(scalar: Compute, left: Column, right: Column) -> Result:
    a, b = left.cast("double"), right.cast("double")
    value = one_zero(_apply(scalar.sign, a, b))
    text = f.when(not_finite(value), fault_text(Fault(Kind.NOT_FINITE, scalar.site)))
    if scalar.sign is Sign.DIVIDED:
        by_zero = fault_text(Fault(Kind.DIVISION, scalar.site))
        text = f.when((b == 0) & a.isNotNull(), by_zero).otherwise(text)
    return Result(value, text)


def _apply(sign: Sign, left: Column, right: Column) -> Column:
    match sign:
        case Sign.PLUS:
            return left + right
        case Sign.MINUS:
            return left - right
        case Sign.TIMES:
            return left * right
        case Sign.DIVIDED:
            return f.try_divide(left, right)
        case _:
            assert_never(sign)


def one_zero(value: Column) -> Column:
    """−0.0 is 0.0 everywhere: equal values must look equal."""
    return f.when(value == 0, f.lit(0.0)).otherwise(value)


def not_finite(value: Column) -> Column:
    return f.isnan(value) | (f.abs(value) == float("inf"))
