"""Time points outside of which a formula is certainly false: so `<>` need not look there.

An atom is true only at the times it has; a conjunction, only where its rarest part is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from horae.languages.lars.kernel.solver.contexts import Context
from horae.languages.lars.kernel.solver.truth import Atoms
from horae.languages.lars.kernel.solver.values import Binding, holds, instance
from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Formula,
    Implies,
    Not,
    Or,
    Some,
    Window,
)
from horae.rules.arithmetic import Comparison
from horae.rules.terms import Atom


def support(
    formula: Formula, binding: Binding, atoms: Atoms, context: Context, sign: bool
) -> set[int] | None:
    """The support of the formula in a window, or of its negation where `sign` is False; None: no
    bound is known.
    """

    def below(operand: Formula, positive: bool) -> set[int] | None:
        return support(operand, binding, atoms, context, positive)

    match formula:
        case Atom():
            return _atom(formula, binding, atoms, context) if sign else None
        case Comparison():
            return None if bool(holds(formula, binding)) == sign else set()
        case Not(operand=operand):
            return below(operand, not sign)
        case And(operands=operands):
            return _combine((below(f, sign) for f in operands), sign)
        case Or(operands=operands):
            return _combine((below(f, sign) for f in operands), not sign)
        case Implies(left=left, right=right):
            sides = (below(left, not sign), below(right, sign))
            return _combine(sides, not sign)
        case Some() | Always() | At() | Window():
            return None
        case _:
            assert_never(formula)


def _atom(atom: Atom, binding: Binding, atoms: Atoms, context: Context) -> set[int] | None:
    times = atoms.times_of(atom.predicate, instance(atom, binding), context)
    return None if times is None else set(times)


def _combine(supports: Iterable[set[int] | None], conjunction: bool) -> set[int] | None:
    known = list(supports)
    bounded = [s for s in known if s is not None]
    if conjunction:
        return min(bounded, key=len, default=None)
    return set().union(*bounded) if len(bounded) == len(known) else None
