"""Arithmetic and comparison on columns of codes, exact.

Natural numbers are computed as columns; where other numbers take part, each distinct combination is
computed once with Python's integers and rationals. What has no value (text in arithmetic, division by
zero) is marked, and its rows are dropped by the caller.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any, assert_never

import numpy as np

from horae.data.columns import Mask
from horae.data.constants import Value, sort_key
from horae.data.cuts import Rows
from horae.data.natural_times import LAST
from horae.languages.lars.kernel.codes import Codes, are_time_points
from horae.languages.lars.kernel.exact import bounded_number
from horae.rules.arithmetic import Comparator, Comparison, Operation, Sign, TermExpression
from horae.rules.terms import Constant, Variable

TermColumns = Mapping[str, Rows]

_ORDER: dict[Comparator, Callable[[Any, Any], Any]] = {
    Comparator.LESS: operator.lt,
    Comparator.AT_MOST: operator.le,
    Comparator.GREATER: operator.gt,
    Comparator.AT_LEAST: operator.ge,
}


@dataclass(frozen=True, slots=True)
class Computed:
    """Codes of values, and which of them there are."""

    codes: Rows
    exists: Mask


def compute(expression: TermExpression, columns: TermColumns, size: int, codes: Codes) -> Computed:
    match expression:
        case Constant(value=value):
            return Computed(np.full(size, codes.code(value), np.int64), np.ones(size, bool))
        case Variable(name=name):
            return Computed(columns[name], np.ones(size, bool))
        case Operation(sign=sign, left=left, right=right):
            first = compute(left, columns, size, codes)
            second = compute(right, columns, size, codes)
            result = _apply(sign, first.codes, second.codes, codes)
            return Computed(result.codes, result.exists & first.exists & second.exists)
        case _:
            assert_never(expression)


def compare(comparison: Comparison, columns: TermColumns, size: int, codes: Codes) -> Mask:
    """Where both sides have a value and the comparison holds."""
    left = compute(comparison.left, columns, size, codes)
    right = compute(comparison.right, columns, size, codes)
    holds = _compare(comparison.comparator, left.codes, right.codes, codes)
    return holds & left.exists & right.exists


def _compare(comparator: Comparator, left: Rows, right: Rows, codes: Codes) -> Mask:
    if comparator is Comparator.EQUAL:
        return np.equal(left, right)
    if comparator is Comparator.UNEQUAL:
        return np.not_equal(left, right)
    ordered = _ORDER[comparator]
    if _are_numbers(left) and _are_numbers(right):
        return np.asarray(ordered(left, right))
    keys = [[sort_key(value) for value in codes.decode(side)] for side in (left, right)]
    return np.fromiter((ordered(a, b) for a, b in zip(*keys, strict=True)), bool, len(left))


# --- operations


def _apply(sign: Sign, left: Rows, right: Rows, codes: Codes) -> Computed:
    if len(left) and sign is not Sign.DIVIDED and _are_numbers(left) and _are_numbers(right):
        small = _on_naturals(sign, left, right)
        if small is not None:
            return Computed(small, np.ones(len(left), bool))
    return _one_by_one(sign, left, right, codes)


def _on_naturals(sign: Sign, left: Rows, right: Rows) -> Rows | None:
    """The results; None where one may be no natural number that is its own code."""
    if sign is Sign.MINUS:
        return left - right if bool((left >= right).all()) else None
    largest = int(left.max()), int(right.max())
    if sign is Sign.PLUS:
        return left + right if sum(largest) <= LAST else None
    return left * right if prod(largest) <= LAST else None


def _are_numbers(codes: Rows) -> bool:
    return bool(are_time_points(codes).all())


def _one_by_one(sign: Sign, left: Rows, right: Rows, codes: Codes) -> Computed:
    known: dict[tuple[int, int], int | None] = {}
    found = np.zeros(len(left), np.int64)
    exists = np.zeros(len(left), bool)
    for row, pair in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        if pair not in known:
            value = operate(sign, codes.value(pair[0]), codes.value(pair[1]))
            known[pair] = None if value is None else codes.code(value)
        code = known[pair]
        if code is not None:
            found[row], exists[row] = code, True
    return Computed(found, exists)


def operate(sign: Sign, left: Value, right: Value) -> Value | None:
    """The result of an operation; None where it has no value."""
    if isinstance(left, str) or isinstance(right, str):
        return None
    match sign:
        case Sign.PLUS:
            result: int | Fraction = left + right
        case Sign.MINUS:
            result = left - right
        case Sign.TIMES:
            result = left * right
        case Sign.DIVIDED:
            if right == 0:
                return None
            result = Fraction(left) / right
        case _:
            assert_never(sign)
    return bounded_number(result)
