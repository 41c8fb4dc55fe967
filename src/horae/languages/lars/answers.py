"""Answers of a program, sorted: atoms that hold at time points, and times without an answer.

Their table is that of the kernel, with the arguments as JSON text.
"""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.constants import sort_key
from horae.engine.answers import AnswerField, Answers, AnswerShape, SortKey, json_field, sort_rows

_NONE = "inconsistent"
_ATOMS = AnswerShape(
    AnswerField("time"),
    AnswerField("at"),
    AnswerField("answer"),
    AnswerField("predicate"),
    json_field("args"),
)
_SHAPES = (_ATOMS, AnswerShape(AnswerField("time"), AnswerField(_NONE), when=_NONE))


def lars_answers(table: pa.Table) -> Answers:
    """Sorted by time, answer, predicate, arguments and time point."""
    ordered = sort_rows(table, ["time", "answer", "predicate", SortKey("args", _comparable), "at"])
    nothing = pc.if_else(pc.is_null(ordered.column("predicate")), True, pa.scalar(None, pa.bool_()))
    return Answers(ordered.append_column(_NONE, nothing), _SHAPES)


def _comparable(args: str) -> list[Any]:
    """Numbers before text, by value: 9 before 10."""
    return [sort_key(value) for value in json.loads(args)]
