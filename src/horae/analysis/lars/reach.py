"""How far from an evaluation time its rules look: what a stream must keep, and how long it must wait.

A formula is walked with two ranges relative to the evaluation time: where its reference time can be, and
where the timeline of its window can be.

    win[10,0,5] <> p        p from 14 before (the pivot may be 4 back) up to now
    @T win[+5] <> p         T is anywhere, so p is needed from any time
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import assert_never

from horae.languages.lars.program import Program
from horae.languages.lars.tree import (
    Always,
    And,
    At,
    Choice,
    Extent,
    Formula,
    Implies,
    Infinite,
    NamedWindow,
    Not,
    Or,
    PartitionWindow,
    Some,
    TimeWindow,
    TupleWindow,
    Window,
)
from horae.languages.lars.window_functions import find_window
from horae.languages.rules.arithmetic import Comparison
from horae.languages.rules.terms import Atom, Constant, Value


@dataclass(frozen=True, slots=True)
class Range:
    """Time points relative to the evaluation time; ±inf without a bound."""

    first: float
    last: float

    def __or__(self, other: Range) -> Range:
        return Range(min(self.first, other.first), max(self.last, other.last))

    def __and__(self, other: Range) -> Range:
        return Range(max(self.first, other.first), min(self.last, other.last))


NOW = Range(0, 0)
ANY = Range(-inf, inf)
_NOTHING = Range(inf, -inf)


@dataclass(frozen=True, slots=True)
class Counted:
    """A tuple or partition window. `anchored`: around the evaluation time, in the whole stream."""

    window: TupleWindow | PartitionWindow
    anchored: bool


@dataclass(frozen=True, slots=True)
class Reach:
    """`ranges`: per predicate where its atoms are looked for, through time windows.

    `counted`: the tuple and partition windows; they see atoms however old.
    """

    ranges: dict[str, Range]
    counted: tuple[Counted, ...]
    named: Range  # where registry windows look for time points with input

    def past(self, predicate: str) -> int | None:
        """How many time points back atoms matter; None: without a bound."""
        first = (self.ranges.get(predicate, NOW) | self.named).first
        return None if first == -inf else max(0, -int(first))

    @property
    def delay(self) -> int | None:
        """How long a stream must wait before an evaluation; None: for ever."""
        last = max((r.last for r in (*self.ranges.values(), self.named)), default=0)
        ahead = any(_number(c.window.future) != 0 for c in self.counted)
        return None if ahead or last == inf else max(0, int(last))


def find_reach(program: Program) -> Reach:
    """Of all bodies. Derived predicates are in it too: with `history` they are kept."""
    ranges: dict[str, Range] = {}
    counted: list[Counted] = []
    named = NOW
    for rule in program.rules:
        for formula in rule.body:
            for found in _walk(formula, NOW, ANY):
                match found:
                    case (str() as name, Range() as where):
                        ranges[name] = ranges.get(name, _NOTHING) | where
                    case Counted():
                        counted.append(found)
                    case Range():
                        named |= found
    return Reach(ranges, tuple(dict.fromkeys(counted)), named)


_Found = tuple[str, Range] | Counted | Range


def _walk(formula: Formula, reference: Range, timeline: Range) -> Iterator[_Found]:
    match formula:
        case Atom():
            yield formula.predicate, reference & timeline
        case Comparison():
            pass
        case And(operands=operands) | Or(operands=operands):
            for operand in operands:
                yield from _walk(operand, reference, timeline)
        case Implies(left=left, right=right):
            yield from _walk(left, reference, timeline)
            yield from _walk(right, reference, timeline)
        case Not(operand=operand):
            yield from _walk(operand, reference, timeline)
        case Some(operand=operand) | Always(operand=operand) | At(operand=operand):
            yield from _walk(operand, timeline, timeline)
        case Window():
            yield from _window(formula, reference, timeline)
        case _:
            assert_never(formula)


def _window(window: Window, reference: Range, timeline: Range) -> Iterator[_Found]:
    function = window.function
    whole = ANY if window.choice is Choice.ORIGINAL else timeline
    match function:
        case TimeWindow():
            inner = _around(function, reference) & whole
        case TupleWindow() | PartitionWindow():
            yield Counted(function, reference == NOW and whole == ANY)
            ahead = inf if _number(function.future) != 0 else reference.last
            inner = Range(-inf, ahead) & whole
        case NamedWindow():
            inner = _registered(function, reference) & whole
            yield inner
        case _:
            assert_never(function)
    yield from _walk(window.operand, reference, inner)


def _around(window: TimeWindow, reference: Range) -> Range:
    past, future, step = map(_number, (window.past, window.future, window.step))
    back = 0 if past is None or step is None else past + step - 1
    first = -inf if past is None or step is None else reference.first - back
    return Range(first, inf if future is None else reference.last + future)


def _registered(window: NamedWindow, reference: Range) -> Range:
    registered = find_window(window.name)
    assert registered is not None, "the checker knows the window"
    values: list[Value] = [p.value for p in window.parameters if isinstance(p, Constant)]
    if len(values) < len(window.parameters):
        return ANY
    past, future = registered.past(*values), registered.future(*values)
    first = -inf if past is None else reference.first - past
    return Range(first, inf if future is None else reference.last + future)


def _number(extent: Extent) -> int | None:
    """None where it is not a constant, or infinite."""
    if isinstance(extent, Infinite) or not isinstance(extent, Constant):
        return None
    return extent.value if isinstance(extent.value, int) else None
