"""Answers of a specification, sorted: values of streams, and notifications of triggers.

Their table (`kernel/answers.py`) has times in ticks, a column of values per type, and parameters as
JSON text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array, DataType
from horae.data.seconds import seconds_of_ticks, wide_in_seconds
from horae.data.values import ARROW_TYPES
from horae.engine.answers import (
    AnswerField,
    Answers,
    AnswerShape,
    AnswerShapes,
    SortKey,
    json_field,
    sort_parts,
)
from horae.languages.rtlola.kernel.answers import VALUES, plain_answers, value_texts
from horae.languages.rtlola.program import Output, Program

_ORDER = ("time", "trigger", "stream", "params", "position")


def rtlola_answers(parts: Iterable[pa.Table], program: Program, resolution: int) -> Answers:
    """All parts together; there are `resolution` ticks in a second."""
    table = sort_answers(parts)
    return Answers(table, shapes(table, program, resolution))


def shapes(answers: pa.Table, program: Program, resolution: int) -> AnswerShapes:
    time = AnswerField(
        "time",
        value=lambda ticks: seconds_of_ticks(ticks, resolution),
        typed=lambda ticks: pa.array(wide_in_seconds(ticks, resolution)),
    )
    stream, params = AnswerField("stream"), json_field("params")
    given = [name for name in VALUES if name in answers.column_names]
    values = [
        AnswerShape(time, stream, params, AnswerField("value", name), when=name) for name in given
    ]
    if "trigger" not in answers.column_names:
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


def sort_answers(parts: Iterable[pa.Table]) -> pa.Table:
    """By time; then values by stream, parameters and position; then notifications by number."""
    return sort_parts(parts, [SortKey(n, _comparable) if n == "params" else n for n in _ORDER])


@lru_cache(maxsize=1 << 16)
def _comparable(params: str) -> list[Any]:
    """Parameters compare by value: 9 before 10. Other streams may have text where these have numbers."""
    return [(isinstance(value, str), value) for value in json.loads(params)]


def shown(answers: pa.Table, program: Program, resolution: int) -> pa.Table:
    """The columns of a DataFrame of answers: times in seconds, values as JSON text."""
    plain = plain_answers(answers)
    columns: dict[str, Any] = {
        "time": pa.array(wide_in_seconds(plain.column("time"), resolution)),
        **{name: plain.column(name) for name in ("position", "stream", "params")},
        "value": value_texts(plain),
        "trigger": plain.column("trigger"),
    }
    for name, texts in _said(program).items():
        columns[name] = texts.take(plain.column("trigger").combine_chunks())
    return pa.table(columns)


# --- the values of one output, with their types

_TAKEN = ("time", "value")


def one_output(answers: pa.Table, output: Output, resolution: int) -> pa.Table:
    """`time`, a column per parameter, `value`."""
    plain = plain_answers(answers)
    own = plain.filter(pc.equal(plain.column("stream"), pa.scalar(output.name)))
    columns: dict[str, Any] = {"time": pa.array(wide_in_seconds(own.column("time"), resolution))}
    for place, parameter in enumerate(output.parameters):
        name = f"{parameter.name}_" if parameter.name in _TAKEN else parameter.name
        columns[name] = _parameters(own.column("params"), place, ARROW_TYPES[parameter.type])
    return pa.table(columns | {"value": own.column(str(output.type))})


def _parameters(params: Any, place: int, kind: DataType) -> Array:
    """One of those that stand in lists of JSON text; each distinct list is read once."""
    coded = params.combine_chunks().dictionary_encode()
    values = [json.loads(text)[place] for text in coded.dictionary.to_pylist()]
    found: Array = pa.array(values, kind).take(coded.indices)
    return found
