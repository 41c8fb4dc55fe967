"""Programs and facts with all their times stretched and moved: large, close together, or far from 0.

Time is translation invariant and has no unit, so a program means the same with other times: what is
random about the small one is random about the large one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from random import Random
from typing import assert_never

from horae.data.constants import Value
from horae.data.intervals import Interval
from horae.languages.datalogmtl.syntax.parse import parse
from horae.languages.datalogmtl.syntax.print_statement import print_statement
from horae.languages.datalogmtl.syntax.tree import (
    Binary,
    Fact,
    Formula,
    Modal,
    Query,
    Rule,
    Statement,
)
from horae.rules.terms import Atom
from horae.source.text import Source

Data = Sequence[tuple[str, tuple[Value, ...], Interval]]

_FINEST = lcm(*range(1, 51))
_UNITS = (
    Fraction(10**9),  # a second in nanoseconds
    Fraction(1, 10**9),
    Fraction(1, _FINEST),
    Fraction(2**58),
    Fraction(2**61, 13),
    Fraction(10**30, 7),
)
_ORIGINS = (0, 0, 1, -1, 1_789_000_000, -(2**40))


@dataclass(frozen=True, slots=True)
class Stretched:
    """A time t becomes (t + origin) · unit, a distance d becomes d · unit."""

    unit: Fraction
    origin: int

    def time(self, time: Fraction) -> Fraction:
        return (time + self.origin) * self.unit

    def text(self, program: str) -> str:
        tree, wrong = parse(Source("program", program))
        assert tree is not None, wrong
        return "\n".join(print_statement(self._statement(s)) for s in tree.statements) + "\n"

    def facts(self, facts: Data) -> list[tuple[str, tuple[Value, ...], Interval]]:
        return [(name, arguments, self.moved(when)) for name, arguments, when in facts]

    def moved(self, interval: Interval) -> Interval:
        low, high = (None if e is None else self.time(e) for e in (interval.low, interval.high))
        return replace(interval, low=low, high=high)

    def _longer(self, interval: Interval) -> Interval:
        low, high = (None if e is None else e * self.unit for e in (interval.low, interval.high))
        return replace(interval, low=low, high=high)

    def _statement(self, statement: Statement) -> Statement:
        match statement:
            case Fact(interval=interval):
                return replace(statement, interval=self.moved(interval))
            case Query():
                return statement
            case Rule(head=head, body=body):
                boxes = tuple((box, self._longer(interval)) for box, interval in head.boxes)
                literals = tuple(replace(b, formula=self._formula(b.formula)) for b in body)
                return replace(statement, head=replace(head, boxes=boxes), body=literals)
            case _:
                assert_never(statement)

    def _formula(self, formula: Formula) -> Formula:
        match formula:
            case Atom():
                return formula
            case Modal(interval=interval, operand=operand):
                inner = self._formula(operand)
                return replace(formula, interval=self._longer(interval), operand=inner)
            case Binary(interval=interval, left=left, right=right):
                reach, one, other = (
                    self._longer(interval),
                    self._formula(left),
                    self._formula(right),
                )
                return replace(formula, interval=reach, left=one, right=other)
            case _:
                assert_never(formula)


def random_stretch(rng: Random) -> Stretched:
    return Stretched(rng.choice(_UNITS), rng.choice(_ORIGINS))
