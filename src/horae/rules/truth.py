"""`true` and `false`, which no predicate can be called: a rule would read an input of that name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from horae.rules.terms import Atom

MESSAGE = "`{name}` is no predicate: it would be an input of that name"


def truth_values(atoms: Iterable[Atom]) -> Iterator[Atom]:
    """The atoms that are called so, in any case."""
    return (atom for atom in atoms if atom.predicate.lower() in ("true", "false"))
