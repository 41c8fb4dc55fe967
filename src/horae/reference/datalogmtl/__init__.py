"""DatalogMTL by its definitions: all formulas at all times, nothing clever. The oracle of the tests."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from horae.languages.datalogmtl.program import Program
from horae.reference.datalogmtl.answers import Answer, list_intervals, list_points
from horae.reference.datalogmtl.solution import EndlessError, GroundFact, solve

__all__ = ["Answer", "EndlessError", "GroundFact", "evaluate"]


def evaluate(
    program: Program,
    facts: Iterable[GroundFact],
    *,
    horizon: Fraction | None = None,
    at: Iterable[Fraction] | None = None,
) -> list[Answer]:
    """What the queried predicates hold for: as maximal intervals, or at the times `at`.

    With a `horizon` the answers end there, and are right up to there, also if derivations go on for
    ever behind it. Raises `EndlessError` where they do without a horizon, or towards the past.
    """
    solution = solve(program, facts, horizon)
    if at is None:
        return list_intervals(program, solution)
    return list_points(program, solution, at)
