"""The endless timeline, made finite and short without a loss.

`<>` and `[]` may range over infinitely many time points. They are decided on finitely many: after
some time there are no atoms but those that hold for ever, and no time that the program names.
Time points there (the tail) differ only in their distance to the beginning of the tail or to the
ends of windows, as far as windows reach, and in their place between the multiples of the steps. k
nested operators that range over time tell two distances apart only if these are smaller than the
reach doubled k times (as in a game on linear orders). So the first that many time points of the
tail show all that the others show. The same goes for a long gap between two times at which something
changes: the time points that are far from both ends look like those that are near.

A window function of the registry is taken to look as far as its parameters say, or back to an
atom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil, lcm

from horae.languages.lars.syntax.tree import (
    Always,
    Formula,
    Some,
    TimeWindow,
    Window,
    WindowFunction,
)
from horae.reference.lars.arithmetic import natural, value_of
from horae.reference.lars.failures import TooLargeError
from horae.reference.lars.spans import Span
from horae.reference.lars.variables import parameters, parts, times_in
from horae.rules.terms import Constant

_MOST_POINTS = 200_000


@dataclass(frozen=True)
class Tail:
    """It begins after the last of the `marks`, the times at which something changes, in order.

    Time points that are at most `count` away from a mark, or from an end of a window, are looked at.
    """

    marks: tuple[int, ...]
    count: int

    @property
    def last(self) -> int:
        return self.marks[-1]

    def points(self, timeline: Span) -> Iterator[int]:
        start, end = timeline
        last = max(self.last, start) + self.count if end is None else end
        near = (m for m in self.marks if start - self.count <= m <= last + self.count)
        for mark in sorted({start, last, *near}):
            until = min(last, mark + self.count)
            if until - start > _MOST_POINTS and until - mark + self.count > _MOST_POINTS:
                raise TooLargeError("windows that are too long for every time point to be tried")
            yield from range(max(start, mark - self.count), until + 1)
            start = max(start, until + 1)


def measure(formulas: Iterable[Formula], times: Iterable[int]) -> Tail:
    """The tail for ground formulas; `times` are those of atoms and of the evaluation."""
    found = list(formulas)
    named = [natural(value_of(time, {})) for formula in found for time in times_in(formula)]
    return Tail(tuple(sorted({0, *times, *named})), max(map(_count, found), default=1))


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
