"""What a ground head says about which atoms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Choice,
    Formula,
    Implies,
    Not,
    Or,
    Some,
    Window,
)
from horae.reference.lars.arithmetic import natural, value_of
from horae.reference.lars.entailment import ground_atom
from horae.reference.lars.failures import TooLargeError
from horae.reference.lars.spans import Span, contains
from horae.reference.lars.variables import parts
from horae.reference.lars.windows import EVERYTHING, View, cut
from horae.rules.arithmetic import Comparison
from horae.rules.terms import Atom


def mentions(head: Formula, time: int) -> frozenset[TimedAtom]:
    """The atoms on which the truth of a head depends."""
    return frozenset(_mentions(head, time, EVERYTHING))


def demands(head: Formula, time: int) -> frozenset[TimedAtom]:
    """Atoms that hold wherever the head does."""
    return frozenset(_demands(head, time, EVERYTHING))


def _mentions(formula: Formula, time: int, view: View) -> Iterator[TimedAtom]:
    match formula:
        case Atom():
            if contains(view.timeline, time):
                yield TimedAtom(time, *ground_atom(formula))
        case Comparison():
            pass
        case And() | Or() | Not() | Implies():
            for part in parts(formula):
                yield from _mentions(part, time, view)
        case Some(operand=operand) | Always(operand=operand):
            for moment in _points(view.timeline):
                yield from _mentions(operand, moment, view)
        case At(operand=operand):
            yield from _mentions(operand, *_jump(formula, view))
        case Window(operand=operand):
            yield from _mentions(operand, time, _enter(formula, time, view))
        case _:
            assert_never(formula)


def _demands(formula: Formula, time: int, view: View) -> Iterator[TimedAtom]:
    match formula:
        case Atom():
            yield from _mentions(formula, time, view)
        case And(operands=operands):
            for operand in operands:
                yield from _demands(operand, time, view)
        case Always(operand=operand):
            for moment in _points(view.timeline):
                yield from _demands(operand, moment, view)
        case At(operand=operand):
            yield from _demands(operand, *_jump(formula, view))
        case Window(operand=operand):
            yield from _demands(operand, time, _enter(formula, time, view))
        case Comparison() | Not() | Or() | Implies() | Some():
            pass
        case _:
            assert_never(formula)


def _points(timeline: Span) -> range:
    start, end = timeline
    if end is None:
        raise TooLargeError("a head speaks of infinitely many time points")
    return range(start, end + 1)


def _jump(formula: At, view: View) -> tuple[int, View]:
    """`@T` out of the window is false: no atom behind it matters."""
    moment = natural(value_of(formula.time, {}))
    return moment, view if contains(view.timeline, moment) else View((1, 0))


def _enter(formula: Window, time: int, view: View) -> View:
    """Heads have time windows only: these do not depend on data."""
    source = view if formula.choice is Choice.CURRENT else EVERYTHING
    return cut(formula.function, source, time, [])
