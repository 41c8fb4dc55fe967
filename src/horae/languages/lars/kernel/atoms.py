"""The order of atoms at time points: by time, predicate and arguments, numbers before text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from horae.data.constants import sort_key
from horae.languages.lars.check.window_functions import TimedAtom


def atom_key(atom: TimedAtom) -> tuple[Any, ...]:
    return (atom.time, atom.predicate, [sort_key(value) for value in atom.arguments])


def sort_atoms(atoms: Iterable[TimedAtom]) -> list[TimedAtom]:
    return sorted(atoms, key=atom_key)


def sorted_keys(atoms: Iterable[TimedAtom]) -> list[tuple[Any, ...]]:
    """What answers are ordered by."""
    return sorted(map(atom_key, atoms))
