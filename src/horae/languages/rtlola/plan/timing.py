"""The ticks that time is counted in: fine enough for every constant of the program and for the input."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from horae.languages.rtlola.program import (
    Expression,
    Periodic,
    Program,
    TimeOffset,
    When,
    Window,
    walk,
)


def resolution(program: Program, decimals: int, origin: Fraction = Fraction(0)) -> int:
    """Ticks per second: every time of that many decimals and every duration is a whole number."""
    return lcm(10**decimals, origin.denominator, *(d.denominator for d in durations(program)))


def durations(program: Program) -> Iterator[Fraction]:
    """Every period, window and real-time offset, in seconds."""
    for output in program.outputs:
        for clause in (output.pace, output.template.terminate):
            match clause:
                case Periodic(period=period):
                    yield period
                case When(condition=condition):
                    yield from _durations_in(condition)
                case _:
                    pass
        yield from _durations_in(output.expression)
    for trigger in program.triggers:
        yield from _durations_in(trigger.condition)


def _durations_in(expression: Expression) -> Iterator[Fraction]:
    for node in walk(expression):
        if isinstance(node, TimeOffset | Window):
            yield node.seconds
