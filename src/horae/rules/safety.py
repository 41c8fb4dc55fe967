"""Safety: a rule derives only what values it knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from horae.rules.terms import Atom, Variable


def unbound(atoms: Iterable[Atom], bound: Set[str]) -> Iterator[Variable]:
    """The variables of the atoms that are not bound, each at its first place."""
    seen = set(bound)
    for atom in atoms:
        for term in atom.arguments:
            if isinstance(term, Variable) and term.name not in seen:
                seen.add(term.name)
                yield term
