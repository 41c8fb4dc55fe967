"""The number of arguments of each predicate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from horae.rules.terms import Atom


@dataclass(frozen=True, slots=True)
class Clash:
    """A use with another number of arguments than the first one."""

    use: Atom
    first: Atom


def find_arities(atoms: Iterable[Atom]) -> tuple[dict[str, int], list[Clash]]:
    """The first use of a predicate decides."""
    firsts: dict[str, Atom] = {}
    clashes: list[Clash] = []
    for atom in atoms:
        first = firsts.setdefault(atom.predicate, atom)
        if len(first.arguments) != len(atom.arguments):
            clashes.append(Clash(atom, first))
    return {name: len(first.arguments) for name, first in firsts.items()}, clashes
