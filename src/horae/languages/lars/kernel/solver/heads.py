"""The atoms in the head of an instance, with their times: what it may derive."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import assert_never

from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.kernel.solver.contexts import WHOLE, Context, Windows
from horae.languages.lars.kernel.solver.parameters import parameters_of
from horae.languages.lars.kernel.solver.values import Binding, instance, value_of
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


def head_atoms(
    formula: Formula, binding: Binding, windows: Windows, time: int, context: Context = WHOLE
) -> Iterator[TimedAtom]:
    """Quantifiers range over the whole timeline of their windows, which heads bound."""

    def below(operand: Formula, window: Context, at: int) -> Iterator[TimedAtom]:
        return head_atoms(operand, binding, windows, at, window)

    match formula:
        case Atom(predicate=predicate):
            seen = [TimedAtom(time, predicate, instance(formula, binding))]
            return iter(seen if time in context else ())
        case Comparison():
            return iter(())
        case Not(operand=operand):
            return below(operand, context, time)
        case And(operands=operands) | Or(operands=operands):
            return chain.from_iterable(below(f, context, time) for f in operands)
        case Implies(left=left, right=right):
            return chain(below(left, context, time), below(right, context, time))
        case Some(operand=operand) | Always(operand=operand):
            return chain.from_iterable(below(operand, context, t) for t in _timeline(context))
        case At(time=term, operand=operand):
            at = value_of(term, binding)
            return (
                below(operand, context, at) if isinstance(at, int) and at in context else iter(())
            )
        case Window(operand=operand):
            return below(operand, _window(formula, binding, windows, time, context), time)
        case _:
            assert_never(formula)


def _window(
    window: Window, binding: Binding, windows: Windows, time: int, context: Context
) -> Context:
    parameters = parameters_of(window.function, binding)
    assert parameters is not None, "an instance with such a window does not exist"
    base = WHOLE if window.choice is Choice.ORIGINAL else context
    return windows.cut(window.function, parameters, base, time)


def _timeline(context: Context) -> range:
    assert context.end is not None, "a quantifier in a head has a window that ends"
    return range(context.start, context.end + 1)
