"""Windows: constant sizes are whole numbers, columns are those of the pattern, names are registered.

Also the times of `@`, which are whole numbers as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from horae.data.natural_times import LAST
from horae.languages.lars.check import catalogue_checks as catalogue
from horae.languages.lars.check.constants import NoNumber, constant_value
from horae.languages.lars.check.occurrences import formulas_of, walk
from horae.languages.lars.check.window_functions import find_window, window_names
from horae.languages.lars.syntax.tree import (
    At,
    Extent,
    Infinite,
    NamedWindow,
    PartitionWindow,
    Rule,
    TimeWindow,
    TupleWindow,
    Window,
    WindowFunction,
)
from horae.rules.terms import Constant, Term
from horae.source.diagnostic import Diagnostic
from horae.source.suggest import did_you_mean


def check_windows(rule: Rule) -> Iterator[Diagnostic]:
    for formula in formulas_of(rule):
        for part in walk(formula):
            if isinstance(part, Window):
                yield from _check_function(part.function)
            elif isinstance(part, At):
                yield from _check_time(part.time)


def _check_function(function: WindowFunction) -> Iterator[Diagnostic]:
    match function:
        case TimeWindow(past, future, step):
            yield from _check_size(past, "the length of a window")
            yield from _check_size(future, "the length of a window")
            yield from _check_size(step, "the step of a window", least=1)
        case TupleWindow(past, future):
            yield from _check_size(past, "a number of atoms")
            yield from _check_size(future, "a number of atoms")
        case PartitionWindow(past=past, future=future):
            yield from _check_size(past, "a number of atoms")
            yield from _check_size(future, "a number of atoms")
            yield from _check_columns(function)
        case NamedWindow():
            yield from _check_name(function)
        case _:
            assert_never(function)


def _check_size(size: Extent, what: str, least: int = 0) -> Iterator[Diagnostic]:
    if isinstance(size, Infinite):
        return
    value = constant_value(size)
    if isinstance(value, NoNumber):
        if value is NoNumber.UNDEFINED:
            yield catalogue.WRONG_SIZE(size.span, what=what, least=least, help=catalogue.NO_SIZE)
    elif value.denominator != 1:
        yield catalogue.WRONG_SIZE(size.span, what=what, least=least, help=catalogue.BROKEN_SIZE)
    elif value < least:
        help = catalogue.NO_STEP if least else catalogue.NEGATIVE_SIZE
        yield catalogue.WRONG_SIZE(size.span, what=what, least=least, help=help)
    elif value > LAST:
        yield catalogue.too_large(what, size.span)


def _check_columns(window: PartitionWindow) -> Iterator[Diagnostic]:
    columns = window.pattern.variables
    for variable in window.by:
        if variable.name not in columns:
            yield catalogue.unknown_column(
                variable.name, window.pattern.predicate, variable.span, window.pattern.span
            )


def _check_name(window: NamedWindow) -> Iterator[Diagnostic]:
    known = find_window(window.name)
    if known is None:
        similar = did_you_mean(window.name, window_names())
        yield catalogue.unknown_window(window.name, window.span, similar, window_names())
    elif len(known.parameters) != len(window.parameters):
        yield catalogue.wrong_parameters(
            window.name, known.parameters, len(window.parameters), window.span
        )


def _check_time(time: Term) -> Iterator[Diagnostic]:
    match time:
        case Constant(int() as number) if number >= 0:
            if number > LAST:
                yield catalogue.too_large(catalogue.A_TIME_POINT, time.span)
        case Constant():
            yield catalogue.NO_TIME_POINT(time.span)
        case _:
            return
