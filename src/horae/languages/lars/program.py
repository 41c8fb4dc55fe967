"""A checked LARS program. Data only; every later floor reads this.

Safe: every variable of a rule is bound by a positive part of its body. Predicates that occur in a
head are *derived* (intensional); all others are *input* (extensional).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from horae.data.clock import TIME_POINTS, Clock
from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Fact,
    Formula,
    Implies,
    Not,
    Or,
    Rule,
    Some,
    Window,
)
from horae.rules.arithmetic import Comparison
from horae.rules.terms import Atom
from horae.source.text import Source


@dataclass(frozen=True, slots=True)
class Program:
    source: Source
    rules: tuple[Rule, ...]
    facts: tuple[Fact, ...]
    queries: tuple[str, ...]  # the predicates to answer: those of `?-`, else all derived ones
    arities: dict[str, int]
    has_durations: bool = False
    precision: str = "s"  # the size of a time point, which durations have been counted in
    clock: Clock = TIME_POINTS  # how times of the input are read

    @property
    def counts_seconds(self) -> bool:
        """Whether something says that time points are parts of a second: a duration, or a precision."""
        return self.has_durations or self.precision != "s"

    @property
    def derived(self) -> frozenset[str]:
        return frozenset(a.predicate for r in self.rules if r.head for a in atoms(r.head))


def atoms(formula: Formula) -> Iterator[Atom]:
    """The atoms of a formula in the order of the text; patterns of windows are not among them."""
    match formula:
        case Atom():
            yield formula
        case Comparison():
            pass
        case And(operands=operands) | Or(operands=operands):
            for operand in operands:
                yield from atoms(operand)
        case Implies(left=left, right=right):
            yield from atoms(left)
            yield from atoms(right)
        case (
            Not(operand=operand)
            | Some(operand=operand)
            | Always(operand=operand)
            | At(operand=operand)
            | Window(operand=operand)
        ):
            yield from atoms(operand)
        case _:
            assert_never(formula)
