"""Entailment (Def. 7) of an instance of a formula, as far as it does not depend on undecided atoms.

The result is a ground formula in negation normal form; negation is pushed inwards on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.kernel.solver.contexts import WHOLE, Context, Windows
from horae.languages.lars.kernel.solver.formulas import (
    FALSE,
    TRUE,
    Ground,
    SolverLiteral,
    every,
    some,
    truth_formula,
)
from horae.languages.lars.kernel.solver.parameters import parameters_of
from horae.languages.lars.kernel.solver.reach import Budget, points, reach_of
from horae.languages.lars.kernel.solver.support import support
from horae.languages.lars.kernel.solver.truth import Atoms, Marks
from horae.languages.lars.kernel.solver.values import Binding, holds, instance, value_of
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
from horae.rules.arithmetic import Comparison
from horae.rules.terms import Atom

Combine = Callable[[Iterable[Ground]], Ground]


@dataclass(frozen=True)
class Grounder:
    atoms: Atoms
    windows: Windows
    marks: Marks
    budget: Budget

    def ground(self, formula: Formula, binding: Binding, time: int) -> Ground:
        """The formula at an evaluation time, in the whole stream."""
        return self._ground(formula, binding, WHOLE, time, True)

    def _ground(
        self, formula: Formula, binding: Binding, context: Context, time: int, sign: bool
    ) -> Ground:
        """The formula, or its negation where `sign` is False."""
        match formula:
            case Atom():
                return self._atom(formula, binding, context, time, sign)
            case Comparison():
                return truth_formula(bool(holds(formula, binding)) == sign)
            case Not(operand=operand):
                return self._ground(operand, binding, context, time, not sign)
            case And(operands=operands):
                return _combine(sign)(
                    self._ground(f, binding, context, time, sign) for f in operands
                )
            case Or(operands=operands):
                return _combine(not sign)(
                    self._ground(f, binding, context, time, sign) for f in operands
                )
            case Implies(left=left, right=right):
                return self._implies(left, right, binding, context, time, sign)
            case Some(operand=operand):
                times = self._times(operand, binding, context, True)
                return _combine(not sign)(
                    self._ground(operand, binding, context, t, sign) for t in times
                )
            case Always(operand=operand):
                times = self._times(operand, binding, context, False)
                return _combine(sign)(
                    self._ground(operand, binding, context, t, sign) for t in times
                )
            case At():
                return self._at(formula, binding, context, sign)
            case Window():
                window = self._window(formula, binding, context, time)
                return self._ground(formula.operand, binding, window, time, sign)
            case _:
                assert_never(formula)

    def _atom(
        self, atom: Atom, binding: Binding, context: Context, time: int, sign: bool
    ) -> Ground:
        truth = self.atoms.truth(TimedAtom(time, atom.predicate, instance(atom, binding)), context)
        if sign:
            return truth
        if isinstance(truth, SolverLiteral):
            return SolverLiteral(-truth.number)
        return FALSE if truth == TRUE else TRUE

    def _implies(
        self,
        left: Formula,
        right: Formula,
        binding: Binding,
        context: Context,
        time: int,
        sign: bool,
    ) -> Ground:
        return _combine(not sign)(
            self._ground(f, binding, context, time, s) for f, s in ((left, not sign), (right, sign))
        )

    def _at(self, formula: At, binding: Binding, context: Context, sign: bool) -> Ground:
        time = value_of(formula.time, binding)
        if not isinstance(time, int) or time not in context:
            return truth_formula(not sign)
        return self._ground(formula.operand, binding, context, time, sign)

    def _window(self, window: Window, binding: Binding, context: Context, time: int) -> Context:
        parameters = parameters_of(window.function, binding)
        assert parameters is not None, "an instance with such a window does not exist"
        base = WHOLE if window.choice is Choice.ORIGINAL else context
        return self.windows.cut(window.function, parameters, base, time)

    def _times(
        self, formula: Formula, binding: Binding, context: Context, sign: bool
    ) -> Iterator[int]:
        """The time points that decide whether the formula holds at some, or (`sign` False) at all."""
        known = support(formula, binding, self.atoms, context, sign)
        if known is None:
            return points(context, self.marks, reach_of(formula, binding), self.budget)
        return iter(sorted(known))


def _combine(conjunction: bool) -> Combine:
    return every if conjunction else some
