"""What is prepared of a rule once, for all evaluation times.

The conjuncts of a body fall into three sorts. What the search of the pattern decides exactly needs
no second look; what has no derived predicate is decided as soon as the variables are bound
(`checks`); the rest is `open`, and left to the solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from horae.languages.lars.kernel.solver.parameters import parameter_variables, parameters_of
from horae.languages.lars.kernel.solver.patterns import (
    Each,
    finds,
    focused,
    is_exact,
    pattern_of,
    with_needs,
)
from horae.languages.lars.kernel.solver.values import Binding, holds, is_time, value_of
from horae.languages.lars.kernel.time_columns import check_times
from horae.languages.lars.program import atoms
from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Formula,
    Implies,
    Not,
    Or,
    Rule,
    Some,
    Window,
    WindowFunction,
)
from horae.rules.arithmetic import Comparison, variables_of
from horae.rules.terms import Atom, Term, Variable


@dataclass(frozen=True, eq=False)
class Conjunct:
    formula: Formula
    variables: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Existence:
    """What must have a value for an instance to exist: comparisons, windows, and times behind `@`.

    Variables behind `@` stand for time points up to the `horizon`, if there is one.
    """

    comparisons: tuple[Comparison, ...]
    windows: tuple[WindowFunction, ...]
    times: tuple[Term, ...]
    horizon: int | None

    @property
    def variables(self) -> frozenset[str]:
        sides = (side for c in self.comparisons for side in (c.left, c.right))
        compared = (v.name for side in sides for v in variables_of(side))
        times = (term.name for term in self.times if isinstance(term, Variable))
        return frozenset((*compared, *times)).union(*map(parameter_variables, self.windows))

    def allows(self, binding: Binding) -> bool:
        return (
            all(self._is_time(term, binding) for term in self.times)
            and all(holds(c, binding) is not None for c in self.comparisons)
            and all(parameters_of(w, binding) is not None for w in self.windows)
        )

    def _is_time(self, term: Term, binding: Binding) -> bool:
        value = value_of(term, binding)
        if not isinstance(value, int) or not is_time(value):
            return False
        if self.horizon is not None and isinstance(term, Variable) and value > self.horizon:
            return False
        check_times([value])
        return True


@dataclass(frozen=True, eq=False)
class RulePlan:
    rule: Rule
    pattern: Each
    variations: tuple[
        tuple[str, int, Each], ...
    ]  # predicate, its number in the pattern, the search
    variables: tuple[str, ...]
    existence: Existence
    checks: tuple[Conjunct, ...]
    open: tuple[Conjunct, ...]
    kept: tuple[str, ...]  # the variables of head and open conjuncts: they tell instances apart


def prepare(rule: Rule, derived: frozenset[str], horizon: int | None = None) -> RulePlan:
    conjuncts = [Conjunct(f, _variables(f)) for f in _conjuncts(rule.body)]
    pattern = pattern_of([c.formula for c in conjuncts])
    still_open = [c for c in conjuncts if _predicates(c.formula) & derived]
    given = [c for c in conjuncts if c not in still_open and not is_exact(c.formula)]
    head = () if rule.head is None else _variables(rule.head)
    existence = _existence([*rule.body, *([] if rule.head is None else [rule.head])], horizon)
    kept = _distinct([*head, *(v for c in still_open for v in c.variables)])
    needed = existence.variables.union(kept, *(c.variables for c in given))
    return RulePlan(
        rule,
        with_needs(pattern, needed),
        tuple((p, n, with_needs(each, needed)) for p, n, each in _variations(pattern, derived)),
        _distinct(v for c in conjuncts for v in c.variables),
        existence,
        tuple(given),
        tuple(still_open),
        kept,
    )


def _variations(pattern: Each, derived: frozenset[str]) -> Iterator[tuple[str, int, Each]]:
    for find in finds(pattern):
        if find.predicate in derived:
            yield find.predicate, find.number, focused(pattern, find.number)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _conjuncts(formulas: Iterable[Formula]) -> Iterator[Formula]:
    for formula in formulas:
        if isinstance(formula, And):
            yield from _conjuncts(formula.operands)
        else:
            yield formula


def _predicates(formula: Formula) -> frozenset[str]:
    return frozenset(atom.predicate for atom in atoms(formula))


def parts(formula: Formula) -> Iterator[Formula]:
    """The formula and all its subformulas."""
    yield formula
    match formula:
        case Atom() | Comparison():
            pass
        case And(operands=operands) | Or(operands=operands):
            for operand in operands:
                yield from parts(operand)
        case Implies(left=left, right=right):
            yield from parts(left)
            yield from parts(right)
        case (
            Not(operand=operand)
            | Some(operand=operand)
            | Always(operand=operand)
            | At(operand=operand)
            | Window(operand=operand)
        ):
            yield from parts(operand)
        case _:
            assert_never(formula)


def _variables(formula: Formula) -> tuple[str, ...]:
    """The variables of a formula; those of the patterns of windows are not the rule's."""
    return _distinct(name for part in parts(formula) for name in _own_variables(part))


def _own_variables(part: Formula) -> Iterable[str]:
    match part:
        case Atom():
            return part.variables
        case Comparison(left=left, right=right):
            return [v.name for side in (left, right) for v in variables_of(side)]
        case At(time=Variable(name=name)):
            return (name,)
        case Window(function=function):
            return sorted(parameter_variables(function))
        case _:
            return ()


def _existence(formulas: Iterable[Formula], horizon: int | None) -> Existence:
    every = [part for formula in formulas for part in parts(formula)]
    return Existence(
        tuple(p for p in every if isinstance(p, Comparison)),
        tuple(p.function for p in every if isinstance(p, Window)),
        tuple(p.time for p in every if isinstance(p, At)),
        horizon,
    )
