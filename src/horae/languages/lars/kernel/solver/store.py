"""Atoms with their times, found by predicate and by the arguments that are bound.

An index over some arguments is built when it is first asked for, and kept up to date afterwards.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from horae.data.constants import Value
from horae.languages.lars.check.window_functions import TimedAtom

StoredAtom = tuple[int, tuple[Value, ...]]
Places = tuple[int, ...]
_Index = dict[tuple[Value, ...], list[StoredAtom]]


class Store:
    """The rows of the predicates in `growing` come in any order; all others are sorted by time."""

    def __init__(self, atoms: Iterable[TimedAtom], growing: frozenset[str] = frozenset()) -> None:
        self._growing = growing
        self._rows: dict[str, list[StoredAtom]] = {}
        self._indexes: dict[str, dict[Places, _Index]] = {}
        for time, predicate, arguments in sorted(atoms, key=lambda atom: atom[0]):
            self._rows.setdefault(predicate, []).append((time, arguments))

    def add(self, atom: TimedAtom) -> None:
        time, predicate, arguments = atom
        row = (time, arguments)
        self._rows.setdefault(predicate, []).append(row)
        for places, index in self._indexes.get(predicate, {}).items():
            index.setdefault(tuple(arguments[p] for p in places), []).append(row)

    def find(
        self, predicate: str, bound: Mapping[int, Value], start: int, end: int | None
    ) -> Sequence[StoredAtom]:
        """The rows with the bound arguments, in a timeline."""
        rows = self._with(predicate, bound)
        if predicate in self._growing:
            return [r for r in rows if r[0] >= start and (end is None or r[0] <= end)]
        first = bisect_left(rows, (start,))
        return rows[first : len(rows) if end is None else bisect_left(rows, (end + 1,))]

    def _with(self, predicate: str, bound: Mapping[int, Value]) -> list[StoredAtom]:
        rows = self._rows.get(predicate, [])
        if not bound:
            return rows
        places = tuple(bound)
        indexes = self._indexes.setdefault(predicate, {})
        if places not in indexes:
            indexes[places] = _index(rows, places)
        return indexes[places].get(tuple(bound.values()), [])


def _index(rows: list[StoredAtom], places: Places) -> _Index:
    index: _Index = {}
    for row in rows:
        index.setdefault(tuple(row[1][p] for p in places), []).append(row)
    return index


@dataclass(frozen=True, slots=True)
class Layers:
    """Two stores as one: what is given for many evaluations, and what one of them adds."""

    data: Store
    added: Store

    def find(
        self, predicate: str, bound: Mapping[int, Value], start: int, end: int | None
    ) -> Sequence[StoredAtom]:
        given = self.data.find(predicate, bound, start, end)
        added = self.added.find(predicate, bound, start, end)
        return [*given, *added] if given and added else given or added
