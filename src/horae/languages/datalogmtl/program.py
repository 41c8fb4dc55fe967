"""A checked DatalogMTL program. Data only; every later floor reads this.

`strata` orders the derived predicates such that a rule needs negated predicates of lower strata only.
The rules are as written (nested operators and heads); `normal.py` rewrites them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from horae.data.clock import SECONDS, Clock
from horae.languages.datalogmtl.syntax.tree import Binary, Fact, Formula, Modal, Rule
from horae.rules.terms import Atom
from horae.source.text import Source


@dataclass(frozen=True, slots=True)
class Program:
    source: Source
    rules: tuple[Rule, ...]
    facts: tuple[Fact, ...]
    queries: tuple[str, ...]  # the predicates to answer: those of `?-`, else all derived ones
    arities: dict[str, int]
    strata: tuple[frozenset[str], ...]  # of derived predicates, lowest first
    clock: Clock = SECONDS  # how times of the input are read

    @property
    def derived(self) -> frozenset[str]:
        return frozenset(rule.head.atom.predicate for rule in self.rules)


def atoms(formula: Formula) -> Iterator[Atom]:
    """The atoms of a formula, in the order of the text."""
    match formula:
        case Atom():
            yield formula
        case Modal(operand=operand):
            yield from atoms(operand)
        case Binary(left=left, right=right):
            yield from atoms(left)
            yield from atoms(right)
