"""Entailment (Def. 7) by recursion, in many interpretations at once.

The truth of a formula is a pair of bit sets over interpretations: those in which it certainly
holds, and those in which it may hold. Where each atom is known to hold or not, both are the same,
and what is computed is Def. 7 to the letter. Where some atoms are not known, the pair encloses
the truth (Kleene's logic).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Choice,
    Formula,
    Implies,
    Not,
    Or,
    Some,
    Window,
)
from horae.reference.lars.arithmetic import compares, natural, value_of
from horae.reference.lars.data import GroundAtom
from horae.reference.lars.spans import contains
from horae.reference.lars.tail import Tail
from horae.reference.lars.windows import EVERYTHING, View, cut
from horae.rules.arithmetic import Comparison
from horae.rules.terms import Atom, Constant

Truth = tuple[int, int]
FALSE: Truth = (0, 0)


@dataclass(frozen=True)
class Scene:
    """What all interpretations share: background data, input atoms in the order of ties, the tail."""

    background: frozenset[GroundAtom]
    given: Sequence[TimedAtom]
    tail: Tail


@dataclass(frozen=True)
class Structures:
    """The interpretations: `everywhere` is the set of all. Atoms that are not in `truths` never hold."""

    scene: Scene
    truths: Mapping[TimedAtom, Truth]
    everywhere: int
    _modal: dict[tuple[int, View], Truth] = field(default_factory=dict)

    def conjunction(self, formulas: Iterable[Formula], time: int) -> Truth:
        return self._all(self.entails(formula, time) for formula in formulas)

    def entails(self, formula: Formula, time: int, view: View = EVERYTHING) -> Truth:
        match formula:
            case Atom():
                return self._atom(ground_atom(formula), time, view)
            case Comparison():
                return self._constant(compares(formula, {}))
            case Not(operand=operand):
                return self._not(self.entails(operand, time, view))
            case And(operands=operands):
                return self._all(self.entails(f, time, view) for f in operands)
            case Or(operands=operands):
                return self._any(self.entails(f, time, view) for f in operands)
            case Implies(left=left, right=right):
                premise = self._not(self.entails(left, time, view))
                return self._any([premise, self.entails(right, time, view)])
            case Some() | Always():
                return self._over_time(formula, view)
            case At(time=term, operand=operand):
                moment = natural(value_of(term, {}))
                inside = contains(view.timeline, moment)
                return self.entails(operand, moment, view) if inside else FALSE
            case Window(choice=choice, function=function, operand=operand):
                source = view if choice is Choice.CURRENT else EVERYTHING
                window = cut(function, source, time, self.scene.given)
                return self.entails(operand, time, window)
            case _:
                assert_never(formula)

    def _atom(self, atom: GroundAtom, time: int, view: View) -> Truth:
        if atom in self.scene.background:
            return self._constant(True)
        timed = TimedAtom(time, *atom)
        return self.truths.get(timed, FALSE) if view.shows(timed) else FALSE

    def _over_time(self, formula: Some | Always, view: View) -> Truth:
        """Does not depend on the reference time: so it is computed once for each window."""
        key = (id(formula), view)
        if key not in self._modal:
            points = self.scene.tail.points(view.timeline)
            truths = (self.entails(formula.operand, time, view) for time in points)
            some = isinstance(formula, Some)
            self._modal[key] = self._any(truths) if some else self._all(truths)
        return self._modal[key]

    # --- connectives

    def _constant(self, value: bool) -> Truth:
        return (self.everywhere, self.everywhere) if value else FALSE

    def _not(self, truth: Truth) -> Truth:
        certain, possible = truth
        return self.everywhere ^ possible, self.everywhere ^ certain

    def _all(self, truths: Iterable[Truth]) -> Truth:
        certain = possible = self.everywhere
        for truth in truths:
            certain, possible = certain & truth[0], possible & truth[1]
        return certain, possible

    def _any(self, truths: Iterable[Truth]) -> Truth:
        certain = possible = 0
        for truth in truths:
            certain, possible = certain | truth[0], possible | truth[1]
        return certain, possible


def ground_atom(atom: Atom) -> GroundAtom:
    return atom.predicate, tuple(t.value for t in atom.arguments if isinstance(t, Constant))
