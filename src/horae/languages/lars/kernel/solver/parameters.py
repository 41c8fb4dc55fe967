"""The parameters of a window, as values.

Lengths are natural numbers, and steps are at least 1. Where arithmetic or the data give something
else there is no such window: the instance of the rule does not exist.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from horae.data.constants import Value
from horae.languages.lars.kernel.solver.values import Binding, is_time, value_of
from horae.languages.lars.syntax.tree import (
    Infinite,
    NamedWindow,
    PartitionWindow,
    TimeWindow,
    TupleWindow,
    WindowFunction,
)
from horae.rules.arithmetic import TermExpression, variables_of

Parameters = tuple[Value | None, ...]
"""None is a length without a bound."""


def parameters_of(function: WindowFunction, binding: Binding) -> Parameters | None:
    """The values; None where there is no such window."""
    match function:
        case TimeWindow(past=past, future=future, step=step):
            lengths = _lengths((past, future), binding)
            by = value_of(step, binding)
            return (*lengths, by) if lengths is not None and is_time(by) and by != 0 else None
        case TupleWindow(past=past, future=future) | PartitionWindow(past=past, future=future):
            return _lengths((past, future), binding)
        case NamedWindow(parameters=parameters):
            values = tuple(value_of(p, binding) for p in parameters)
            return None if None in values else values
        case _:
            assert_never(function)


def _lengths(
    extents: tuple[TermExpression | Infinite, ...], binding: Binding
) -> tuple[Value | None, ...] | None:
    values: list[Value | None] = []
    for extent in extents:
        value = None if isinstance(extent, Infinite) else value_of(extent, binding)
        if not isinstance(extent, Infinite) and not is_time(value):
            return None
        values.append(value)
    return tuple(values)


def expressions_of(function: WindowFunction) -> Iterator[TermExpression]:
    match function:
        case TimeWindow(past=past, future=future, step=step):
            yield from (e for e in (past, future, step) if not isinstance(e, Infinite))
        case TupleWindow(past=past, future=future) | PartitionWindow(past=past, future=future):
            yield from (past, future)
        case NamedWindow(parameters=parameters):
            yield from parameters
        case _:
            assert_never(function)


def parameter_variables(function: WindowFunction) -> frozenset[str]:
    return frozenset(v.name for e in expressions_of(function) for v in variables_of(e))
