"""RTLola by its definitions: slow, complete histories, nothing clever. The oracle of the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from horae.languages.rtlola.program import Program
from horae.reference.rtlola.answers import Answer, list_answers
from horae.reference.rtlola.positions import list_positions, time_column
from horae.reference.rtlola.run import Run


def evaluate(
    program: Program,
    rows: Sequence[Mapping[str, object]],
    *,
    emit: str = "all",
    origin: Fraction = Fraction(0),
    time: str | None = None,
) -> list[Answer]:
    """The answers to `rows`: one dictionary per event, its time under the column `time`.

    `emit` is `all`, `changes` (a value only where it differs from the one before in the same life)
    or `triggers`. Floats as times mean their shortest decimal; all further arithmetic is exact.
    """
    positions = list_positions(program, rows, origin, time_column(program, rows, time))
    run = Run(program, positions)
    run.complete()
    return list_answers(run, emit)
