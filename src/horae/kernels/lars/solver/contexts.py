"""The window under consideration, and the windows that are cut from it (Def. 2 and 3).

A context stands for the stream S of Def. 7 without its derived atoms: a timeline, and the input
atoms that a window has chosen. Where no window has chosen atoms, all atoms of the timeline are
seen.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import assert_never

from horae.kernels.lars.solver.parameters import Parameters
from horae.languages.lars.tree import (
    NamedWindow,
    PartitionWindow,
    TimeWindow,
    TupleWindow,
    WindowFunction,
)
from horae.languages.lars.window_functions import Stream, TimedAtom, find_window
from horae.languages.rules.terms import Atom, Constant, Value, Variable


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

    def __init__(self, data: Sequence[TimedAtom]) -> None:
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
                return _tuple_window(self._inputs(base), parameters, base, time)
            case PartitionWindow():
                return _partition_window(function, self._inputs(base), parameters, base, time)
            case NamedWindow(name=name):
                return _registry_window(name, self._inputs(base), parameters, base, time)
            case _:
                assert_never(function)

    def _inputs(self, base: Context) -> Sequence[TimedAtom]:
        """The input atoms of a stream."""
        atoms = self._data if base.chosen is None else base.chosen
        first = bisect_left(atoms, (base.start,))
        return atoms[
            first : len(atoms) if base.end is None else bisect_left(atoms, (base.end + 1,))
        ]


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


def _tuple_window(
    inputs: Sequence[TimedAtom], parameters: Parameters, base: Context, time: int
) -> Context:
    past, future = parameters
    assert isinstance(past, int)
    assert isinstance(future, int)
    now = bisect_left(inputs, (time + 1,))
    before, after = inputs[max(0, now - past) : now], _next(inputs[now:], future)
    start = time if past == 0 else before[0].time if len(before) == past else base.start
    end = time if future == 0 else after[-1].time if len(after) == future else base.end
    return _clipped(base, start, end, [*before, *after])


def _next(inputs: Sequence[TimedAtom], number: int) -> Sequence[TimedAtom]:
    """The next atoms; of those at the last time point, the greatest stay."""
    if number == 0 or len(inputs) <= number:
        return inputs[:number]
    last = inputs[number - 1].time
    first, end = bisect_left(inputs, (last,)), bisect_left(inputs, (last + 1,))
    return [*inputs[:first], *inputs[end - (number - first) : end]]


def _partition_window(
    function: PartitionWindow,
    inputs: Sequence[TimedAtom],
    parameters: Parameters,
    base: Context,
    time: int,
) -> Context:
    parts = [
        _tuple_window(substream, parameters, base, time)
        for substream in _substreams(function, inputs)
    ]
    selected = [part for part in parts if part.chosen]
    members = frozenset(atom for part in selected for atom in part.chosen or ())
    hull = _hull([*selected, *([Context(time, time)] if time in base else [])])
    return Context(hull.start, hull.end, [atom for atom in inputs if atom in members])


def _hull(contexts: Sequence[Context]) -> Context:
    if not contexts:
        return NOTHING
    ends = [context.end for context in contexts if context.end is not None]
    endless = len(ends) < len(contexts)
    return Context(min(context.start for context in contexts), None if endless else max(ends))


def _substreams(
    function: PartitionWindow, inputs: Sequence[TimedAtom]
) -> Iterable[list[TimedAtom]]:
    columns = [_column(function.pattern, variable) for variable in function.by]
    parts: dict[tuple[Value, ...], list[TimedAtom]] = {}
    for atom in inputs:
        if _matches(function.pattern, atom):
            parts.setdefault(tuple(atom.arguments[c] for c in columns), []).append(atom)
    return parts.values()


def _column(pattern: Atom, variable: Variable) -> int:
    return next(i for i, term in enumerate(pattern.arguments) if term == variable)


def _matches(pattern: Atom, atom: TimedAtom) -> bool:
    """The variables of a pattern are free, but one that occurs twice has one value."""
    if pattern.predicate != atom.predicate or len(pattern.arguments) != len(atom.arguments):
        return False
    seen: dict[str, Value] = {}
    for term, value in zip(pattern.arguments, atom.arguments, strict=True):
        expected = term.value if isinstance(term, Constant) else seen.setdefault(term.name, value)
        if expected != value:
            return False
    return True


def _registry_window(
    name: str, inputs: Sequence[TimedAtom], parameters: Parameters, base: Context, time: int
) -> Context:
    window = find_window(name)
    assert window is not None, f"`{name}` was known when the program was checked"
    cut = window.select(Stream(inputs, base.start, base.end), time, *parameters)
    if cut.atoms is None:
        return _clipped(base, cut.start, cut.end, base.chosen)
    wanted = frozenset(cut.atoms)
    return _clipped(base, cut.start, cut.end, [atom for atom in inputs if atom in wanted])
