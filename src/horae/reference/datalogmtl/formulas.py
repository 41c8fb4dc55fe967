"""When a formula holds: Table 1 of the paper, line by line, region by region."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import assert_never

from horae.data.constants import Value
from horae.data.intervals import Interval
from horae.languages.datalogmtl.program import atoms
from horae.languages.datalogmtl.syntax.tree import (
    Binary,
    BinaryOperator,
    Formula,
    Head,
    Literal,
    Modal,
    Operator,
)
from horae.reference.datalogmtl.regions import Timeline
from horae.rules.terms import Atom, Variable

GroundAtom = tuple[str, tuple[Value, ...]]
Truth = Mapping[GroundAtom, int]
"""Where each ground atom holds, as a set of regions. An atom that is not there holds nowhere."""
Substitution = Mapping[str, Value]


class Valuation:
    """Formulas and literals under one interpretation. `negated` answers what stands under a `not`."""

    def __init__(self, timeline: Timeline, truth: Truth, negated: Truth) -> None:
        self.timeline, self._truth, self._negated = timeline, truth, negated
        self._known: dict[tuple[object, ...], int] = {}

    def literal(self, literal: Literal, values: Substitution) -> int:
        if literal.negated:
            return self.timeline.everything & ~self._of(literal.formula, values, self._negated)
        return self._of(literal.formula, values, self._truth)

    def _of(self, formula: Formula, values: Substitution, truth: Truth) -> int:
        if isinstance(formula, Atom):
            return truth.get(ground(formula, values), 0)
        key = (id(formula), id(truth), *(values[name] for name in variables(formula)))
        if key not in self._known:
            self._known[key] = self._compute(formula, values, truth)
        return self._known[key]

    def _compute(self, formula: Modal | Binary, values: Substitution, truth: Truth) -> int:
        match formula:
            case Modal(operator=operator, interval=interval, operand=operand):
                return _modal(self.timeline, operator, interval, self._of(operand, values, truth))
            case Binary(operator=operator, interval=interval, left=left, right=right):
                sides = self._of(left, values, truth), self._of(right, values, truth)
                return _binary(self.timeline, operator, interval, *sides)
            case _:
                assert_never(formula)


def _modal(timeline: Timeline, operator: Operator, interval: Interval, operand: int) -> int:
    match operator:
        case Operator.BOX_MINUS:
            return _everywhere(operand, timeline.past(interval))
        case Operator.DIAMOND_MINUS:
            return _somewhere(operand, timeline.past(interval))
        case Operator.BOX_PLUS:
            return _everywhere(operand, timeline.future(interval))
        case Operator.DIAMOND_PLUS:
            return _somewhere(operand, timeline.future(interval))
        case _:
            assert_never(operator)


def _binary(
    timeline: Timeline, operator: BinaryOperator, interval: Interval, left: int, right: int
) -> int:
    """Some t′ in sight has the right side, and all times strictly between t and t′ the left one.

    Of the times with the right side only the nearest counts: from further away, more lies between.
    """
    since = operator is BinaryOperator.SINCE
    views = timeline.past(interval) if since else timeline.future(interval)
    now = Fraction(0) in interval

    def fits(here: int, seen: int) -> bool:
        if not seen:
            return False
        there = _highest(seen) if since else _highest(seen & -seen)
        if here == there and now:
            return True  # t′ = t: nothing lies between
        needed = timeline.between(here, there)
        return left & needed == needed

    return _collect(fits(here, right & view) for here, view in enumerate(views))


def spread(timeline: Timeline, head: Head, body: int) -> int:
    """Where the atom of a head has to hold if the head has to hold on `body`.

    `Boxplus[a,b]` at t puts what is inside at all t + s with s in [a,b], `Boxminus` at all t − s.
    """
    for operator, interval in head.boxes:
        plus = operator is Operator.BOX_PLUS
        views = timeline.past(interval) if plus else timeline.future(interval)
        body = _somewhere(body, views)
    return body


def _everywhere(operand: int, views: Iterable[int]) -> int:
    return _collect(operand & view == view for view in views)


def _somewhere(operand: int, views: Iterable[int]) -> int:
    return _collect(operand & view != 0 for view in views)


def _highest(mask: int) -> int:
    return mask.bit_length() - 1


def _collect(holds: Iterable[bool]) -> int:
    return sum(1 << index for index, value in enumerate(holds) if value)


def ground(atom: Atom, values: Substitution) -> GroundAtom:
    arguments = (values[t.name] if isinstance(t, Variable) else t.value for t in atom.arguments)
    return atom.predicate, tuple(arguments)


def variables(formula: Formula) -> tuple[str, ...]:
    """The variables of a formula, each once, in the order of the text."""
    return tuple(dict.fromkeys(name for atom in atoms(formula) for name in atom.variables))
