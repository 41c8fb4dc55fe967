"""Heads: what is derived must be finitely many atoms, and known before the windows are cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from horae.languages.lars.check import catalogue_checks as catalogue
from horae.languages.lars.check.occurrences import children
from horae.languages.lars.syntax.tree import (
    Always,
    Choice,
    Formula,
    Infinite,
    NamedWindow,
    PartitionWindow,
    Rule,
    Some,
    TimeWindow,
    TupleWindow,
    Window,
    WindowFunction,
)
from horae.rules.arithmetic import Comparison
from horae.source.diagnostic import Diagnostic


def check_head(rule: Rule) -> Iterator[Diagnostic]:
    if rule.head is not None:
        yield from _check(rule.head, ends=False)


def _check(formula: Formula, ends: bool) -> Iterator[Diagnostic]:
    """`ends`: whether the timeline of the stream under consideration has an end."""
    match formula:
        case Comparison(span=span):
            yield catalogue.COMPARISON_IN_HEAD(span)
        case Some(span=span) if not ends:
            yield catalogue.ENDLESS_HEAD(span, operator="<>")
        case Always(span=span) if not ends:
            yield catalogue.ENDLESS_HEAD(span, operator="[]")
        case Window(choice=choice, function=function, operand=operand):
            yield from _check_function(formula)
            yield from _check(operand, _ends(function) or (ends and choice is Choice.CURRENT))
            return
        case _:
            pass
    for child in children(formula):
        yield from _check(child, ends)


def _check_function(window: Window) -> Iterator[Diagnostic]:
    match window.function:
        case TimeWindow():
            return
        case TupleWindow(span=span) | PartitionWindow(span=span):
            yield catalogue.WINDOW_IN_HEAD(span, what="a window that counts atoms")
        case NamedWindow(name, span=span):
            yield catalogue.WINDOW_IN_HEAD(span, what=f"the window `{name}`")
        case _:
            assert_never(window.function)


def _ends(function: WindowFunction) -> bool:
    """Windows of the past end now; one that is refused anyway needs no second message."""
    return not (isinstance(function, TimeWindow) and isinstance(function.future, Infinite))
