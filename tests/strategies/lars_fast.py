"""Random rules of the form that is evaluated on columns: stratified, with windows over literals.

Derived predicates belong to groups. A rule may read all of its own group and negate what earlier groups
derive, so negation is stratified. A rule that recurs over time has a bound on it, so derivations end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from tests.strategies.lars_data import BACKGROUND, INPUT, LAST, Predicate, write_atom
from tests.strategies.lars_windows import random_bounded_window, random_window


@dataclass(frozen=True)
class Derived(Predicate):
    group: int


@dataclass
class _Rule:
    """What is known of a rule while it is made: its body, and the variables that are bound."""

    body: list[str] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    times: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    recursive: bool = False


class FastRules:
    def __init__(self, rng: Random, constants: tuple[str, ...], prefix: str = "d") -> None:
        self.rng = rng
        self.constants = constants
        self.derived = self._signatures(prefix)
        self.eternal = self._eternal()

    def rules(self) -> list[str]:
        """The first rule of each predicate does not recur: it is where the others start."""
        more = [self.rng.choice(self.derived) for _ in range(self.rng.randint(0, 2))]
        written = [self._rule(head, recurs=False) for head in self.derived]
        written += [self._rule(head, recurs=self.rng.random() < 0.6) for head in more]
        return [*written, *(f"{atom}." for atom in self.eternal)]

    def _signatures(self, prefix: str) -> list[Derived]:
        found: list[Derived] = []
        group = 0
        for number in range(self.rng.randint(1, 3)):
            group += self.rng.random() < 0.7
            found.append(Derived(f"{prefix}{number}", self.rng.choice((0, 1, 1, 2)), group))
        return found

    def _eternal(self) -> dict[str, Predicate]:
        """Background data about derived predicates."""
        if self.rng.random() < 0.8:
            return {}
        predicate = self.rng.choice(self.derived)
        terms = tuple(self.rng.choice(self.constants) for _ in range(predicate.arity))
        return {write_atom(predicate, terms): predicate}

    # --- rules

    def _rule(self, head: Derived, *, recurs: bool) -> str:
        rule = _Rule(recursive=recurs)
        if self.rng.random() < 0.3:
            rule.body.append("len(X,N)")
            rule.constants.append("X")
            rule.numbers.append("N")
        for _ in range(self.rng.choice((1, 1, 1, 2, 2, 3))):
            self._bind(rule, head)
        if self.rng.random() < 0.35:
            self._negate(rule, head)
        if self.rng.random() < 0.2:
            self._compare(rule)
        return self._write(head, rule)

    def _bind(self, rule: _Rule, head: Derived) -> None:
        predicate = self._readable(rule, head)
        terms = self._terms(predicate, ("X", "Y", "Z"), rule)
        atom = write_atom(predicate, terms)
        rule.body.append(self._positive(rule, predicate, atom))
        rule.constants += [t for t in terms if t[0].isupper() and t not in rule.constants]

    def _readable(self, rule: _Rule, head: Derived) -> Predicate:
        earlier = [p for p in self.derived if p.group < head.group]
        if rule.recursive and self.rng.random() < 0.7:
            return self.rng.choice([p for p in self.derived if p.group == head.group])
        return self.rng.choice([*INPUT, *INPUT, BACKGROUND[0], *earlier * 3])

    def _terms(self, predicate: Predicate, names: tuple[str, ...], rule: _Rule) -> tuple[str, ...]:
        pool = [*names, *rule.constants, *rule.constants]
        return tuple(
            self.rng.choice(self.constants) if self.rng.random() < 0.15 else self.rng.choice(pool)
            for _ in range(predicate.arity)
        )

    # --- literals

    def _positive(self, rule: _Rule, predicate: Predicate, atom: str) -> str:
        form = self.rng.choice(("atom", *("some", "at", "shift") * 3, "always", "whole"))
        if form == "at":
            return self._at(rule, predicate, atom)
        if form == "shift" and rule.times:
            return f"@{self.rng.choice(rule.times)} {self._window(rule, predicate)} <> {atom}"
        if form == "always":
            return f"{random_bounded_window(self.rng)} [] {atom}"
        if form == "whole":
            return f"<> {atom}"
        return atom if form == "atom" else f"{self._window(rule, predicate)} <> {atom}"

    def _at(self, rule: _Rule, predicate: Predicate, atom: str) -> str:
        """Background data holds at all times: a window says at which ones the rule looks."""
        endless = predicate in BACKGROUND or predicate in self.eternal.values()
        window = random_bounded_window(self.rng) if endless else self._window(rule, predicate)
        time = f"T{len(rule.times)}"
        plain = not endless and self.rng.random() < 0.3
        rule.times.append(time)
        return f"@{time} {atom}" if plain else f"{window} @{time} {atom}"

    def _window(self, rule: _Rule, about: Predicate) -> str:
        number = self.rng.choice([*rule.numbers, ""])
        return random_window(self.rng, about.name, number=number)

    def _negate(self, rule: _Rule, head: Derived) -> None:
        """What is negated, outside or inside, is not of the head's group."""
        earlier = [p for p in self.derived if p.group < head.group]
        predicate = self.rng.choice([*INPUT, *BACKGROUND[:1], *earlier * 3])
        atom = write_atom(predicate, self._terms(predicate, (), rule) if rule.constants else ())
        if predicate.arity and not rule.constants:
            atom = write_atom(predicate, (self.rng.choice(self.constants),) * predicate.arity)
        window = self._window(rule, predicate)
        forms = [f"not {atom}", f"not {window} <> {atom}", f"{window} <> not {atom}"]
        forms += [f"not {window} [] {atom}", f"{window} [] not {atom}", f"not {window} {atom}"]
        if rule.times:
            time = self.rng.choice(rule.times)
            forms += [f"not @{time} {atom}", f"not {window} @{time} {atom}"]
            forms += [f"@{time} not {atom}", f"not @{time} {window} <> {atom}"]
        rule.body.append(self.rng.choice(forms))

    def _compare(self, rule: _Rule) -> None:
        if len(rule.constants) > 1:
            left, right = self.rng.sample(rule.constants, 2)
            rule.body.append(f"{left} {self.rng.choice(('!=', '<', '>=', '='))} {right}")
        elif rule.times:
            sign = self.rng.choice(("<", ">", "!=", "<="))
            rule.body.append(f"{self.rng.choice(rule.times)} {sign} {self.rng.randint(0, LAST)}")

    # --- heads

    def _write(self, head: Derived, rule: _Rule) -> str:
        pool = [*rule.constants, *rule.times, *rule.constants] or [*self.constants]
        terms = tuple(self.rng.choice(pool) for _ in range(head.arity))
        if rule.recursive:  # values of times as arguments stay those of the data
            pool = rule.constants or [*self.constants]
            terms = tuple(self.rng.choice(pool) for _ in range(head.arity))
        time = self._head_time(rule)
        return f"{time}{write_atom(head, terms)} :- {', '.join(rule.body)}."

    def _head_time(self, rule: _Rule) -> str:
        if self.rng.random() < 0.1:
            return f"@{self.rng.randint(0, LAST)} "
        if not rule.times or self.rng.random() < 0.5:
            return ""
        time = self.rng.choice(rule.times)
        if self.rng.random() < 0.4:
            return f"@{time} "
        amount = self.rng.choice([*rule.numbers, "1", "2", "3"])
        rule.body.append(f"T = {time} {self.rng.choice('++-')} {amount}")
        if rule.recursive:
            rule.body.append(f"T <= {LAST}")
        return "@T "
