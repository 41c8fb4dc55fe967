"""How far from an evaluation time its rules look: what a stream must keep, and how long it must wait.

Derived atoms are those of the evaluation itself, so that a stream waits for input alone. With `history`
those of earlier evaluations are kept like input, but never counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from math import inf
from operator import or_
from typing import assert_never

from horae.languages.lars.analysis.ranges import NOW, Range
from horae.languages.lars.analysis.reads import (
    AtomRead,
    BodyRead,
    CountedRead,
    InputRead,
    find_reads,
)
from horae.languages.lars.program import Program
from horae.languages.lars.syntax.tree import At, Formula
from horae.rules.terms import Atom


@dataclass(frozen=True, slots=True)
class Reach:
    """`ranges`: per predicate where its atoms are looked for, through time windows.

    `counted`: the tuple and partition windows; they see atoms however old.
    `named`: where all input matters: registry windows, and counting windows inside of time windows.
    """

    ranges: dict[str, Range]
    counted: tuple[CountedRead, ...]
    named: Range
    derived: frozenset[str]

    def range(self, predicate: str) -> Range:
        """Where atoms of the predicate matter, other than those that are counted."""
        own = self.ranges.get(predicate, NOW)
        return own if predicate in self.derived else own | self.named

    def past(self, predicate: str) -> int | None:
        """How many time points back atoms matter; None: without a bound."""
        first = self.range(predicate).first
        return None if first == -inf else max(0, -int(first))

    @property
    def input(self) -> Range:
        """Where input matters, of any predicate and through any window."""
        seen = (r for name, r in self.ranges.items() if name not in self.derived)
        return _union([NOW, self.named, *seen, *(c.where for c in self.counted)])

    @property
    def delay(self) -> int | None:
        """How long a stream must wait before an evaluation; None: for ever."""
        last = self.input.last
        return None if last == inf else max(0, int(last))


def find_reach(program: Program) -> Reach:
    """Of all rules. Derived predicates are in it too: with `history` they are kept."""
    ranges: dict[str, Range] = {}
    counted: list[CountedRead] = []
    named = NOW
    for look in _body_reads(program):
        match look:
            case AtomRead(name, where, among_counted):
                if not among_counted:
                    ranges[name] = ranges[name] | where if name in ranges else where
            case CountedRead():
                counted.append(look)
            case InputRead(where):
                named |= where
            case _:
                assert_never(look)
    return Reach(ranges, tuple(dict.fromkeys(counted)), named, program.derived)


def _body_reads(program: Program) -> Iterator[BodyRead]:
    for rule in program.rules:
        for formula in rule.body:
            yield from find_reads(formula)
        if rule.head is not None and not _is_plain(rule.head):
            yield from find_reads(rule.head)


def _is_plain(head: Formula) -> bool:
    """An atom, or `@T` and an atom. Other heads can hold through what earlier evaluations derived."""
    return isinstance(head, Atom) or (isinstance(head, At) and isinstance(head.operand, Atom))


def _union(ranges: Iterable[Range]) -> Range:
    return reduce(or_, ranges)
