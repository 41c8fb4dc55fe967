"""What is known of a timeline before there is data: whether it has a time point at all.

A time window of the whole stream has one, but a window in a window may have none: at 3, `win[0,0,2]` is
[2,2], `win[0,0,3]` is [3,3], and they have no time point in common. `[] p(X)` is true there for every X.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from horae.languages.lars.check.constants import NoNumber, constant_value
from horae.languages.lars.syntax.tree import (
    Always,
    At,
    Choice,
    Infinite,
    NamedWindow,
    PartitionWindow,
    Some,
    TimeWindow,
    TupleWindow,
    Window,
    WindowFunction,
)


@dataclass(frozen=True, slots=True)
class Timeline:
    """The timeline around a formula, at its reference time."""

    is_whole: bool  # that of the whole stream
    has_reference: bool  # the reference time is in it for certain
    has_points: bool  # it is not empty for certain


WHOLE = Timeline(is_whole=True, has_reference=True, has_points=True)
_CURRENT = Timeline(is_whole=False, has_reference=True, has_points=True)


def timeline_inside(formula: Window | Some | Always | At, around: Timeline) -> Timeline:
    """The timeline that the operand of a formula sees, where the formula holds."""
    match formula:
        case Window(choice=choice, function=function):
            return _cut(function, around if choice is Choice.CURRENT else WHOLE)
        case Some() | Always() | At():
            return WHOLE if around.is_whole else _CURRENT
        case _:
            assert_never(formula)


def _cut(function: WindowFunction, around: Timeline) -> Timeline:
    here = around.has_reference and _keeps_reference(function)
    some = here or (around.is_whole and isinstance(function, TimeWindow))
    return Timeline(is_whole=False, has_reference=here, has_points=some)


def _keeps_reference(function: WindowFunction) -> bool:
    """Whether a window contains its reference time, if the stream does."""
    match function:
        case TimeWindow():
            return _reaches_over_steps(function)
        case TupleWindow() | PartitionWindow():
            return True
        case NamedWindow():
            return False
        case _:
            assert_never(function)


def _reaches_over_steps(window: TimeWindow) -> bool:
    """Whether u ≥ d − 1, as far as these are constants."""
    if isinstance(window.future, Infinite):
        return True
    step, ahead = constant_value(window.step), constant_value(window.future)
    if isinstance(step, NoNumber):
        return False
    return step == 1 or (not isinstance(ahead, NoNumber) and ahead >= step - 1)
