"""Arithmetic on columns, with a mask of the rows whose result cannot be represented."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

import numpy as np
import numpy.typing as npt

from horae.data.columns import Doubles, Ints, Mask
from horae.languages.cql.kernel.faults import FaultKind
from horae.rules.arithmetic import Sign

Outcome = tuple[npt.NDArray[Any], list[tuple[FaultKind, Mask]]]


def compute_ints(sign: Sign, left: Ints, right: Ints) -> Outcome:
    with np.errstate(over="ignore"):
        match sign:
            case Sign.PLUS:
                result = left + right
                wrong = ((left ^ result) & (right ^ result)) < 0
            case Sign.MINUS:
                result = left - right
                wrong = ((left ^ right) & (left ^ result)) < 0
            case Sign.TIMES:
                result = left * right
                wrong = _overflows(left, right)
            case Sign.DIVIDED:
                raise TypeError("division is double")
            case _:
                assert_never(sign)
    return result, [(FaultKind.OVERFLOW, wrong)]


def _overflows(left: Ints, right: Ints) -> Mask:
    """Doubles tell the easy cases; where the product is large, Python's integers decide."""
    wrong = np.zeros(len(left), np.bool_)
    about = np.abs(left.astype(np.float64) * right.astype(np.float64))
    for row in np.flatnonzero(about > 2.0**62):
        wrong[row] = not -(2**63) <= int(left[row]) * int(right[row]) < 2**63
    return wrong


def compute_doubles(sign: Sign, left: Doubles, right: Doubles) -> Outcome:
    with np.errstate(all="ignore"):
        result = _apply(sign, left, right) + 0.0  # one zero
    return result, list(_wrong(sign, right, result))


def _apply(sign: Sign, left: Doubles, right: Doubles) -> Doubles:
    match sign:
        case Sign.PLUS:
            return left + right
        case Sign.MINUS:
            return left - right
        case Sign.TIMES:
            return left * right
        case Sign.DIVIDED:
            return left / right
        case _:
            assert_never(sign)


def _wrong(sign: Sign, right: Doubles, result: Doubles) -> Iterator[tuple[FaultKind, Mask]]:
    by_zero = np.zeros(len(result), np.bool_)
    if sign is Sign.DIVIDED:
        by_zero = right == 0
        yield FaultKind.DIVISION, by_zero
    yield FaultKind.NOT_FINITE, ~np.isfinite(result) & ~by_zero
