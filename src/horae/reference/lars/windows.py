"""Window functions (Def. 2 and 3): from a substream and a reference time to a substream of it.

The functions are ground here: their parameters are constants. Tuple and partition windows look at
input atoms alone, so a window is the same in all interpretations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from horae.data.constants import Value
from horae.languages.lars.check.window_functions import Stream, TimedAtom, find_window
from horae.languages.lars.syntax.tree import (
    Extent,
    Infinite,
    NamedWindow,
    PartitionWindow,
    TimeWindow,
    TupleWindow,
    WindowFunction,
)
from horae.reference.lars.arithmetic import natural, value_of
from horae.reference.lars.data import tie_order
from horae.reference.lars.spans import EMPTY, WHOLE, Span, contains, hull, meet
from horae.rules.arithmetic import TermExpression
from horae.rules.terms import Atom, Constant, Variable


@dataclass(frozen=True)
class View:
    """A substream of the whole stream: a timeline, with all atoms in it, or the chosen input atoms."""

    timeline: Span
    chosen: frozenset[TimedAtom] | None = None

    def shows(self, atom: TimedAtom) -> bool:
        return contains(self.timeline, atom.time) and (self.chosen is None or atom in self.chosen)


EVERYTHING = View(WHOLE)


def cut(function: WindowFunction, view: View, time: int, given: Sequence[TimedAtom]) -> View:
    """w(S, t, x): `given` are the input atoms of the whole stream, in the order of ties."""
    match function:
        case TimeWindow():
            return View(meet(view.timeline, _around(function, time)), view.chosen)
        case TupleWindow(past=past, future=future):
            seen = [atom for atom in given if view.shows(atom)]
            return _count(seen, view.timeline, time, _natural(past), _natural(future))
        case PartitionWindow():
            seen = [atom for atom in given if view.shows(atom)]
            return _partition(function, seen, view.timeline, time)
        case NamedWindow():
            seen = [atom for atom in given if view.shows(atom)]
            return _named(function, seen, view, time)
        case _:
            assert_never(function)


def _natural(expression: TermExpression) -> int:
    return natural(value_of(expression, {}))


# --- time


def _around(function: TimeWindow, time: int) -> Span:
    """[t′ − l, t′ + u], where t′ is the last multiple of the step up to t."""
    pivot = time - time % _natural(function.step)
    past, future = length(function.past), length(function.future)
    return 0 if past is None else pivot - past, None if future is None else pivot + future


def length(extent: Extent) -> int | None:
    """The length of a window; None if it is infinite."""
    return None if isinstance(extent, Infinite) else _natural(extent)


# --- tuples


def _count(atoms: Sequence[TimedAtom], timeline: Span, time: int, past: int, future: int) -> View:
    """The last atoms up to t and the next ones after it; at the same time the greatest stay."""
    before = sorted((a for a in atoms if a.time <= time), key=tie_order, reverse=True)[:past]
    newest_first = sorted((a for a in atoms if a.time > time), key=tie_order, reverse=True)
    after = sorted(newest_first, key=lambda atom: atom.time)[:future]
    start = min((atom.time for atom in before), default=time)
    end: int | None = max((atom.time for atom in after), default=time)
    start = timeline[0] if len(before) < past else start
    end = timeline[1] if len(after) < future else end
    return View(meet(timeline, (start, end)), frozenset([*before, *after]))


# --- partitions


def _partition(
    function: PartitionWindow, atoms: Sequence[TimedAtom], timeline: Span, time: int
) -> View:
    """The tuple window of each substream that has an atom in it, put together."""
    counts = _natural(function.past), _natural(function.future)
    parts = [_count(part, timeline, time, *counts) for part in _substreams(function, atoms)]
    covered = meet(timeline, (time, time))
    chosen: frozenset[TimedAtom] = frozenset()
    for part in parts:
        covered = hull(covered, part.timeline if part.chosen else EMPTY)
        chosen |= part.chosen or frozenset()
    return View(covered, chosen)


def _substreams(
    function: PartitionWindow, atoms: Iterable[TimedAtom]
) -> Iterator[Sequence[TimedAtom]]:
    parts: dict[tuple[Value, ...], list[TimedAtom]] = {}
    for atom in atoms:
        columns = _match(function.pattern, atom)
        if columns is not None:
            parts.setdefault(tuple(columns[v.name] for v in function.by), []).append(atom)
    yield from parts.values()


def _match(pattern: Atom, atom: TimedAtom) -> dict[str, Value] | None:
    """The values of the pattern's variables; a variable that occurs twice has one value."""
    if pattern.predicate != atom.predicate or len(pattern.arguments) != len(atom.arguments):
        return None
    columns: dict[str, Value] = {}
    for term, value in zip(pattern.arguments, atom.arguments, strict=True):
        match term:
            case Constant(value=wanted) if wanted != value:
                return None
            case Variable(name=name) if columns.setdefault(name, value) != value:
                return None
            case _:
                pass
    return columns


# --- the registry


def _named(function: NamedWindow, atoms: Sequence[TimedAtom], view: View, time: int) -> View:
    """Without a choice of atoms the window has all, given and derived, that the stream had."""
    registered = find_window(function.name)
    assert registered is not None, function.name
    start, end = view.timeline
    parameters = [value_of(parameter, {}) for parameter in function.parameters]
    found = registered.select(Stream(tuple(atoms), start, end), time, *parameters)
    timeline = meet(view.timeline, (found.start, found.end))
    chosen = view.chosen if found.atoms is None else frozenset(found.atoms) & frozenset(atoms)
    return View(timeline, chosen)
