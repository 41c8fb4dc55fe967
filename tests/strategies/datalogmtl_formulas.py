"""Random formulas of DatalogMTL as text: atoms under operators, with intervals of all kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

_PAST = ("Boxminus", "Diamondminus", "Diamondminus")
_FUTURE = ("Boxplus", "Diamondplus", "Diamondplus")
_SIGNS = {"Boxminus": "⊟", "Diamondminus": "◇⁻", "Boxplus": "⊞", "Diamondplus": "◇⁺"}
_VARIABLES = ("X", "Y", "Z")
CONSTANTS = ("c1", "c2", "7")


@dataclass(frozen=True)
class Fragment:
    """What a fragment of the language allows.

    A `plain` one has whole numbers, no nested operators, no negation, and no 0 in the interval of a
    Since or Until: what the reasoner MeTeoR gets right. In an `endless` one, recursion has no guard and
    intervals often have no end.
    """

    operators: bool = True
    punctual: bool = True
    full: bool = True
    plain: bool = False
    endless: bool = False


FRAGMENTS = {
    "datalog": Fragment(operators=False, punctual=False, full=False),
    "mitl-fp": Fragment(punctual=False, full=False),
    "mtl-fp": Fragment(full=False),
    "full": Fragment(),
    "plain": Fragment(plain=True),
    "endless": Fragment(endless=True),
}


@dataclass(frozen=True)
class Predicate:
    name: str
    arity: int


class Formulas:
    """Formulas for one program. All its numbers are multiples of `unit`: the grid stays coarse."""

    def __init__(self, rng: Random, fragment: Fragment) -> None:
        self.rng, self.fragment = rng, fragment
        self.unit = Fraction(1, 1 if fragment.plain else rng.choice((1, 1, 2, 3)))

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def nests(self, probability: float) -> bool:
        return not self.fragment.plain and self.chance(probability)

    # --- atoms

    def arguments(self, predicate: Predicate, variables: Sequence[str]) -> list[str]:
        return [self._argument(variables) for _ in range(predicate.arity)]

    def _argument(self, variables: Sequence[str]) -> str:
        if variables and self.chance(0.9):
            return self.rng.choice(variables)
        return self.rng.choice(CONSTANTS)

    def pool(self) -> Sequence[str]:
        return _VARIABLES[: self.rng.choice((1, 2, 2, 3))]

    # --- formulas

    def over(self, atom: str, partner: str, free: bool) -> str:
        """An atom under up to two operators; the partner is the left side of a Since or Until.

        A `free` partner has variables of its own: that is allowed under no other operator.
        """
        if not self.fragment.operators or self.chance(0.3):
            return atom
        if self.fragment.full and self.chance(0.25):
            return self._binary(atom, partner, free)
        inner = f"{self._operator(_PAST)} {atom}"
        return f"{self._operator(_PAST)} {inner}" if self.nests(0.2) else inner

    def _binary(self, atom: str, partner: str, free: bool) -> str:
        left, right = self._side(partner), self._side(atom)
        link = self.rng.choice(("Since", "Until"))
        formula = f"{left} {link}{self._distance()} {right}"
        return f"{self._operator(_PAST)} ({formula})" if not free and self.nests(0.2) else formula

    def _side(self, atom: str) -> str:
        return f"({self._operator(_PAST)} {atom})" if self.nests(0.25) else atom

    def _distance(self) -> str:
        while True:
            interval = self.interval(longer=1)
            if not (self.fragment.plain and interval.startswith("[0")):
                return interval

    def _operator(self, past: Sequence[str]) -> str:
        future = self.fragment.full and self.chance(0.4)
        name = self.rng.choice(_FUTURE if future else past)
        box = name.startswith("Box")
        written = _SIGNS[name] if self.chance(0.15) else name
        return f"{written}{self.interval(longer=-1 if box else 1, infinite=0.04 if box else 0.1)}"

    def boxes(self) -> str:
        """What stands before the atom of a head, mostly nothing."""
        if not self.fragment.operators or self.chance(0.7):
            return ""
        return " ".join(self._box() for _ in range(2 if self.nests(0.15) else 1)) + " "

    def _box(self) -> str:
        name = "Boxminus" if self.fragment.full and self.chance(0.4) else "Boxplus"
        return f"{name}{self.interval(longer=1, infinite=0.05)}"

    # --- intervals

    def interval(self, longer: int, infinite: float = 0.1) -> str:
        """Short ones suit boxes, `longer` ones everything else."""
        low = self.rng.choice((0, 0, 0, 1, 1, 2)) * self.unit
        opening = self._end("[", "(")
        if self.chance(3 * infinite if self.fragment.endless else infinite):
            return f"{opening}{low},inf)"
        if self.fragment.punctual and self.chance(0.15):
            return self.rng.choice((f"[{low}]", f"[{low},{low}]"))
        high = low + self.rng.choice((1, 1, 2) if longer < 0 else (1, 2, 3)) * self.unit
        return f"{opening}{low},{high}{self._end(']', ')')}"

    def _end(self, closed: str, opened: str) -> str:
        return opened if self.chance(0.3) else closed
