"""LARS by its definitions: all interpretations, nothing clever. The oracle of the tests."""

from __future__ import annotations

from collections.abc import Iterable

from horae.languages.lars.program import Program
from horae.reference.lars.answers import Answer, list_answers
from horae.reference.lars.data import GroundFact, gather
from horae.reference.lars.failures import TooLargeError
from horae.reference.lars.moments import run

__all__ = ["Answer", "GroundFact", "TooLargeError", "evaluate"]


def evaluate(
    program: Program,
    facts: Iterable[GroundFact],
    *,
    at: Iterable[int],
    mode: str = "stateless",
    consequences: str = "all",
    horizon: int | None = None,
) -> list[Answer]:
    """The answers at each of the times, as in the output.

    With a `horizon`, variables behind `@` stand for time points up to it. Raises `TooLargeError` where
    derivations do not end, or too many atoms may hold or not.
    """
    if mode not in ("stateless", "history"):
        raise ValueError(f"the mode is stateless or history, not {mode}")
    moments = run(program, gather(program, facts), at, history=mode == "history", horizon=horizon)
    return [answer for moment in moments for answer in list_answers(program, moment, consequences)]
