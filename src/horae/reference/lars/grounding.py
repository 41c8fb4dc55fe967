"""Which values of a rule's variables can matter: all with which its body can be true.

The positive parts of the body bind the variables, by atoms that can hold. What is below `not` or
`->`, and what a window does to the atoms, is not looked at here: that makes more bindings than
needed, never fewer. Of windows and `@`, only the stretch of time is kept to which they lead (a
`Place`). Where `[]` binds a variable, its timeline has time points, so only values with which its atoms
can hold at some time matter; over an empty timeline it is true for all values, and other parts bind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from horae.data.constants import Value
from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Choice,
    Formula,
    Implies,
    Not,
    Or,
    Rule,
    Some,
    TimeWindow,
    Window,
    WindowFunction,
)
from horae.reference.lars.arithmetic import (
    Binding,
    NoValueError,
    UnboundError,
    compares,
    natural,
    value_of,
)
from horae.reference.lars.data import GroundAtom
from horae.reference.lars.failures import TooLargeError
from horae.reference.lars.instances import ground_window
from horae.reference.lars.spans import WHOLE, Span, contains, is_empty, meet
from horae.reference.lars.variables import time_variables, variables_in, variables_of_rule
from horae.reference.lars.windows import length
from horae.rules.arithmetic import Comparator, Comparison, TermExpression
from horae.rules.terms import Atom, Constant, Term, Variable


@dataclass(frozen=True)
class Possible:
    """Where atoms can hold. Time points behind the horizon are no values of time variables."""

    background: frozenset[GroundAtom]
    spans: Mapping[GroundAtom, Sequence[Span]]
    horizon: int | None


@dataclass(frozen=True)
class Place:
    """Between which time points the reference time lies, and the timeline of the window."""

    reference: Span
    timeline: Span


def bindings(rule: Rule, time: int, possible: Possible) -> Iterator[Binding]:
    """Values for all variables of the rule, each choice once."""
    finder = _Finder(possible, Place((time, time), WHOLE))
    wanted = variables_of_rule(rule)
    seen: set[frozenset[tuple[str, Value]]] = set()
    for binding in finder.complete(rule.body, {}, wanted):
        key = frozenset(binding.items())
        if key not in seen and _is_early(rule, binding, possible.horizon):
            seen.add(key)
            yield binding


def _is_early(rule: Rule, binding: Binding, horizon: int | None) -> bool:
    times = [binding[name] for name in time_variables(rule)]
    return horizon is None or all(isinstance(t, int) and t <= horizon for t in times)


class _Finder:
    def __init__(self, possible: Possible, start: Place) -> None:
        self.possible = possible
        self.start = start

    def complete(
        self, body: Sequence[Formula], binding: Binding, wanted: frozenset[str]
    ) -> Iterator[Binding]:
        """A part may need values that a later part binds: so the body is read again and again."""
        for found in self._conjunction(body, self.start, binding):
            if wanted <= found.keys():
                yield found
            elif found.keys() == binding.keys():
                missing = ", ".join(sorted(wanted - found.keys()))
                raise TooLargeError(f"nothing bounds the values of {missing}")
            else:
                yield from self.complete(body, found, wanted)

    def _conjunction(
        self, formulas: Sequence[Formula], place: Place, binding: Binding
    ) -> Iterator[Binding]:
        if not formulas:
            yield binding
            return
        first = _next(formulas, binding)
        rest = [f for f in formulas if f is not first]
        for found in self._find(first, place, binding):
            yield from self._conjunction(rest, place, found)

    def _find(self, formula: Formula, place: Place, binding: Binding) -> Iterator[Binding]:
        match formula:
            case Atom():
                yield from (b for b, _ in self._matches(formula, place, binding))
            case Comparison():
                yield from _compare(formula, binding)
            case Not() | Implies():
                yield binding
            case And(operands=operands):
                yield from self._conjunction(operands, place, binding)
            case Or(operands=operands):
                for operand in operands:
                    yield from self._find(operand, place, binding)
            case Some(operand=operand):
                inside = replace(place, reference=place.timeline)
                yield from self._find(operand, inside, binding)
            case Always(operand=operand):
                if variables_in(operand) <= binding.keys():
                    yield binding  # over an empty timeline it holds for any value
                else:
                    yield from self._find(operand, Place(WHOLE, WHOLE), binding)
            case At():
                yield from self._at(formula, place, binding)
            case Window(operand=operand):
                yield from self._find(operand, _enter(formula, place, binding), binding)
            case _:
                assert_never(formula)

    # --- atoms

    def _matches(
        self, atom: Atom, place: Place, binding: Binding
    ) -> Iterator[tuple[Binding, Span]]:
        """With the values of the atom's variables, where in the place the atom can hold."""
        within = meet(place.reference, place.timeline)
        for (predicate, values), spans in self._candidates(atom):
            found = _unify(atom, values, binding) if predicate == atom.predicate else None
            if found is None:
                continue
            for span in spans:
                holds = meet(within, span)
                if not is_empty(holds):
                    yield found, holds
            if (predicate, values) in self.possible.background and is_empty(within):
                yield found, within

    def _candidates(self, atom: Atom) -> Iterator[tuple[GroundAtom, Sequence[Span]]]:
        yield from self.possible.spans.items()
        yield from ((known, (WHOLE,)) for known in self.possible.background)

    # --- times

    def _at(self, formula: At, place: Place, binding: Binding) -> Iterator[Binding]:
        for found, where in self._times(formula, place, binding):
            inside = replace(place, reference=where)
            yield from self._find(formula.operand, inside, found)

    def _times(self, formula: At, place: Place, binding: Binding) -> Iterator[tuple[Binding, Span]]:
        """The time, where it is known or an atom behind `@` says it; else it stays open."""
        if isinstance(formula.time, Constant) or formula.time.name in binding:
            yield from _known_time(formula.time, place, binding)
            return
        inside = replace(place, reference=place.timeline)
        atom = _binder(formula.operand)
        found = [] if atom is None else [*self._matches(atom, inside, binding)]
        if atom is None or any(self._clip(span)[1] is None for _, span in found):
            yield binding, place.timeline
            return
        for other, span in found:
            start, end = self._clip(span)
            for moment in range(start, (end or 0) + 1):
                yield {**other, formula.time.name: moment}, (moment, moment)

    def _clip(self, span: Span) -> Span:
        return meet(span, (0, self.possible.horizon))


