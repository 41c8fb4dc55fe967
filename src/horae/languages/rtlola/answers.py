"""Answers of a specification, sorted: values of streams, and notifications of triggers.

Their table has times in ticks, and parameters and values as JSON text.
"""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from horae.data.seconds import seconds_of_ticks, wide_in_seconds
from horae.engine.answers import Answers, Field, Key, Shape, Shapes, json_field, sort_rows


def rtlola_answers(table: pa.Table, resolution: int) -> Answers:
    """There are `resolution` ticks in a second."""
    return Answers(sort_answers(table), shapes(resolution))


def shapes(resolution: int) -> Shapes:
    time = Field(
        "time",
        value=lambda ticks: seconds_of_ticks(ticks, resolution),
        typed=lambda ticks: pa.array(wide_in_seconds(ticks, resolution)),
    )
    values = Shape(time, Field("stream"), json_field("params"), json_field("value"))
    notifications = Shape(
        time, Field("trigger"), Field("message"), Field("condition"), when="trigger"
    )
    return values, notifications


def sort_answers(table: pa.Table) -> pa.Table:
    """By time; then values by stream, parameters and position; then notifications by number."""
    return sort_rows(table, ["time", "trigger", "stream", Key("params", _comparable), "position"])


def _comparable(params: str) -> list[Any]:
    """Parameters compare by value: 9 before 10. Other streams may have text where these have numbers."""
    return [(isinstance(value, str), value) for value in json.loads(params)]
