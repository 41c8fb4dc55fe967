"""Random programs of DatalogMTL that go round in circles, in both directions of time.

A few predicates without arguments need each other through all operators, with and without an end;
a second layer looks at the first one, also through `not`. Most of their models have no end, some no
beginning; some settle down, some repeat themselves, some count for a while and stop.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

_LOOPS = ("a", "b", "c")
_INPUTS = ("f", "g", "h")
_BACK = ("Diamondminus", "Boxminus")
_AHEAD = ("Diamondplus", "Boxplus")


def random_loops(rng: Random) -> tuple[str, str]:
    """A program, and facts as text."""
    return _Loops(rng).text(), _facts(rng)


class _Loops:
    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.loops = _LOOPS[: rng.choice((1, 1, 2, 2, 3))]
        self.ahead = rng.choice((0.0, 0.1, 0.5, 0.9))

    def text(self) -> str:
        rules = [f"{self._head(name)} :- {self._body(self.loops)}." for name in self.loops]
        for _ in range(self.rng.choice((0, 1, 2))):
            rules.append(f"{self._head(self.rng.choice(self.loops))} :- {self._body(self.loops)}.")
        rules += self._chain()
        for name in ("d", "e")[: self.rng.choice((0, 1, 2, 2))]:
            rules.append(f"{name} :- {self._look(0.4)}, {self._negated(self._look(0.4))}.")
        return "\n".join(rules) + "\n"

    def _chain(self) -> list[str]:
        """A predicate that is some steps away from a loop, and an input of it."""
        length = self.rng.choice((0, 0, 2, 8))
        names = [self.rng.choice(self.loops), *(f"k{n}" for n in range(length))]
        pairs = pairwise(names)
        return [f"{head} :- {self._operator(0)} {body}." for body, head in pairs]

    def _head(self, name: str) -> str:
        if self.rng.random() < 0.6:
            return name
        box = "Boxminus" if self.rng.random() < self.ahead else "Boxplus"
        return f"{box}{self._interval(0.03)} {name}"

    def _body(self, names: tuple[str, ...]) -> str:
        first = self._formula(self.rng.choice(names), 0.1)
        guard = self.rng.random()
        if guard < 0.75:
            return first
        other = self._formula(self.rng.choice((*names, *_INPUTS)), 0.1)
        return f"{first}, {self._negated(self.rng.choice(_INPUTS)) if guard > 0.9 else other}"

    def _look(self, endless: float) -> str:
        return self._formula(self.rng.choice((*self.loops, *_INPUTS)), endless)

    def _negated(self, formula: str) -> str:
        return f"not {formula}" if self.rng.random() < 0.6 else formula

    def _formula(self, name: str, endless: float) -> str:
        kind = self.rng.random()
        if kind < 0.15:
            return name
        if kind < 0.8:
            return f"{self._operator(endless)} {name}"
        other = self.rng.choice((*self.loops, *_INPUTS))
        link = "Until" if self.rng.random() < self.ahead else "Since"
        return f"{other} {link}{self._interval(endless)} {name}"

    def _operator(self, endless: float) -> str:
        names = _AHEAD if self.rng.random() < self.ahead else _BACK
        name = names[self.rng.random() < 0.25]
        return f"{name}{self._interval(endless)}"

    def _interval(self, endless: float) -> str:
        low = self.rng.choice((0, 0, 1, 1, 2, 3))
        opening = self.rng.choice("[[[(")
        if self.rng.random() < endless:
            return f"{opening}{low},inf)"
        if self.rng.random() < 0.35:
            return f"[{low}]" if low else "[1]"
        return f"{opening}{low},{low + self.rng.choice((1, 1, 2, 4))}{self.rng.choice(']]])')}"


def _facts(rng: Random) -> str:
    """One that a loop starts from, and some others."""
    more = [rng.choice((*_LOOPS, *_INPUTS)) for _ in range(rng.choice((0, 1, 3, 5)))]
    return "\n".join(f"{name}@{_time(rng)}" for name in (_LOOPS[0], *more))


def _time(rng: Random) -> str:
    low, length, kind = rng.randint(-3, 9), rng.choice((1, 2, 3, 9, 30)), rng.random()
    if kind < 0.45:
        return str(low)
    if kind < 0.8:
        return f"{rng.choice('[(')}{low},{low + length}{rng.choice('])')}"
    return f"(-inf,{low}]" if kind < 0.9 else f"[{low},inf)"
