"""Answers of a specification, sorted: values of streams, and notifications of triggers.

Their table (`kernel/answers.py`) has times in ticks, and columns of values and parameters per type.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from horae.data.seconds import seconds_of_ticks, wide_in_seconds
from horae.engine.answers import (
    AnswerField,
    Answers,
    AnswerShape,
    AnswerShapes,
    ListField,
    sort_parts,
)
from horae.engine.number_texts import second_texts
from horae.languages.rtlola.kernel.answers import parameter_columns, parameter_names
from horae.languages.rtlola.program import Program


def rtlola_answers(parts: Iterable[pa.Table], program: Program, resolution: int) -> Answers:
    """All parts together; there are `resolution` ticks in a second."""
    table = sort_answers(parts, parameter_names(program))
    return Answers(table, shapes(program, resolution))


def sort_answers(parts: Iterable[pa.Table], parameters: Sequence[str]) -> pa.Table:
    """By time; then values by stream, parameters and position; then notifications by number."""
    return sort_parts(parts, ["time", "trigger", "stream", *parameters, "position"])


def shapes(program: Program, resolution: int) -> AnswerShapes:
    """Streams whose answers stand in the same columns have one."""
    time = AnswerField(
        "time",
        value=lambda ticks: seconds_of_ticks(ticks, resolution),
        typed=lambda ticks: pa.array(wide_in_seconds(ticks, resolution)),
        texts=lambda ticks: second_texts(ticks, resolution),
    )
    alike: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for output in program.outputs:
        columns = parameter_columns(output), str(output.type)
        alike.setdefault(columns, []).append(output.name)
    values = [
        AnswerShape(
            time,
            AnswerField("stream"),
            ListField("params", tuple(AnswerField(name) for name in parameters)),
            AnswerField("value", value),
            when="stream",
            names=names,
        )
        for (parameters, value), names in alike.items()
    ]
    if not program.triggers:
        return tuple(values)
    return *values, AnswerShape(time, AnswerField("trigger"), *_texts(program), when="trigger")


def _texts(program: Program) -> tuple[AnswerField, ...]:
    """What a trigger says, by its number."""
    texts = _said(program)
    return tuple(
        AnswerField(name, "trigger", said.to_pylist().__getitem__, said.take)
        for name, said in texts.items()
    )


def _said(program: Program) -> dict[str, Any]:
    """Columns of what triggers say; the place of an entry is the number of its trigger."""
    triggers = {trigger.number: trigger for trigger in program.triggers}
    numbered = [triggers.get(number) for number in range(max(triggers, default=0) + 1)]
    return {
        "message": pa.array([t and t.message for t in numbered], pa.string()),
        "condition": pa.array([t and t.text for t in numbered], pa.string()),
    }
