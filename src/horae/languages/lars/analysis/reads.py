"""Where a body looks: a formula is walked with the range of its reference time and of its timeline.

win[10,0,5] <> p        p from 14 before (the pivot may be 4 back) up to now
@T win[+5] <> p         T is anywhere, so p is needed from any time
win[#3] <> p            p among the atoms that the window counts, however old
win[9] win[#3] <> p     all input of the last 9 time points: the window counts among it
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import assert_never

from horae.data.constants import Value
from horae.languages.lars.analysis.ranges import ANY, NOW, Cause, Range, Why
from horae.languages.lars.check.constants import NoNumber, constant_value
from horae.languages.lars.check.occurrences import children
from horae.languages.lars.check.window_functions import find_window
from horae.languages.lars.syntax.tree import (
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
from horae.rules.arithmetic import Comparison
from horae.rules.terms import Atom, Constant

CountingWindow = TupleWindow | PartitionWindow


@dataclass(frozen=True, slots=True)
class AtomRead:
    """Atoms of a predicate are looked for; `counted`: only among those that a counting window has."""

    predicate: str
    where: Range
    counted: bool


@dataclass(frozen=True, slots=True)
class CountedRead:
    """A tuple or partition window. `anchored`: around the evaluation time, in the whole stream.

    `cause` says why it is not, or why it counts an unknown number.
    """

    window: CountingWindow
    anchored: bool
    where: Range
    cause: Cause | None = None


@dataclass(frozen=True, slots=True)
class InputRead:
    """All input there matters, of whatever predicate: a window decides by it what it selects."""

    where: Range


BodyRead = AtomRead | CountedRead | InputRead


def find_reads(formula: Formula) -> Iterator[BodyRead]:
    """Around the evaluation time, in the whole stream."""
    return _walk(formula, _View(NOW, ANY, counted=False))


@dataclass(frozen=True, slots=True)
class _View:
    """`counted`: the atoms of the timeline are those of a counting window."""

    reference: Range
    timeline: Range
    counted: bool


def _walk(formula: Formula, view: _View) -> Iterator[BodyRead]:
    match formula:
        case Atom():
            yield AtomRead(formula.predicate, view.reference & view.timeline, view.counted)
        case Window():
            yield from _window(formula, view)
        case Some() | Always() | At():
            anywhere = view.timeline.because(Cause(Why.NO_WINDOW, formula))
            yield from _walk(formula.operand, replace(view, reference=anywhere))
        case Comparison() | And() | Or() | Implies() | Not():
            for child in children(formula):
                yield from _walk(child, view)
        case _:
            assert_never(formula)


# --- windows


def _window(window: Window, view: _View) -> Iterator[BodyRead]:
    if window.choice is Choice.ORIGINAL:
        view = replace(view, timeline=ANY, counted=False)
    match window.function:
        case TimeWindow() as function:
            inner, counts = _around(window, function, view.reference), view.counted
        case TupleWindow() | PartitionWindow() as function:
            inner, counts = _reaching(window, function, view.reference), True
            if not view.counted:
                yield _counting(window, function, view, inner & view.timeline)
        case NamedWindow() as function:
            inner, counts = _registered(window, function, view.reference), view.counted
            if not view.counted:
                yield InputRead(inner & view.timeline)
        case _:
            assert_never(window.function)
    yield from _walk(window.operand, _View(view.reference, inner & view.timeline, counts))


def _around(window: Window, function: TimeWindow, reference: Range) -> Range:
    past, future, step = map(_number, (function.past, function.future, function.step))
    back = None if past is None or step is None else past + step - 1
    why = Why.ENDLESS if isinstance(function.past, Infinite) else Why.VARIABLE
    why_ahead = Why.ENDLESS if isinstance(function.future, Infinite) else Why.VARIABLE
    return _extended(reference, window, (back, why), (future, why_ahead))


def _registered(window: Window, function: NamedWindow, reference: Range) -> Range:
    registered = find_window(function.name)
    assert registered is not None, "the checker knows the window"
    values: list[Value] = [p.value for p in function.parameters if isinstance(p, Constant)]
    if len(values) < len(function.parameters):
        return _extended(reference, window, (None, Why.VARIABLE), (None, Why.VARIABLE))
    past, future = registered.past(*values), registered.future(*values)
    return _extended(reference, window, (past, Why.REGISTERED), (future, Why.REGISTERED))


def _reaching(window: Window, function: CountingWindow, reference: Range) -> Range:
    """The timeline of a counting window begins and ends with its atoms, wherever they are."""
    future = 0 if _number(function.future) == 0 else None
    return _extended(reference, window, (None, Why.COUNTED), (future, Why.COUNTED))


_Length = tuple[int | None, Why]
"""None: no bound, and why."""


def _extended(reference: Range, window: Window, past: _Length, future: _Length) -> Range:
    """The range around a reference; an end stays as it is where the window adds nothing to it."""
    first, because = _end(past, reference.past, window)
    last, because_ahead = _end(future, reference.ahead, window)
    return Range(reference.first - first, reference.last + last, because, because_ahead)


def _end(length: _Length, cause: Cause | None, window: Window) -> tuple[float, Cause | None]:
    number, why = length
    if number is None:
        return inf, Cause(why, window)
    if cause is None and number > 0:
        return number, Cause(Why.LENGTH, window)
    return number, cause


def _counting(
    window: Window, function: CountingWindow, view: _View, inner: Range
) -> CountedRead | InputRead:
    """In a timeline that begins somewhere, the window counts among the input from there on."""
    if inner.first > -inf:
        return InputRead(inner)
    cause = _not_anchored(window, function, view)
    return CountedRead(function, cause is None, inner, cause)


def _not_anchored(window: Window, function: CountingWindow, view: _View) -> Cause | None:
    if not (isinstance(function.past, Constant) and isinstance(function.future, Constant)):
        return Cause(Why.VARIABLE, window)
    if view.reference != NOW:
        return Cause(Why.ELSEWHERE, window)
    return view.timeline.past if view.timeline != ANY else None


def _number(extent: Extent) -> int | None:
    """The size as a number; None where it is not a constant, or infinite."""
    if isinstance(extent, Infinite):
        return None
    value = constant_value(extent)
    if isinstance(value, NoNumber) or value.denominator != 1:
        return None
    return int(value)
