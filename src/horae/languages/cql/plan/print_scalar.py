"""Expressions over columns as text, near to how they were written."""

from __future__ import annotations

from typing import assert_never

from horae.languages.cql.plan.expressions import (
    CheckedScalar,
    Compute,
    Conjunction,
    Disjunction,
    Missing,
    Negation,
    Ref,
    Scalar,
    ScalarComparison,
    ScalarConstant,
    ToDouble,
)


def print_scalar(scalar: Scalar) -> str:
    match scalar:
        case Ref(name=name):
            return name
        case ScalarConstant(value=value):
            return _constant(value)
        case ToDouble(operand=operand):
            return f"double({print_scalar(operand)})"
        case Compute(sign=sign, left=left, right=right):
            return f"({print_scalar(left)} {sign.value} {print_scalar(right)})"
        case ScalarComparison(comparator=comparator, left=left, right=right):
            return f"{print_scalar(left)} {comparator.value} {print_scalar(right)}"
        case Missing(operand=operand):
            return f"{print_scalar(operand)} IS NULL"
        case Negation(operand=operand):
            return f"NOT ({print_scalar(operand)})"
        case Conjunction(operands=operands):
            return " AND ".join(_inside(operand) for operand in operands)
        case Disjunction(operands=operands):
            return " OR ".join(_inside(operand) for operand in operands)
        case CheckedScalar(result=result):
            return result.name
        case _:
            assert_never(scalar)


def _inside(scalar: Scalar) -> str:
    text = print_scalar(scalar)
    return f"({text})" if isinstance(scalar, Conjunction | Disjunction) else text


def _constant(value: int | float | str | bool) -> str:
    match value:
        case bool():
            return str(value).upper()
        case str():
            return "'" + value.replace("'", "''") + "'"
        case _:
            return repr(value)
