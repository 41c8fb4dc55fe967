"""Ground rules as a program for clingo.

A body is a conjunction of parts. Three sorts of them are told apart by what a smaller model can do
to them:

- *monotone* (no negation): an auxiliary atom, defined by positive rules, stands for it
- *antitone* (all negated): it stays true in every smaller model, as `not aux` does, with aux for
  its negation
- *mixed*: `not aux` as well, but that is too much: in a smaller model the part could become false,
  and so free the rule of its duty. All answers are found, and perhaps others, which `minimal.py`
  refuses

A head is a conjunction of clauses. A negated atom of a clause moves to the body: whether the rule
counts in the reduct or not, models below say the same of it. A conjunction within a disjunction
gets an auxiliary atom, defined in both directions. Long disjunctions: see `disjunctions.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from clingo.backend import Backend
from clingo.symbol import Function, Number

from horae.languages.lars.kernel.solver.disjunctions import Disjunctions
from horae.languages.lars.kernel.solver.formulas import (
    FALSE,
    TRUE,
    All,
    Any,
    Ground,
    GroundRule,
    SolverLiteral,
    literals,
    negation,
)


class Encoder:
    """`atoms` are clingo's names of the undecided atoms; `is_exact` tells that no part was mixed.

    Atoms have symbols, because clingo takes consequences of those alone.
    """

    def __init__(self, backend: Backend, numbers: Sequence[int]) -> None:
        self._backend = backend
        self._clauses = Disjunctions(backend)
        self._auxiliaries: dict[Ground, int] = {}
        self.atoms = {n: backend.add_atom(Function("x", [Number(n)])) for n in numbers}
        self.is_exact = True

    def literal(self, formula: Ground) -> int:
        """A literal with the value of the formula."""
        if isinstance(formula, SolverLiteral):
            atom = self.atoms[abs(formula.number)]
            return atom if formula.number > 0 else -atom
        if formula not in self._auxiliaries:
            self._auxiliaries[formula] = self._define(formula)
        return self._auxiliaries[formula]

    def _define(self, formula: All | Any) -> int:
        auxiliary = self._backend.add_atom()
        parts = [self.literal(part) for part in formula.parts]
        for body in [parts] if isinstance(formula, All) else [[part] for part in parts]:
            self._clauses.add([auxiliary], body)
        return auxiliary

    def add_all(self, rules: Iterable[GroundRule]) -> None:
        for rule in rules:
            self._add(rule)
        self._clauses.close()

    def _add(self, rule: GroundRule) -> None:
        body = [self._condition(part) for part in parts_of(rule.body)]
        if rule.head != FALSE and any(is_mixed(part) for part in parts_of(rule.body)):
            self.is_exact = False
        self._require(rule.head, body)

    def _condition(self, part: Ground) -> int:
        """A part of a body, in the reduct."""
        if all(number > 0 for number in literals(part)):
            return self.literal(part)
        return -self.literal(negation(part))

    # --- heads

    def _require(self, head: Ground, body: list[int]) -> None:
        match head:
            case All(parts=parts):
                for part in parts:
                    self._require(part, body)
            case Any(parts=parts):
                self._clause(parts, body)
            case SolverLiteral():
                self._clause((head,), body)
            case _:
                assert_never(head)

    def _clause(self, parts: Sequence[Ground], body: list[int]) -> None:
        heads, duties = list[int](), list(body)
        for part in parts:
            if all(number < 0 for number in literals(part)):
                duties.append(self.literal(negation(part)))
            else:
                heads.append(self._alternative(part))
        self._clauses.add(heads, duties)

    def _alternative(self, part: Ground) -> int:
        if isinstance(part, SolverLiteral):
            return self.literal(part)
        assert isinstance(part, All), "a disjunction has no disjunctions as parts"
        auxiliary = self._backend.add_atom()
        for conjunct in part.parts:
            self._require(conjunct, [auxiliary])
        self._clauses.add([auxiliary], [self._condition(p) for p in part.parts])
        self.is_exact = self.is_exact and all(number > 0 for number in literals(part))
        return auxiliary


def parts_of(body: Ground) -> tuple[Ground, ...]:
    return body.parts if isinstance(body, All) else (body,)


def is_mixed(part: Ground) -> bool:
    signs = {number > 0 for number in literals(part)}
    return len(signs) > 1


def is_trivial(rule: GroundRule) -> bool:
    """Whether a rule says nothing."""
    return rule.head == TRUE or rule.body == FALSE
