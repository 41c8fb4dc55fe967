"""Conditions in the three-valued logic of SQL: True, False, or None for unknown.

`AND` and `OR` look at their operands from the left and stop as soon as the result is certain, so that a
condition can protect a division to its right.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, assert_never

from horae.languages.cql.program import (
    And,
    Body,
    Compare,
    Condition,
    Exists,
    Holds,
    In,
    IsNull,
    Not,
    Or,
)
from horae.reference.cql.expressions import Environment, value_of
from horae.reference.cql.rows import Row, Value
from horae.rules.arithmetic import Comparator

Truth = bool | None
Subquery = Callable[[Body, Environment], Sequence[Row]]
"""The rows of a query inside a condition, for the environment around it."""

_COMPARE: dict[Comparator, Callable[[Any, Any], bool]] = {
    Comparator.EQUAL: operator.eq,
    Comparator.UNEQUAL: operator.ne,
    Comparator.LESS: operator.lt,
    Comparator.AT_MOST: operator.le,
    Comparator.GREATER: operator.gt,
    Comparator.AT_LEAST: operator.ge,
}


def truth_of(condition: Condition, around: Environment, subquery: Subquery) -> Truth:
    match condition:
        case Compare(comparator=comparator, left=left, right=right):
            return _compare(comparator, value_of(left, around), value_of(right, around))
        case Holds(value=value):
            return _truth(value_of(value, around))
        case IsNull(value=value):
            return value_of(value, around) is None
        case Not(operand=operand):
            return _not(truth_of(operand, around, subquery))
        case And(operands=operands):
            return _all(truth_of(operand, around, subquery) for operand in operands)
        case Or(operands=operands):
            return _any(truth_of(operand, around, subquery) for operand in operands)
        case Exists(query=query):
            return len(subquery(query, around)) > 0
        case In(values=values, query=query):
            found = tuple(value_of(value, around) for value in values)
            return _any(_equal(found, row) for row in subquery(query, around))
        case _:
            assert_never(condition)


def _compare(comparator: Comparator, left: Value, right: Value) -> Truth:
    if left is None or right is None:
        return None
    return _COMPARE[comparator](left, right)


def _equal(left: Row, right: Row) -> Truth:
    return _all(_compare(Comparator.EQUAL, *pair) for pair in zip(left, right, strict=True))


def _truth(value: Value) -> Truth:
    assert value is None or isinstance(value, bool)
    return value


def _not(truth: Truth) -> Truth:
    return None if truth is None else not truth


def _all(truths: Iterable[Truth]) -> Truth:
    """False if one is false, else unknown if one is unknown."""
    result: Truth = True
    for truth in truths:
        if truth is False:
            return False
        if truth is None:
            result = None
    return result


def _any(truths: Iterable[Truth]) -> Truth:
    """True if one is true, else unknown if one is unknown."""
    return _not(_all(_not(truth) for truth in truths))
