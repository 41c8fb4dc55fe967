"""DatalogMTL by its definitions: all formulas at all times, nothing clever. The oracle of the tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from horae.languages.datalogmtl.program import Program
from horae.reference.datalogmtl import solution as solutions
from horae.reference.datalogmtl.answers import Answer, list_intervals, list_points
from horae.reference.datalogmtl.solution import EndlessError, GroundFact, solve

__all__ = ["Answer", "EndlessError", "GroundFact", "enclose", "evaluate"]


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


def enclose(
    program: Program, facts: Iterable[GroundFact], at: Sequence[Fraction]
) -> tuple[list[Answer], list[Answer]]:
    """What certainly holds at the times `at`, and what possibly does, where derivations never end."""
    certain: dict[str, Answer] = {}
    possible: list[dict[str, Answer]] = []
    for lower, upper in solutions.enclose(program, facts, at):
        certain |= {str(answer): answer for answer in list_points(program, lower, at)}
        possible.append({str(answer): answer for answer in list_points(program, upper, at)})
    shared = set.intersection(*map(set, possible))
    return [*certain.values()], [possible[0][key] for key in sorted(shared)]
