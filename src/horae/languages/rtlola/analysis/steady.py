"""Streams that are sure to be extended again, and how soon: who counts their values can wait for them.

A stream at a rate has no value at a tick where something that it reads barely has none yet. So one
that always finds a value is steady from the start. Another is so from its first value on, if what it
found then is never lost: inputs keep their latest value, and so do outputs that never end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from horae.languages.rtlola.program import (
    Always,
    Chain,
    Conditional,
    Expression,
    Follows,
    Hold,
    Offset,
    Output,
    Periodic,
    Program,
    Quantified,
    TimeOffset,
    When,
    Window,
    children,
)


@dataclass(frozen=True, slots=True)
class Steady:
    """Extended at least every `period` seconds, each instance while it is active.

    `from_start`: from the first tick of its life on; else from its first value on.
    """

    period: Fraction
    from_start: bool


def find_steady(program: Program, name: str) -> Steady | None:
    """How a stream goes on; None if nothing says that there will be another value."""
    return _steady(program, name, frozenset())


def _steady(program: Program, name: str, visited: frozenset[str]) -> Steady | None:
    output = _output(program, name)
    if output is None or name in visited or not _keeps_values(program, output):
        return None
    found: Iterator[Steady]
    match output.pace:
        case Periodic(period=period):
            found = iter((Steady(period, not _bare_targets(output)),))
        case Follows():
            found = _followed(program, output, visited | {name})
        case When() | Always():
            return None
        case _:
            assert_never(output.pace)
    return min(found, key=lambda steady: steady.period, default=None)


def _output(program: Program, name: str) -> Output | None:
    return next((o for o in program.outputs if o.name == name), None)


def _followed(program: Program, output: Output, visited: frozenset[str]) -> Iterator[Steady]:
    """What it follows without naming an instance.

    A stream that starts late must be one without whose value this one has none: else this one's
    first value says nothing of the other.
    """
    assert isinstance(output.pace, Follows)
    needed = _bare_targets(output)
    for access in output.pace.accesses:
        if (
            isinstance(access, Quantified)
            or access.target.arguments
            or access.target.every_instance
        ):
            continue
        steady = _steady(program, access.target.stream, visited)
        if steady is not None and (steady.from_start or access.target.stream in needed):
            yield Steady(steady.period, steady.from_start and not needed)


# --- what a value needs


def _keeps_values(program: Program, output: Output) -> bool:
    """Where it had a value it finds one again: what it reads barely lasts, and was read already."""
    bare = _bare_targets(output)
    if not bare:
        return True
    sure = {hold.target.stream for hold in _bare(output.expression, certain=True)}
    return _lasts(output) and bare <= sure and all(_is_kept(program, name) for name in bare)


def _is_kept(program: Program, name: str) -> bool:
    output = _output(program, name)
    return output is None or _lasts(output)


def _lasts(output: Output) -> bool:
    """There is one instance, from the start and for ever."""
    template = output.template
    return not template.parameters and not template.invoke and template.terminate is None


def _bare_targets(output: Output) -> set[str]:
    return {hold.target.stream for hold in _bare(output.expression, certain=False)}


def _bare(expression: Expression, *, certain: bool) -> Iterator[Hold]:
    """The accesses without a default; `certain`: those that every evaluation comes to."""
    if isinstance(expression, Quantified):
        return
    if isinstance(expression, Hold) and expression.default is None:
        yield expression
    for child in _always_evaluated(expression) if certain else children(expression):
        yield from _bare(child, certain=certain)


def _always_evaluated(expression: Expression) -> tuple[Expression, ...]:
    match expression:
        case Conditional(branches=(branch, *_)):
            return (branch.condition,)
        case Chain(first=first) if expression.logic is not None:
            return (first,)
        case Hold() | Offset() | TimeOffset() | Window():
            return expression.target.arguments
        case _:
            return children(expression)
