"""Whether a model is minimal among the models of its reduct (Def. 9), by a search for a smaller one.

The reduct has the rules whose bodies hold in the model. They are taken classically: in a smaller
model, a body that does not hold asks for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from clingo.backend import Backend
from clingo.control import Control

from horae.kernels.lars.solver.encode import Encoder
from horae.kernels.lars.solver.formulas import GroundRule, is_true, within


def is_minimal(model: frozenset[int], rules: Iterable[GroundRule]) -> bool:
    reduct = [rule for rule in rules if is_true(rule.body, model)]
    control = Control(["1", "--warn=none"])
    with control.backend() as backend:
        _ask_for_less(backend, model, reduct)
    return not control.solve().satisfiable


def _ask_for_less(backend: Backend, model: frozenset[int], reduct: list[GroundRule]) -> None:
    encoder = Encoder(backend, sorted(model))
    atoms = list(encoder.atoms.values())
    backend.add_rule(atoms, [], choice=True)
    backend.add_rule([], atoms)
    for rule in reduct:
        body, head = within(rule.body, model), within(rule.head, model)
        backend.add_rule([], [encoder.literal(body), -encoder.literal(head)])
