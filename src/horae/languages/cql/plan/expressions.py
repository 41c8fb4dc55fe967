"""Expressions over named columns: what the algebra computes per row. Data only.

Columns have names that are unique in a plan, so an expression needs no scopes: outer columns,
groups and aggregates are columns like any other. Conditions are expressions of type bool that may
be null (unknown).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import assert_never

from horae.data.types import Type
from horae.rules.arithmetic import Comparator, Sign


@dataclass(frozen=True, slots=True)
class Site:
    """Where in the program a value is computed: for the message when it cannot be."""

    text: str
    place: str


@dataclass(frozen=True, slots=True)
class Ref:
    """A column. `nullable`: it comes from an aggregate that may have had no rows."""

    name: str
    type: Type
    nullable: bool = False


@dataclass(frozen=True, slots=True)
class ScalarConstant:
    value: int | float | str | bool
    type: Type


@dataclass(frozen=True, slots=True)
class ToDouble:
    """An int where a double is wanted."""

    operand: Scalar


@dataclass(frozen=True, slots=True)
class Compute:
    sign: Sign
    left: Scalar
    right: Scalar
    type: Type
    site: Site = field(compare=False)


@dataclass(frozen=True, slots=True)
class ScalarComparison:
    """Of numbers exactly, also of an int with a double; null if a side is null."""

    comparator: Comparator
    left: Scalar
    right: Scalar


@dataclass(frozen=True, slots=True)
class Missing:
    operand: Scalar


@dataclass(frozen=True, slots=True)
class Negation:
    operand: Scalar


@dataclass(frozen=True, slots=True)
class Conjunction:
    """From the left; what stands after a false operand is not computed."""

    operands: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Disjunction:
    """From the left; what stands after a true operand is not computed."""

    operands: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class CheckedScalar:
    """`result`, which was found with these operands; it fails where they fail.

    So a condition left of `10 / x IN (…)` protects it, though the values were computed before.
    """

    operands: tuple[Scalar, ...]
    result: Ref


Scalar = (
    Ref
    | ScalarConstant
    | ToDouble
    | Compute
    | ScalarComparison
    | Missing
    | Negation
    | Conjunction
    | Disjunction
    | CheckedScalar
)


def type_of(scalar: Scalar) -> Type:
    match scalar:
        case Ref() | ScalarConstant() | Compute():
            return scalar.type
        case ToDouble():
            return Type.DOUBLE
        case ScalarComparison() | Missing() | Negation() | Conjunction() | Disjunction():
            return Type.BOOL
        case CheckedScalar(result=result):
            return result.type
        case _:
            assert_never(scalar)


def scalar_parts(scalar: Scalar) -> tuple[Scalar, ...]:
    match scalar:
        case Ref() | ScalarConstant():
            return ()
        case ToDouble(operand=operand) | Missing(operand=operand) | Negation(operand=operand):
            return (operand,)
        case Compute(left=left, right=right) | ScalarComparison(left=left, right=right):
            return left, right
        case Conjunction(operands=operands) | Disjunction(operands=operands):
            return operands
        case CheckedScalar(operands=operands, result=result):
            return *operands, result
        case _:
            assert_never(scalar)


def refs_of(scalar: Scalar) -> Iterator[Ref]:
    """In the order of the text; a column that occurs twice comes twice."""
    if isinstance(scalar, Ref):
        yield scalar
    for part in scalar_parts(scalar):
        yield from refs_of(part)


def is_nullable(scalar: Scalar) -> bool:
    match scalar:
        case Missing():
            return False
        case CheckedScalar(result=result):
            return result.nullable
        case _:
            return any(ref.nullable for ref in refs_of(scalar))


def can_fail(scalar: Scalar) -> bool:
    """Division by zero, overflow: only arithmetic fails."""
    return isinstance(scalar, Compute) or any(can_fail(part) for part in scalar_parts(scalar))
