"""The window under consideration, and the windows that are cut from it (Def. 2 and 3).

A context stands for the stream S of Def. 7 without its derived atoms: a timeline, and the input
atoms that a window has chosen. Where no window has chosen atoms, all atoms of the timeline are
seen.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import assert_never, overload

from horae.languages.lars.check.window_functions import Stream, TimedAtom, find_window
from horae.languages.lars.kernel.solver.data import AtomRun, SolverData, substreams
from horae.languages.lars.kernel.solver.parameters import Parameters
from horae.languages.lars.syntax.tree import (
    NamedWindow,
    PartitionWindow,
    TimeWindow,
    TupleWindow,
    WindowFunction,
)


@dataclass(frozen=True, eq=False)
class Context:
    """The timeline from `start` to `end` (None: without end); empty where `start` is after `end`."""

    start: int
    end: int | None
    chosen: Sequence[TimedAtom] | None = None

    @cached_property
    def members(self) -> frozenset[TimedAtom]:
        return frozenset(self.chosen or ())

    def __contains__(self, time: int) -> bool:
        return self.start <= time and (self.end is None or time <= self.end)

    @property
    def is_empty(self) -> bool:
        return self.end is not None and self.start > self.end


WHOLE = Context(0, None)
"""S*: the stream of the whole evaluation."""

NOTHING = Context(1, 0)


class Windows:
    """Cuts windows from the data of one evaluation, each one once."""

    def __init__(self, data: SolverData) -> None:
        self._data = data
        self._cut: dict[tuple[int, Parameters, int, int], Context] = {}

    def cut(
        self, function: WindowFunction, parameters: Parameters, base: Context, time: int
    ) -> Context:
        """The window of `base` at a time; functions and contexts are told apart by identity."""
        key = (id(function), parameters, id(base), time)
        found = self._cut.get(key)
        if found is None:
            found = self._cut[key] = self._make(function, parameters, base, time)
        return found

    def _make(
        self, function: WindowFunction, parameters: Parameters, base: Context, time: int
    ) -> Context:
        match function:
            case TimeWindow():
                return _time_window(parameters, base, time)
            case TupleWindow():
                return _tuple_window(self._atoms(base), self._run(base), parameters, base, time)
            case PartitionWindow():
                parts = self._substreams(function, base)
                return _partition_window(self._atoms(base), parts, parameters, base, time)
            case NamedWindow(name=name):
                inputs = _Slice(self._atoms(base), *_places(self._run(base), base))
                return _registry_window(name, inputs, parameters, base, time)
            case _:
                assert_never(function)

    # --- the input atoms of a stream

    def _atoms(self, base: Context) -> Sequence[TimedAtom]:
        """With others, if no window has chosen some: those outside of the timeline."""
        return self._data.atoms if base.chosen is None else base.chosen

    def _run(self, base: Context) -> AtomRun:
        if base.chosen is None:
            return self._data.run
        return AtomRun([atom.time for atom in base.chosen], range(len(base.chosen)))

    def _substreams(self, function: PartitionWindow, base: Context) -> list[AtomRun]:
        if base.chosen is None:
            return self._data.substreams(function)
        return substreams(function, base.chosen)


def _places(run: AtomRun, base: Context) -> tuple[int, int]:
    """Where in the run the atoms of a timeline begin, and where they end."""
    first = bisect_left(run.times, base.start)
    return first, len(run.times) if base.end is None else bisect_right(run.times, base.end)


@dataclass(frozen=True, slots=True)
class _Slice(Sequence[TimedAtom]):
    """A part of a sequence that is not copied: a window function may need little of it."""

    _atoms: Sequence[TimedAtom]
    _first: int
    _end: int

    def __len__(self) -> int:
        return max(0, self._end - self._first)

    @overload
    def __getitem__(self, place: int) -> TimedAtom: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[TimedAtom]: ...
    def __getitem__(self, place: int | slice) -> TimedAtom | Sequence[TimedAtom]:
        places = range(self._first, max(self._first, self._end))[place]
        if isinstance(places, range):
            return [self._atoms[p] for p in places]
        return self._atoms[places]


# --- windows


def _clipped(
    base: Context, start: int, end: int | None, chosen: Sequence[TimedAtom] | None
) -> Context:
    if base.end is not None:
        end = base.end if end is None else min(end, base.end)
    return Context(max(start, base.start), end, chosen)


def _time_window(parameters: Parameters, base: Context, time: int) -> Context:
    past, future, step = parameters
    assert isinstance(step, int)
    pivot = time // step * step
    start = 0 if past is None else pivot - int(past)
    return _clipped(base, start, None if future is None else pivot + int(future), base.chosen)


@dataclass(frozen=True, slots=True)
class _Selected:
    """The places of the atoms that a tuple window selects, and its timeline before it is clipped."""

    places: Sequence[int]
    start: int
    end: int | None


def _select(run: AtomRun, parameters: Parameters, base: Context, time: int) -> _Selected:
    past, future = parameters
    assert isinstance(past, int)
    assert isinstance(future, int)
    first, end = _places(run, base)
    now = bisect_right(run.times, time, first, max(first, end))
    before = range(max(first, now - past), now)
    after = _next(run.times, now, max(now, end), future)
    return _Selected(
        [run.places[number] for number in (*before, *after)],
        time if past == 0 else run.times[before[0]] if len(before) == past else base.start,
        time if future == 0 else run.times[after[-1]] if len(after) == future else base.end,
    )


def _next(times: Sequence[int], now: int, end: int, number: int) -> Sequence[int]:
    """The next atoms; of those at the last time point, the greatest stay."""
    if number == 0 or end - now <= number:
        return range(now, min(end, now + number))
    last = times[now + number - 1]
    first, stop = bisect_left(times, last, now, end), bisect_right(times, last, now, end)
    return [*range(now, first), *range(stop - (number - (first - now)), stop)]


def _tuple_window(
    atoms: Sequence[TimedAtom], run: AtomRun, parameters: Parameters, base: Context, time: int
) -> Context:
    found = _select(run, parameters, base, time)
    return _clipped(base, found.start, found.end, [atoms[place] for place in found.places])


def _partition_window(
    atoms: Sequence[TimedAtom],
    parts: Sequence[AtomRun],
    parameters: Parameters,
    base: Context,
    time: int,
) -> Context:
    every = (_select(run, parameters, base, time) for run in parts)
    selected = [found for found in every if found.places]
    timelines = [_clipped(base, found.start, found.end, None) for found in selected]
    hull = _hull([*timelines, *([Context(time, time)] if time in base else [])])
    places = sorted(place for found in selected for place in found.places)
    return Context(hull.start, hull.end, [atoms[place] for place in places])


def _hull(contexts: Sequence[Context]) -> Context:
    if not contexts:
        return NOTHING
    ends = [context.end for context in contexts if context.end is not None]
    endless = len(ends) < len(contexts)
    return Context(min(context.start for context in contexts), None if endless else max(ends))


def _registry_window(
    name: str, inputs: Sequence[TimedAtom], parameters: Parameters, base: Context, time: int
) -> Context:
    window = find_window(name)
    assert window is not None, f"`{name}` was known when the program was checked"
    cut = window.select(Stream(inputs, base.start, base.end), time, *parameters)
    if cut.atoms is None:
        return _clipped(base, cut.start, cut.end, base.chosen)
    return _clipped(base, cut.start, cut.end, _among(inputs, frozenset(cut.atoms)))


def _among(inputs: Sequence[TimedAtom], wanted: frozenset[TimedAtom]) -> Sequence[TimedAtom]:
    """The inputs that are wanted, in their order."""
    if not wanted:
        return []
    times = [atom.time for atom in wanted]
    first = bisect_left(inputs, min(times), key=_time)
    end = bisect_right(inputs, max(times), key=_time)
    return [atom for atom in inputs[first:end] if atom in wanted]


def _time(atom: TimedAtom) -> int:
    return atom.time
