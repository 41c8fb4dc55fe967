"""Random rules that need a solver: several answers, negation in cycles, nested formulas, modal heads.

There are few derivable atoms, so that all interpretations can be tried.
"""

from __future__ import annotations

from random import Random

from tests.strategies.lars_data import BACKGROUND, INPUT, Predicate, write_atom
from tests.strategies.lars_windows import random_bounded_window, random_window

_CHOICES = ("win", "win", "win1")
_HEAD_WINDOWS = ("win[+1]", "win[1]", "win[0,1,2]", "win[0]")


class SolverRules:
    """`readable`: further predicates that bodies may read."""

    def __init__(
        self, rng: Random, constants: tuple[str, ...], readable: tuple[Predicate, ...] = ()
    ) -> None:
        self.rng = rng
        self.constants = constants
        self.given = (*INPUT, *INPUT, BACKGROUND[0], *readable * 3)
        names = ("a", "b", "c", "d")[: rng.randint(2, 4)]
        self.derived = tuple(Predicate(name, 0) for name in names)
        if rng.random() < 0.4:
            self.derived = (*self.derived[:-1], Predicate("u", 1))

    def rules(self) -> list[str]:
        rules = [*self._choice()] if self.rng.random() < 0.5 else []
        rules += [self._rule() for _ in range(self.rng.randint(1, 4))]
        return rules + ([self._constraint()] if self.rng.random() < 0.3 else [])

    def _choice(self) -> list[str]:
        """`a :- not b. b :- not a.`, over a window of its own each."""
        left, right = self.rng.sample(self.derived, 2)
        bound, given = self._binder()
        one, other = self._atom(left, bound), self._atom(right, bound)
        inside = self.rng.choice(("", "", f"{random_bounded_window(self.rng)} <> "))
        return [f"{one} :- {given}, not {inside}{other}.", f"{other} :- {given}, not {one}."]

    def _rule(self) -> str:
        bound, given = self._binder()
        body = [given] if bound or self.rng.random() < 0.8 else []
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            body.append(self._operand(bound, depth=self.rng.randint(0, 3)))
        head = self._head(bound)
        return f"{head} :- {', '.join(body)}." if body else f"{head}."

    def _constraint(self) -> str:
        bound, given = self._binder()
        return f":- {given}, {self._operand(bound, depth=self.rng.randint(0, 2))}."

    def _binder(self) -> tuple[tuple[str, ...], str]:
        """A part of a body that binds its variable, if it has one."""
        predicate = self.rng.choice(self.given)
        terms = tuple(self._given_term() for _ in range(predicate.arity))
        window = random_window(self.rng, predicate.name, choices=_CHOICES)
        form = self.rng.choice(("", f"{window} <> ", f"{window} <> ", "<> "))
        return ("X",) if "X" in terms else (), form + write_atom(predicate, terms)

    def _given_term(self) -> str:
        return "X" if self.rng.random() < 0.5 else self.rng.choice(("_", *self.constants))

    # --- heads

    def _head(self, bound: tuple[str, ...]) -> str:
        first, second = (self._atom(self.rng.choice(self.derived), bound) for _ in range(2))
        window = self.rng.choice(_HEAD_WINDOWS)
        plain = (first, first, first, f"@{self.rng.randint(0, 3)} {first}")
        broad = (f"{first} or {second}", f"({first} and {second})", f"({first} -> {second})")
        modal = (f"{window} <> {first}", f"{window} [] {first}", f"not {first}")
        return self.rng.choice((*plain, *plain, *broad, broad[0], broad[0], *modal))

    # --- formulas

    def _operand(self, bound: tuple[str, ...], depth: int) -> str:
        """A formula that can follow an operator: in parentheses where it needs them."""
        if depth == 0:
            return self._any_atom(bound)
        inner = self._operand(bound, depth - 1)
        match self.rng.randint(0, 7):
            case 0 | 1:
                return f"not {inner}"
            case 2:
                return f"({inner} {self.rng.choice(('and', 'or', '->'))} {self._any_atom(bound)})"
            case 3:
                return f"({self._any_atom(bound)} {self.rng.choice(('or', '->'))} {inner})"
            case 4:
                return f"@{self.rng.randint(0, 9)} {inner}"
            case 5:
                return f"{random_window(self.rng, choices=_CHOICES)} {inner}"
            case _:
                window = random_window(self.rng, choices=_CHOICES)
                return f"{window} {self.rng.choice(('<>', '[]'))} {inner}"

    def _any_atom(self, bound: tuple[str, ...]) -> str:
        pool = (*self.derived, *self.derived, *self.given)
        return self._atom(self.rng.choice(pool), bound)

    def _atom(self, predicate: Predicate, bound: tuple[str, ...]) -> str:
        pool = (*bound, *bound, *self.constants)
        return write_atom(predicate, tuple(self.rng.choice(pool) for _ in range(predicate.arity)))
