"""Searching a pattern: all bindings of its variables for which its atoms can be true.

The window under consideration is known exactly as long as the reference times and parameters on the
way to it are; where they are bound only later in the search, the search goes through the wider
window around it, and the exact formula decides afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from horae.data.constants import Value
from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.kernel.solver.contexts import WHOLE, Context, Windows
from horae.languages.lars.kernel.solver.parameters import parameter_variables, parameters_of
from horae.languages.lars.kernel.solver.patterns import (
    Cut,
    Each,
    Either,
    Find,
    Jump,
    Pattern,
    Somewhere,
    Test,
    Throughout,
)
from horae.languages.lars.kernel.solver.store import Layers, Store, StoredAtom
from horae.languages.lars.kernel.solver.values import Binding, holds, is_time, value_of
from horae.languages.lars.syntax.tree import Choice, NamedWindow, TimeWindow
from horae.rules.arithmetic import Comparator, Comparison, TermExpression, variables_of
from horae.rules.terms import Constant, Term, Variable


@dataclass(frozen=True, slots=True)
class SearchPlace:
    """Where the search stands: a window, and a time point in it or the name that it is to bind."""

    context: Context
    time: int | str
    exact: bool = True  # the window is exactly this one
    inputs_only: bool = False  # an unknown choice of the input atoms


class _Told:
    """The bindings with which a search has gone on behind each part, as far as they matter."""

    def __init__(self, needed: Sequence[tuple[str, ...] | None]) -> None:
        self._needed = needed
        self._seen: dict[int, set[tuple[Value | None, ...]]] = {}

    def is_new(self, binding: Binding, part: int) -> bool:
        names = self._needed[part] if self._needed else None
        if names is None:
            return True
        seen = self._seen.setdefault(part, set())
        size = len(seen)
        seen.add(tuple(map(binding.get, names)))
        return len(seen) > size


@dataclass(frozen=True, slots=True)
class Search:
    """The atoms that are or may be true; `news` are those that the atom numbered `focus` is to match."""

    windows: Windows
    store: Layers
    inputs: Store
    background: Store
    news: Store | None = None
    focus: int = -1
    is_last: bool = False  # all that other parts of the body can bind is bound

    def matches(self, pattern: Pattern, time: int, binding: Binding) -> Iterator[Binding]:
        """The bindings, with what is bound already."""
        return self._search(pattern, SearchPlace(WHOLE, time), binding)

    def _search(self, pattern: Pattern, place: SearchPlace, binding: Binding) -> Iterator[Binding]:
        match pattern:
            case Find():
                return self._find(pattern, place, binding)
            case Each():
                return self._each(pattern, place, binding)
            case Either(parts=parts):
                return (b for part in parts for b in self._search(part, place, binding))
            case Jump(time=term, part=part):
                return self._jump(term, part, place, binding)
            case Somewhere(name=name, part=part):
                return self._search(part, replace(place, time=name), binding)
            case Throughout(name=name, part=part):
                return self._throughout(name, part, place, binding)
            case Cut():
                return self._cut(pattern, place, binding)
            case Test(comparison=comparison):
                return _test(comparison, binding)
            case _:
                assert_never(pattern)

    def _each(self, pattern: Each, place: SearchPlace, binding: Binding) -> Iterator[Binding]:
        """One part after the other; a stack of what is still to be tried, because bodies can be long."""
        parts, tell = pattern.parts, _Told(pattern.needed)
        if not parts:
            yield binding
            return
        tried = [self._search(parts[0], place, binding)]
        while tried:
            found = next(tried[-1], None)
            if found is None:
                tried.pop()
            elif len(tried) == len(parts):
                yield found
            elif tell.is_new(found, len(tried) - 1):
                tried.append(self._search(parts[len(tried)], place, found))

    def _jump(
        self, term: Term, part: Pattern, place: SearchPlace, binding: Binding
    ) -> Iterator[Binding]:
        if isinstance(term, Variable) and term.name not in binding:
            return self._search(part, replace(place, time=term.name), binding)
        time = value_of(term, binding)
        if not isinstance(time, int) or not is_time(time) or time not in place.context:
            return iter(())
        return self._search(part, replace(place, time=time), binding)

    def _throughout(
        self, name: str, part: Pattern, place: SearchPlace, binding: Binding
    ) -> Iterator[Binding]:
        """Over an empty timeline `[]` is true of everything, and other parts bind the variables.

        Where none does, they stand for what may hold at any time.
        """
        if place.exact and not place.context.is_empty:
            return self._search(part, replace(place, time=place.context.start), binding)
        if self.is_last:
            return self._search(part, SearchPlace(WHOLE, name, exact=False), binding)
        return iter((binding,))

    def _cut(self, pattern: Cut, place: SearchPlace, binding: Binding) -> Iterator[Binding]:
        function = pattern.function
        if pattern.choice is Choice.ORIGINAL:
            place = SearchPlace(WHOLE, place.time)
        time = _time(place, binding)
        if time is None or not place.exact or not parameter_variables(function) <= binding.keys():
            chooses = not isinstance(function, TimeWindow | NamedWindow)
            wider = replace(place, exact=False, inputs_only=place.inputs_only or chooses)
            return self._search(pattern.part, wider, binding)
        parameters = parameters_of(function, binding)
        if parameters is None:
            return iter(())
        window = self.windows.cut(function, parameters, place.context, time)
        return self._search(pattern.part, SearchPlace(window, time), binding)

    # --- atoms

    def _find(self, find: Find, place: SearchPlace, binding: Binding) -> Iterator[Binding]:
        bound = _bound(find, binding)
        time = _time(place, binding)
        yield from _bind(
            find, self._rows(find, bound, place.context, place, time), time, place, binding
        )
        if find.number != self.focus:
            yield from self._static(find, bound, place, time, binding)

    def _rows(
        self,
        find: Find,
        bound: dict[int, Value],
        context: Context,
        place: SearchPlace,
        time: int | None,
    ) -> Iterable[StoredAtom]:
        start, end = (context.start, context.end) if time is None else (time, time)
        if time is not None and time not in context:
            return ()
        if context.chosen is not None:
            return _among(context.chosen, find.predicate, bound, start, end)
        if find.number == self.focus:
            assert self.news is not None
            return () if place.inputs_only else self.news.find(find.predicate, bound, start, end)
        if place.inputs_only:
            return self.inputs.find(find.predicate, bound, start, end)
        return self.store.find(find.predicate, bound, start, end)

    def _static(
        self,
        find: Find,
        bound: dict[int, Value],
        place: SearchPlace,
        time: int | None,
        binding: Binding,
    ) -> Iterator[Binding]:
        """Background data holds at all time points: those of a window that ends are listed."""
        rows = self.background.find(find.predicate, bound, 0, 0)
        if not rows or (time is None and place.context.is_empty):
            return
        for times in _times(place) if time is None else [{}]:
            yield from _bind(find, rows, 0, place, {**binding, **times})


def _time(place: SearchPlace, binding: Binding) -> int | None:
    if isinstance(place.time, int):
        return place.time
    time = binding.get(place.time)
    return time if isinstance(time, int) else None


def _times(place: SearchPlace) -> Iterable[dict[str, int]]:
    """The times that a name can stand for; it stays free in a window without end or not yet known."""
    name, context = place.time, place.context
    assert isinstance(name, str)
    if context.end is None or not place.exact or name.startswith(("<>", "[]")):
        return [{}]
    return ({name: time} for time in range(context.start, context.end + 1))


def _bound(find: Find, binding: Binding) -> dict[int, Value]:
    bound: dict[int, Value] = {}
    for place, term in enumerate(find.arguments):
        if isinstance(term, Constant):
            bound[place] = term.value
        elif term.name in binding:
            bound[place] = binding[term.name]
    return bound


def _among(
    chosen: Sequence[TimedAtom],
    predicate: str,
    bound: dict[int, Value],
    start: int,
    end: int | None,
) -> Iterator[StoredAtom]:
    for time, name, arguments in chosen:
        fits = name == predicate and start <= time and (end is None or time <= end)
        if fits and all(arguments[p] == v for p, v in bound.items()):
            yield time, arguments


def _bind(
    find: Find, rows: Iterable[StoredAtom], time: int | None, place: SearchPlace, binding: Binding
) -> Iterator[Binding]:
    for at, arguments in rows:
        found = dict(binding)
        if time is None:
            assert isinstance(place.time, str)
            found[place.time] = at
        if _unify(find.arguments, arguments, found):
            yield found


def _unify(terms: tuple[Term, ...], values: tuple[Value, ...], found: dict[str, Value]) -> bool:
    """Bind the variables; False if one has another value already. Constants fit by the index."""
    return all(
        isinstance(term, Constant) or found.setdefault(term.name, value) == value
        for term, value in zip(terms, values, strict=True)
    )


# --- comparisons


def _test(comparison: Comparison, binding: Binding) -> Iterator[Binding]:
    """The binding if the comparison holds; one that cannot be decided yet passes."""
    left, right = _free(comparison.left, binding), _free(comparison.right, binding)
    if not left and not right:
        return iter((binding,) if holds(comparison, binding) else ())
    if comparison.comparator is Comparator.EQUAL:
        if not left and isinstance(comparison.right, Variable):
            return _assign(comparison.right.name, comparison.left, binding)
        if not right and isinstance(comparison.left, Variable):
            return _assign(comparison.left.name, comparison.right, binding)
    return iter((binding,))


def _free(expression: TermExpression, binding: Binding) -> bool:
    return any(v.name not in binding for v in variables_of(expression))


def _assign(name: str, expression: TermExpression, binding: Binding) -> Iterator[Binding]:
    value = value_of(expression, binding)
    return iter(() if value is None else ({**binding, name: value},))
