"""Random programs of LARS as text, with data and evaluation times to go with them.

All are safe, and small enough for the reference. The same seed gives the same text.
"""

from __future__ import annotations

from random import Random

from tests.strategies.lars_choices import ChoiceRules
from tests.strategies.lars_data import random_facts, random_times
from tests.strategies.lars_fast import FastRules
from tests.strategies.lars_solver import SolverRules
from tests.strategies.shrinking import accepted, thinned_lines

from horae.languages.lars.check.check import load
from horae.source.text import Source

KINDS = ("fast", "solver", "mixed")


def random_program(rng: Random, *, kind: str) -> tuple[str, str, list[int]]:
    """The program, the facts, and the evaluation times; of the kind "choices", with many answers."""
    constants = ("a", "b", "c")[: rng.randint(1, 2 if kind != "fast" else 3)]
    rules = _rules(rng, kind, constants)
    rng.shuffle(rules)
    return "\n".join(rules) + "\n", random_facts(rng, constants), random_times(rng)


def thinned_program(rng: Random, text: str) -> str:
    """When it is shrunk, without some of its rules."""
    return accepted(load(Source("thinned.lars", thinned_lines(rng, text)))[0]).source.text


def _rules(rng: Random, kind: str, constants: tuple[str, ...]) -> list[str]:
    match kind:
        case "fast":
            return FastRules(rng, constants).rules()
        case "solver":
            return SolverRules(rng, constants).rules()
        case "choices":
            return ChoiceRules(rng, constants).rules()
        case "mixed":
            below = FastRules(rng, constants)
            above = SolverRules(rng, constants, tuple(below.derived))
            return [*below.rules(), *above.rules()]
        case _:
            raise ValueError(f"kinds are {', '.join(KINDS)}, not {kind}")
