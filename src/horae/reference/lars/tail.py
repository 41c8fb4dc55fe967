"""The endless timeline, made finite without a loss.

`<>` and `[]` may range over infinitely many time points. They are decided on finitely many: after
some time there are no atoms but those that hold for ever, and no time that the program names.
Time points there (the tail) differ only in their distance to the beginning of the tail or to the
ends of windows, as far as windows reach, and in their place between the multiples of the steps. k
nested operators that range over time tell two distances apart only if these are smaller than the
reach doubled k times (as in a game on linear orders). So the first that many time points of the
tail show all that the others show.

A window function of the registry is taken to look as far as its parameters say, or back to an
atom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil, lcm

from horae.languages.lars.tree import (
    Always,
    Formula,
    Some,
    TimeWindow,
    Window,
    WindowFunction,
)
from horae.languages.rules.terms import Constant
from horae.reference.lars.arithmetic import natural, value_of
from horae.reference.lars.spans import Span
from horae.reference.lars.variables import parameters, parts, times_in


@dataclass(frozen=True)
class Tail:
    """It begins after `last`; `count` time points of it are looked at."""

    last: int
    count: int

    def points(self, timeline: Span) -> range:
        start, end = timeline
        return range(start, 1 + (max(self.last, start) + self.count if end is None else end))


def measure(formulas: Iterable[Formula], times: Iterable[int]) -> Tail:
    """The tail for ground formulas; `times` are those of atoms and of the evaluation."""
    found = list(formulas)
    named = [natural(value_of(time, {})) for formula in found for time in times_in(formula)]
    return Tail(max([*times, *named], default=0), max(map(_count, found), default=1))


def far_end(tail: Tail, formulas: Iterable[Formula]) -> int:
    """No window reaches further: each nested one may begin at the end of what was looked at before."""
    nesting = max(map(_nesting, formulas), default=0)
    return tail.last + (nesting + 2) * tail.count


def _count(formula: Formula) -> int:
    reach = sum(_lengths(formula)) + lcm(*_steps(formula)) + 1
    return reach << (_nesting(formula) + 1)


def _nesting(formula: Formula) -> int:
    deepest = max(map(_nesting, parts(formula)), default=0)
    return deepest + isinstance(formula, Some | Always)


def _lengths(formula: Formula) -> Iterator[int]:
    for function in _windows(formula):
        values = [value_of(parameter, {}) for parameter in parameters(function)]
        yield from (ceil(value) for value in values if not isinstance(value, str))


def _steps(formula: Formula) -> Iterator[int]:
    for function in _windows(formula):
        match function:
            case TimeWindow(step=Constant(value=int(step))):
                yield step
            case _:
                pass


def _windows(formula: Formula) -> Iterator[WindowFunction]:
    if isinstance(formula, Window):
        yield formula.function
    for part in parts(formula):
        yield from _windows(part)
