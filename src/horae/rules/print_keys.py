"""What rules call the argument by which a predicate is spread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from horae.rules.terms import Atom, Variable


def variables_at(atoms: Iterable[Atom], places: Mapping[str, int | None]) -> dict[str, str]:
    """By predicate, the variable at its place, where all atoms have the same one there."""
    spellings: dict[str, set[str]] = {}
    for atom in atoms:
        place = places.get(atom.predicate)
        if place is not None:
            term = atom.arguments[place]
            spelling = term.name if isinstance(term, Variable) else ""
            spellings.setdefault(atom.predicate, set()).add(spelling)
    return {name: own.pop() for name, own in spellings.items() if len(own) == 1}


def key_name(place: int, variable: str) -> str:
    """`argument 2 (Z)`."""
    return f"argument {place + 1} ({variable})" if variable else f"argument {place + 1}"
