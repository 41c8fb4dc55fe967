"""The inside of `win[…]` as text, in the shortest form."""

from __future__ import annotations

from typing import assert_never

from horae.languages.lars.syntax.print_expression import print_expression
from horae.languages.lars.syntax.tree import (
    Extent,
    Infinite,
    NamedWindow,
    PartitionWindow,
    TimeWindow,
    TupleWindow,
    WindowFunction,
)
from horae.rules.arithmetic import TermExpression
from horae.rules.print_atom import print_atom
from horae.rules.terms import Constant


def print_window(function: WindowFunction) -> str:
    match function:
        case TimeWindow():
            return _time_window(function)
        case TupleWindow(past, future):
            return _counts(past, future)
        case PartitionWindow(pattern, by, past, future):
            columns = f" by {','.join(variable.name for variable in by)}" if by else ""
            return f"{print_atom(pattern)}{columns} {_counts(past, future)}"
        case NamedWindow(name, parameters):
            return f"{name} {', '.join(map(print_expression, parameters))}".strip()
        case _:
            assert_never(function)


def _time_window(window: TimeWindow) -> str:
    past, future = _extent(window.past), _extent(window.future)
    if not _is(window.step, 1):
        return f"{past},{future},{print_expression(window.step)}"
    if _is(window.future, 0):
        return past
    return f"+{future}" if _is(window.past, 0) else f"{past},{future}"


def _counts(past: TermExpression, future: TermExpression) -> str:
    if _is(future, 0):
        return f"#{print_expression(past)}"
    ahead = print_expression(future)
    return f"#+{ahead}" if _is(past, 0) else f"#{print_expression(past)},{ahead}"


def _extent(extent: Extent) -> str:
    return "inf" if isinstance(extent, Infinite) else print_expression(extent)


def _is(extent: Extent, number: int) -> bool:
    return isinstance(extent, Constant) and extent.value == number
