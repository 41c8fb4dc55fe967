"""Whether a model is minimal among the models of its reduct (Def. 9), by a search for a smaller one.

The reduct has the rules whose bodies hold in the model. They are taken classically: in a smaller
model, a body that does not hold asks for nothing.

A model that is not minimal is refused together with all others that fail for the same reason. Say
that it stays a model of its reduct without the atoms of a set D. Each rule about D is then satisfied
by some literals outside of D, or is not in the reduct; any model with those literals and an atom of
D stays one without D, too. So a refusal is a clause, and few of them refuse many models.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from clingo.backend import Backend
from clingo.control import Control
from clingo.propagator import PropagateControl, PropagateInit, Propagator

from horae.languages.lars.kernel.solver.encode import Encoder
from horae.languages.lars.kernel.solver.formulas import (
    All,
    Any,
    Ground,
    GroundRule,
    SolverLiteral,
    is_true,
    literals,
    within,
)


class MinimalOnly(Propagator):
    """Refuses candidates that are not minimal. `atoms` are clingo's names of the atoms."""

    def __init__(self, rules: Sequence[GroundRule], atoms: Mapping[int, int]) -> None:
        self._rules = rules
        self._atoms = atoms
        self._literals: dict[int, int] = {}

    def init(self, init: PropagateInit) -> None:
        self._literals = {n: init.solver_literal(atom) for n, atom in self._atoms.items()}

    def check(self, control: PropagateControl) -> None:
        values = control.assignment
        model = frozenset(n for n, literal in self._literals.items() if values.is_true(literal))
        smaller = smaller_model(model, self._rules)
        if smaller is not None:
            refused = refusal(model, model - smaller, self._rules)
            control.add_clause([-self._solver_literal(n) for n in refused], lock=True)

    def _solver_literal(self, number: int) -> int:
        literal = self._literals[abs(number)]
        return literal if number > 0 else -literal


def smaller_model(model: frozenset[int], rules: Iterable[GroundRule]) -> frozenset[int] | None:
    """A smaller model of the reduct, with as many atoms as comes easily; None: there is none."""
    reduct = [rule for rule in rules if is_true(rule.body, model)]
    control = Control(["1", "--warn=none", "--sign-def=pos"])
    with control.backend() as backend:
        encoder = _ask_for_less(backend, model, reduct)
    with control.solve(yield_=True) as handle:
        for found in handle:
            return frozenset(n for n, atom in encoder.atoms.items() if found.is_true(atom))
    return None


def _ask_for_less(backend: Backend, model: frozenset[int], reduct: list[GroundRule]) -> Encoder:
    encoder = Encoder(backend, sorted(model))
    atoms = list(encoder.atoms.values())
    backend.add_rule(atoms, [], choice=True)
    backend.add_rule([], atoms)
    for rule in reduct:
        body, head = within(rule.body, model), within(rule.head, model)
        backend.add_rule([], [encoder.literal(body), -encoder.literal(head)])
    return encoder


# --- what else fails for the same reason


def refusal(
    model: frozenset[int], without: frozenset[int], rules: Iterable[GroundRule]
) -> set[int]:
    """Literals that no answer has together, and this model has."""
    found = {min(without)}
    for rule in rules:
        if any(abs(n) in without for f in (rule.head, rule.body) for n in literals(f)):
            found |= min(_ways(rule, model, without), key=lambda way: (len(way), sorted(way)))
    return found


def _ways(
    rule: GroundRule, model: frozenset[int], without: frozenset[int]
) -> Iterator[frozenset[int]]:
    """Why the rule asks for nothing without those atoms: it is not in the reduct, or satisfied."""
    rest = model - without
    for formula, value, where, gone in (
        (rule.body, False, model, frozenset[int]()),
        (rule.body, False, rest, without),
        (rule.head, True, rest, without),
    ):
        if is_true(formula, where) == value:
            yield reason(formula, value, where, gone)


def reason(
    formula: Ground, value: bool, model: Collection[int], gone: Collection[int]
) -> frozenset[int]:
    """Literals of the model that give the formula its value, wherever the atoms `gone` are false."""
    match formula:
        case SolverLiteral(number=number):
            return frozenset() if abs(number) in gone else frozenset({number if value else -number})
        case All(parts=parts) | Any(parts=parts):
            decisive = [p for p in parts if is_true(p, model) == value]
            reasons = [reason(p, value, model, gone) for p in decisive]
            if isinstance(formula, All) == value:
                return frozenset[int]().union(*reasons)
            return min(reasons, key=lambda found: (len(found), sorted(found)))
        case _:
            assert_never(formula)
