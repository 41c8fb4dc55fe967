"""The built-in aggregations over the values of a window, by their definitions.

Numbers are added, multiplied and divided as exact fractions and rounded once at the end, so that
an answer does not depend on the order of the values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from horae.languages.rtlola.program import BuiltinAggregation, StreamValue
from horae.reference.rtlola.operators import fit_int

Timed = tuple[Fraction, Any]


def aggregate(
    aggregation: BuiltinAggregation, entries: Sequence[Timed], counted: Any
) -> StreamValue:
    """`entries` is not empty; `counted` is the v of `count(v)`, None for the others."""
    values = [value for _, value in entries]
    match aggregation.name:
        case "count" if aggregation.argument is not None:
            return sum(1 for value in values if value == counted)
        case "integral":
            return _to_double(_integral(entries))
        case "percentile":
            return _to_double(_percentile(values, Fraction(repr(aggregation.percent))))
        case name:
            return _PLAIN[name](values)


def _to_double(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _exact(values: Sequence[Any]) -> list[Fraction]:
    return [Fraction(value) for value in values]


def _typed(values: Sequence[Any], total: Fraction) -> StreamValue:
    """The result in the type of the values."""
    return fit_int(int(total)) if isinstance(values[0], int) else _to_double(total)


def _mean(values: Sequence[Any]) -> Fraction:
    return sum(_exact(values), Fraction(0)) / len(values)


def _variance(values: Sequence[Any]) -> Fraction:
    mean = _mean(values)
    return sum(((value - mean) ** 2 for value in _exact(values)), Fraction(0)) / len(values)


def _integral(entries: Sequence[Timed]) -> Fraction:
    return sum(
        (
            (later - earlier) * (Fraction(left) + Fraction(right)) / 2
            for (earlier, left), (later, right) in pairwise(entries)
        ),
        Fraction(0),
    )


def _percentile(values: Sequence[Any], percent: Fraction) -> Fraction:
    ranked = sorted(_exact(values))
    rank = percent / 100 * (len(ranked) - 1)
    below, above = ranked[math.floor(rank)], ranked[math.ceil(rank)]
    return below + (above - below) * (rank - math.floor(rank))


_PLAIN: dict[str, Callable[[Sequence[Any]], StreamValue]] = {
    "count": len,
    "sum": lambda values: _typed(values, sum(_exact(values), Fraction(0))),
    "product": lambda values: _typed(values, math.prod(_exact(values), start=Fraction(1))),
    "avg": lambda values: _to_double(_mean(values)),
    "min": min,
    "max": max,
    "variance": lambda values: _to_double(_variance(values)),
    "stddev": lambda values: math.sqrt(_to_double(_variance(values))),
    "any": any,
    "all": all,
    "first": lambda values: values[0],
    "last": lambda values: values[-1],
    "median": lambda values: _to_double(_percentile(values, Fraction(50))),
}
