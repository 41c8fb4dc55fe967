"""All answers of ground rules: stable models, and of those the minimal models of their reducts."""

from __future__ import annotations

from collections.abc import Sequence

from clingo.control import Control

from horae.kernels.lars.solver.encode import Encoder, is_trivial
from horae.kernels.lars.solver.formulas import GroundRule, is_true
from horae.kernels.lars.solver.minimal import is_minimal


def answer_sets(rules: Sequence[GroundRule], size: int) -> list[frozenset[int]]:
    """The answers over the atoms 1 to `size`, in any order, each once."""
    duties = [rule for rule in rules if not is_trivial(rule)]
    if size == 0:
        consistent = all(is_true(r.head, ()) or not is_true(r.body, ()) for r in duties)
        return [frozenset()] if consistent else []
    models, exact = _stable_models(duties, size)
    return [m for m in models if exact or is_minimal(m, duties)]


def _stable_models(rules: Sequence[GroundRule], size: int) -> tuple[list[frozenset[int]], bool]:
    control = Control(["0", "--warn=none"])
    with control.backend() as backend:
        encoder = Encoder(backend, range(1, size + 1))
        for rule in rules:
            encoder.add(rule)
    atoms = encoder.atoms.items()
    with control.solve(yield_=True) as handle:
        found = [frozenset(n for n, atom in atoms if model.is_true(atom)) for model in handle]
    return list(dict.fromkeys(found)), encoder.is_exact
