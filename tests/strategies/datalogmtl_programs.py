"""Random programs of DatalogMTL as text, with data to go with them.

`random_program` draws from a seeded generator: the same seed gives the same text. Programs of the
fragment "full" always end: a rule that recurs asks for a *guard*, a predicate of bounded support. In the
smaller fragments some rules go on for ever; up to `HORIZON` all programs have exact answers. Those of
the fragment "endless" go on for ever on both sides of time, and look there without end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random

from tests.strategies.datalogmtl_formulas import CONSTANTS, FRAGMENTS, Formulas, Predicate
from tests.strategies.shrinking import accepted, thinned_lines

from horae.data.constants import Value
from horae.data.intervals import ALWAYS, Interval, point
from horae.languages.datalogmtl.check.check import load
from horae.languages.datalogmtl.program import Program
from horae.source.text import Source

Datum = tuple[str, tuple[Value, ...], Interval]
"""A predicate, its arguments, and when it holds."""
HORIZON = Fraction(12)
_LAST = 8

_GUARDS = (Predicate("w", 0), Predicate("g", 1))
_DATA = (
    *(Predicate("z", 0), Predicate("a", 1), Predicate("b", 1)),
    *(Predicate("e", 2), Predicate("f", 2)),
)
_DERIVED = ("p", "q", "r", "t")


@dataclass(frozen=True)
class Derived(Predicate):
    """Rules of a group may read all of the group; they read and negate what earlier groups derive."""

    group: int


def random_program(rng: Random, fragment: str) -> str:
    """One to six rules, sometimes with facts and a query."""
    return _Text(rng, fragment).text()


def thinned_program(rng: Random, text: str) -> Program:
    """A program; when it is shrunk, without some of its lines."""
    return accepted(load(Source("thinned.dmtl", thinned_lines(rng, text)))[0])


class _Text:
    def __init__(self, rng: Random, fragment: str) -> None:
        self.rng = rng
        self.formulas = Formulas(rng, FRAGMENTS[fragment])
        self.full = FRAGMENTS[fragment].full
        self.guards = 0.3 if FRAGMENTS[fragment].endless else 1.0 if self.full else 0.7
        self.derived = self._signatures()

    def text(self) -> str:
        count = self.rng.randint(len(self.derived), 6)
        more = [self.rng.choice(self.derived) for _ in range(count - len(self.derived))]
        rules = [self._rule(head, recursive=False) for head in self.derived]
        rules += [self._rule(head, recursive=self.rng.random() < 0.6) for head in more]
        return "\n".join([*rules, *self._facts(), *self._query()]) + "\n"

    def _signatures(self) -> list[Derived]:
        found: list[Derived] = []
        group = 0
        for name in _DERIVED[: self.rng.randint(1, 4)]:
            group += self.rng.random() < 0.6
            found.append(Derived(name, self.rng.choice((0, 1, 1, 1, 2, 2)), group))
        return found

    # --- rules

    def _rule(self, head: Derived, recursive: bool) -> str:
        pool = self.formulas.pool()
        known = self._known(head)
        read = [self.rng.choice(known) for _ in range(self.rng.choice((1, 1, 1, 2, 2, 3)))]
        if recursive:
            read[0] = self.rng.choice([p for p in self.derived if p.group == head.group])
        atoms = [(p, self.formulas.arguments(p, pool)) for p in read]
        bound = sorted({term for _, terms in atoms for term in terms if term[0].isupper()})
        body = [self._literal(_atom(p, terms), terms, known, (*pool, "V")) for p, terms in atoms]
        if recursive and (self.guards == 1 or self.rng.random() < self.guards):
            body.append(self._guard(bound))
        if self.full and self.formulas.nests(0.3):
            body.append(self._negated(bound, known))
        return f"{self._head(head, bound)} :- {', '.join(body)}."

    def _known(self, head: Derived) -> list[Predicate]:
        """What a rule may read and negate: data, and what earlier groups derive."""
        return [*_DATA, *[p for p in self.derived if p.group < head.group] * 2]

    def _literal(
        self, atom: str, terms: Sequence[str], known: Sequence[Predicate], spare: Sequence[str]
    ) -> str:
        """The left side of a Since binds no variable: with 0 in the interval it is not asked."""
        other = self.rng.choice(known)
        free = self.formulas.nests(0.2)
        variables = spare if free else [term for term in terms if term[0].isupper()]
        partner = _atom(other, self.formulas.arguments(other, variables))
        return self.formulas.over(atom, partner, free)

    def _guard(self, bound: Sequence[str]) -> str:
        guard = _GUARDS[1] if bound and self.rng.random() < 0.5 else _GUARDS[0]
        return _atom(guard, self.formulas.arguments(guard, bound))

    def _negated(self, bound: Sequence[str], known: Sequence[Predicate]) -> str:
        predicate = self.rng.choice(known)
        terms = self.formulas.arguments(predicate, bound)
        formula = self._literal(_atom(predicate, terms), terms, known, bound)
        return f"not ({formula})" if self.rng.random() < 0.5 else f"not {formula}"

    def _head(self, head: Derived, bound: Sequence[str]) -> str:
        return self.formulas.boxes() + _atom(head, self.formulas.arguments(head, bound))

    # --- facts and query

    def _facts(self) -> Iterator[str]:
        """Static, dated, and about derived predicates."""
        if self.rng.random() < 0.5:
            yield f"e({self.rng.choice(CONSTANTS)},{self.rng.choice(CONSTANTS)})."
        if self.rng.random() < 0.3:
            yield f"a({self.rng.choice(CONSTANTS)})@{self.rng.choice(('3', '[1,4)', '(0,2]'))}."
        if self.rng.random() < 0.2:
            head = self.rng.choice(self.derived)
            yield f"{_atom(head, self.formulas.arguments(head, ()))}@[2,3)."

    def _query(self) -> Iterator[str]:
        if self.rng.random() < 0.2:
            chosen = self.rng.sample(self.derived, self.rng.randint(1, len(self.derived)))
            yield f"?- {', '.join(predicate.name for predicate in chosen)}."


def _atom(predicate: Predicate, terms: Sequence[str]) -> str:
    return f"{predicate.name}({','.join(terms)})" if terms else predicate.name


# --- data


def random_facts(rng: Random, program: Program, *, unbounded: bool = False) -> list[Datum]:
    """Points, intervals with all kinds of ends and eternal facts; times are fractions from 0 to 8.

    With `unbounded`, some facts begin or end at infinity. Guards never hold without an end.
    """
    grain = _grain(rng, program)
    domain: tuple[Value, ...] = ("c1", "c2", 7)[: rng.choice((2, 3, 3))]
    guards = {guard.name for guard in _GUARDS}
    data = sorted(program.arities.keys() - program.derived)
    return [
        (name, arguments, interval)
        for name in data
        for arguments in product(domain, repeat=program.arities[name])
        if rng.random() < 0.95
        for interval in _intervals(rng, grain, name not in guards, unbounded)
    ]


def _grain(rng: Random, program: Program) -> Fraction:
    """Halves and thirds do not meet in one program: the grid of the oracle would be too fine."""
    text = program.source.text
    if "/3" in text:
        return Fraction(1, rng.choice((1, 3)))
    return Fraction(1, rng.choice((1, 2) if "/2" in text else (1, 2, 3)))


def _intervals(rng: Random, grain: Fraction, ever: bool, unbounded: bool) -> list[Interval]:
    if ever and rng.random() < 0.08:
        return [ALWAYS]
    found = [_interval(rng, grain) for _ in range(rng.choice((1, 2, 3, 3)))]
    if ever and unbounded and rng.random() < 0.15:
        found.append(_half_line(rng, grain))
    return found


def _interval(rng: Random, grain: Fraction) -> Interval:
    low = rng.randint(0, int(_LAST / grain)) * grain
    if rng.random() < 0.3:
        return point(low)
    length = rng.randint(1, int(6 / grain)) * grain
    return Interval(low, min(low + length, _LAST + grain), rng.random() < 0.3, rng.random() < 0.3)


def _half_line(rng: Random, grain: Fraction) -> Interval:
    end, opened = rng.randint(0, int(_LAST / grain)) * grain, rng.random() < 0.5
    return Interval(None, end, True, opened) if opened else Interval(end, None)
