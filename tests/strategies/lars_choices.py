"""Random rules with many answers: free choices, and what follows from them or forbids some.

Bodies are often neither monotone nor antitone in what is chosen. There are few derivable atoms, so that
all interpretations can be tried.
"""

from __future__ import annotations

from random import Random

from tests.strategies.lars_data import INPUT, Predicate, write_atom
from tests.strategies.lars_windows import random_bounded_window, random_window


class ChoiceRules:
    """Pairs of atoms of which one is chosen, and rules about them."""

    def __init__(self, rng: Random, constants: tuple[str, ...]) -> None:
        self.rng = rng
        self.constants = constants
        self.pairs = [("a", "b"), ("c", "d"), ("f", "g")][: rng.randint(1, 3)]
        self.wide = rng.random() < 0.4  # the first pair has an argument
        self.derived = [Predicate(name, 0) for pair in self.pairs for name in pair]
        if self.wide:
            self.derived[:2] = [Predicate("a", 1), Predicate("b", 1)]

    def rules(self) -> list[str]:
        rules = [rule for number in range(len(self.pairs)) for rule in self._choice(number)]
        rules += [self._rule() for _ in range(self.rng.randint(0, 2))]
        rules += [self._circle() for _ in range(self.rng.choice((0, 1, 1, 2)))]
        return rules + [self._constraint() for _ in range(self.rng.choice((0, 0, 1)))]

    def _choice(self, number: int) -> list[str]:
        argument = number == 0 and self.wide
        given = self._given(argument)
        left, right = (f"{name}(X)" if argument else name for name in self.pairs[number])
        inside = self.rng.choice(("", "", f"{random_bounded_window(self.rng)} <> "))
        if self.rng.random() < 0.3:
            return [f"{left} or {right} :- {given}."]
        return [f"{left} :- {given}, not {inside}{right}.", f"{right} :- {given}, not {left}."]

    def _given(self, argument: bool) -> str:
        predicate = self.rng.choice([p for p in INPUT if p.arity] if argument else INPUT)
        terms = ("X" if argument else "_",) + ("_",) * (predicate.arity - 1)
        window = random_window(self.rng, predicate.name)
        form = self.rng.choice((f"{window} <> ", f"{random_bounded_window(self.rng)} <> "))
        return form + write_atom(predicate, terms[: predicate.arity])

    def _rule(self) -> str:
        return f"{self._head()} :- {self._given(False)}, {self._formula(self.rng.randint(1, 2))}."

    def _circle(self) -> str:
        """A head that its body may rest on, beside something else."""
        head, one, other = self.rng.choice(("x", "y", self._atom())), self._atom(), self._atom()
        forms = (
            f"({head} or not {one})",
            f"({one} -> {head})",
            f"(({head} and not {one}) or {other})",
            f"(({head} and {one}) or (not {other} and not {one}))",
            f"({head} or x or not {one}), ({one} or not y)",
        )
        return f"{head} :- {self._given(False)}, {self.rng.choice(forms)}."

    def _constraint(self) -> str:
        return f":- {self._atom()}, {self._formula(1)}."

    def _head(self) -> str:
        first, second = self._atom(), self._atom()
        return self.rng.choice((first, first, "x", "y", f"{first} or {second}", f"x or {second}"))

    def _formula(self, depth: int) -> str:
        if depth == 0:
            return self.rng.choice(("", "not ")) + self.rng.choice((self._atom(), "x", "y"))
        left, right = self._formula(depth - 1), self._formula(depth - 1)
        window = random_bounded_window(self.rng)
        sign = self.rng.choice(("and", "or", "or", "->"))
        return self.rng.choice((f"({left} {sign} {right})",) * 3 + (f"{window} <> {left}",))

    def _atom(self) -> str:
        predicate = self.rng.choice(self.derived)
        terms = tuple(self.rng.choice(self.constants) for _ in range(predicate.arity))
        return write_atom(predicate, terms)
