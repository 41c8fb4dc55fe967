"""COUNT, SUM, AVG, MIN and MAX of the values of a group. Nulls are skipped.

Numbers are added as exact fractions and rounded once, so that the order of the rows has no say.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, assert_never

from horae.data.types import Type
from horae.languages.cql.syntax.tree import Aggregation
from horae.reference.cql.rows import Value


def aggregate(
    function: Aggregation, values: Iterable[Value], type: Type, distinct: bool
) -> int | float | str | None:
    """An aggregate of values of this type; of none it is 0 for COUNT, else null."""
    present: Sequence[Any] = [value for value in values if value is not None]
    if distinct:
        present = list(dict.fromkeys(present))
    if function is Aggregation.COUNT:
        return len(present)
    return _of_some(function, present, type) if present else None


def _of_some(function: Aggregation, values: Sequence[Any], type: Type) -> Any:
    match function:
        case Aggregation.SUM:
            return sum(values) if type is Type.INT else _rounded(_total(values))
        case Aggregation.AVG:
            return _rounded(_total(values) / len(values))
        case Aggregation.MIN:
            return min(values)
        case Aggregation.MAX:
            return max(values)
        case Aggregation.COUNT:
            return len(values)
        case _:
            assert_never(function)


def _total(values: Sequence[Any]) -> Fraction:
    return sum((Fraction(value) for value in values), Fraction(0))


def _rounded(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