def _known_time(term: Term, place: Place, binding: Binding) -> Iterator[tuple[Binding, Span]]:
    try:
        time = natural(value_of(term, binding))
    except NoValueError:
        return
    if contains(place.timeline, time):
        yield binding, (time, time)


def _binder(formula: Formula) -> Atom | None:
    """The atom that binds T in `@T f`."""
    match formula:
        case Atom():
            return formula
        case And(operands=operands):
            return next(filter(None, map(_binder, operands)), None)
        case _:
            return None


def _unify(atom: Atom, values: Sequence[Value], binding: Binding) -> Binding | None:
    if len(values) != len(atom.arguments):
        return None
    found = dict(binding)
    for term, value in zip(atom.arguments, values, strict=True):
        wanted = term.value if isinstance(term, Constant) else found.setdefault(term.name, value)
        if wanted != value:
            return None
    return found


# --- windows


def _enter(formula: Window, place: Place, binding: Binding) -> Place:
    timeline = place.timeline if formula.choice is Choice.CURRENT else WHOLE
    around = _around(formula.function, place.reference, binding)
    return replace(place, timeline=meet(timeline, around))


def _around(function: WindowFunction, reference: Span, binding: Binding) -> Span:
    """The time points that a time window can reach; other windows can reach all."""
    if not isinstance(function, TimeWindow) or is_empty(reference):
        return WHOLE
    try:
        known = ground_window(function, binding)
    except (UnboundError, NoValueError):
        return WHOLE
    assert isinstance(known, TimeWindow)
    past, future, step = length(known.past), length(known.future), length(known.step) or 1
    start = 0 if past is None else reference[0] - (step - 1) - past
    endless = future is None or reference[1] is None
    return start, None if endless else (reference[1] or 0) + (future or 0)


# --- comparisons


def _next(formulas: Sequence[Formula], binding: Binding) -> Formula:
    """Comparisons that can be computed come first, those that cannot last.

    Before them comes `[]`: it may hold for values that its atoms never have.
    """
    ready = (f for f in formulas if _is_ready(f, binding))
    binders = (f for f in formulas if not isinstance(f, Comparison) and not _has_always(f))
    others = (f for f in formulas if not isinstance(f, Comparison))
    return next(ready, None) or next(binders, None) or next(others, formulas[0])


def _has_always(formula: Formula) -> bool:
    match formula:
        case Always():
            return True
        case And(operands=operands) | Or(operands=operands):
            return any(map(_has_always, operands))
        case Some(operand=operand) | At(operand=operand) | Window(operand=operand):
            return _has_always(operand)
        case _:
            return False


def _is_ready(formula: Formula, binding: Binding) -> bool:
    return isinstance(formula, Comparison) and any(True for _ in _compute(formula, binding))


def _compare(comparison: Comparison, binding: Binding) -> Iterator[Binding]:
    """`X = e` binds X; a comparison with an open variable says nothing yet."""
    yield from next(_compute(comparison, binding), [binding])


def _compute(comparison: Comparison, binding: Binding) -> Iterator[Iterable[Binding]]:
    """The bindings that are left, if the comparison can be computed."""
    left, right = comparison.left, comparison.right
    try:
        yield [binding] if compares(comparison, binding) else []
    except NoValueError:
        yield []
    except UnboundError:
        if comparison.comparator is Comparator.EQUAL:
            yield from _assign(left, right, binding)
            yield from _assign(right, left, binding)


def _assign(
    target: TermExpression, expression: TermExpression, binding: Binding
) -> Iterator[Iterable[Binding]]:
    if isinstance(target, Variable) and target.name not in binding:
        try:
            yield [{**binding, target.name: value_of(expression, binding)}]
        except NoValueError:
            yield []
        except UnboundError:
            return
