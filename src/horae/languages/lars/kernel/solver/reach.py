"""Which time points of a timeline have to be looked at, where `<>` and `[]` range over all of them.

The timeline has no end, but only finitely many time points have atoms. Call *marks* the times of
atoms, the times behind `@`, and the ends of the window under consideration. A formula compares
distances: a window of length n tells apart what is n time points away from what is further, and a
step d tells time points apart by their remainder. Nothing else does. So, in a game of moving a time
point (as Ehrenfeucht and Fraïssé play it), two places in a gap between marks look alike to a
formula without `<>` and `[]` if both are further than

    q + P + 1    q: the sum of its lengths and steps, P: the least common multiple of its steps

from all marks, and have the same remainder by P. Each `<>` or `[]` inside can split a gap into two,
so it doubles that distance and adds P. Within `2^(n+1) * (q + P + 1)` of a mark, n counting the
nested `<>` and `[]`, stands a place that looks like any place further away; looking at those is
looking at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import lcm
from typing import assert_never

from horae.data.constants import Value
from horae.languages.lars import catalogue
from horae.languages.lars.check.window_functions import find_window
from horae.languages.lars.kernel.solver.contexts import Context
from horae.languages.lars.kernel.solver.parameters import parameters_of
from horae.languages.lars.kernel.solver.plans import parts
from horae.languages.lars.kernel.solver.truth import Marks
from horae.languages.lars.kernel.solver.values import Binding, is_time, value_of
from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Formula,
    Implies,
    NamedWindow,
    Not,
    Or,
    Some,
    TimeWindow,
    Window,
)
from horae.rules.arithmetic import Comparison
from horae.rules.terms import Atom


@dataclass(frozen=True)
class MarkReach:
    """How far from a mark to look, and marks of the formula's own."""

    distance: int
    times: tuple[int, ...]


def reach_of(formula: Formula, binding: Binding) -> MarkReach:
    """The reach of a quantifier over this formula."""
    lengths, period = 0, 1
    times: list[int] = []
    for part in parts(formula):
        match part:
            case Window():
                length, step = _window(part, binding)
                lengths, period = lengths + length, lcm(period, step)
            case At(time=term):
                time = value_of(term, binding)
                times.extend([time] if isinstance(time, int) and is_time(time) else [])
            case _:
                pass
    depth = 1 + _depth(formula)
    return MarkReach(2 ** (depth + 1) * (lengths + period + 1), tuple(times))


def _window(window: Window, binding: Binding) -> tuple[int, int]:
    parameters = parameters_of(window.function, binding)
    if parameters is None:
        return 1, 1
    match window.function:
        case TimeWindow():
            step = parameters[2]
            assert isinstance(step, int)
            return _sum(parameters), step
        case NamedWindow(name=name):
            return _sum(parameters) + _registered(name, parameters), 1
        case _:
            return 1, 1


def _sum(parameters: Iterable[Value | None]) -> int:
    return sum(abs(int(p)) + 1 for p in parameters if p is not None and not isinstance(p, str))


def _registered(name: str, parameters: tuple[Value | None, ...]) -> int:
    """A window of the registry is taken to look no further than it says, or its parameters do."""
    window = find_window(name)
    assert window is not None
    return (window.past(*parameters) or 0) + (window.future(*parameters) or 0)


def _depth(formula: Formula) -> int:
    match formula:
        case Atom() | Comparison():
            return 0
        case And(operands=operands) | Or(operands=operands):
            return max(_depth(f) for f in operands)
        case Implies(left=left, right=right):
            return max(_depth(left), _depth(right))
        case Some(operand=operand) | Always(operand=operand):
            return 1 + _depth(operand)
        case Not(operand=operand) | At(operand=operand) | Window(operand=operand):
            return _depth(operand)
        case _:
            assert_never(formula)


MOST = 10**6
FREE = 64
"""So many time points may be looked at for an evaluation time, beside some for each mark: those are in
proportion to the data, and do not grow with lengths and steps.
"""


@dataclass
class Budget:
    """How many time points the evaluation at `time` may still look at."""

    time: int
    left: int = field(default_factory=lambda: MOST)

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise catalogue.TOO_MANY_TIME_POINTS(most=MOST, time=str(self.time))


def points(context: Context, marks: Marks, reach: MarkReach, budget: Budget) -> Iterator[int]:
    """The time points of a window near marks, in order."""
    start, far = context.start, reach.distance
    last = context.end
    if last is None:
        last = max(start, *reach.times, marks.last) + far
    near = marks.between(start - far, last + far)
    for mark in sorted({start, last, *near, *reach.times}):
        budget.left += FREE
        for time in range(max(start, mark - far), min(last, mark + far) + 1):
            budget.spend()
            yield time
        start = max(start, mark + far + 1)
