"""Answers as people and programs read them: sorted, as dicts or JSON Lines, with the same content.

The table of answers has their times in ticks, parameters and values as JSON text. A line of
`answer_lines` is `json.dumps` of a dict of `answer_dicts`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array
from horae.data.seconds import seconds_of_ticks

_CHUNK = 1 << 16


def sort_answers(answers: pa.Table) -> pa.Table:
    """By time; then values by stream, parameters and position; then notifications by number."""
    ranks = _parameter_ranks(answers.column("params").combine_chunks())
    keyed = answers.append_column("__rank", pa.array(ranks))
    names = ("time", "trigger", "stream", "__rank", "position")
    keys: list[Any] = [(name, "ascending", "at_start") for name in names]
    return answers.take(pc.sort_indices(keyed, keys))


def _parameter_ranks(params: Array) -> np.ndarray:
    """Parameters compare by value, not by their text: 9 before 10. Text of other streams is apart."""
    encoded = params.dictionary_encode()
    texts: list[Any] = encoded.dictionary.to_pylist()
    parsed = [[(isinstance(v, str), v) for v in json.loads(text)] for text in texts]
    ranks = np.zeros(len(parsed) + 1, np.int64)
    ranks[sorted(range(len(parsed)), key=lambda i: parsed[i])] = np.arange(len(parsed))
    indices = encoded.indices.fill_null(len(parsed)).to_numpy(zero_copy_only=False)
    return ranks[indices.astype(np.int64)]


@dataclass(frozen=True)
class Answers:
    """Sorted answers: dicts to iterate over, or lines of JSON; `resolution` is ticks per second."""

    table: pa.Table
    resolution: int

    def __len__(self) -> int:
        return len(self.table)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return answer_dicts(self.table, self.resolution)

    def json_lines(self) -> Iterator[str]:
        """Chunks of text, each of whole lines."""
        return answer_lines(self.table, self.resolution)


def answer_dicts(answers: pa.Table, resolution: int) -> Iterator[dict[str, Any]]:
    """One dict per answer; there are `resolution` ticks in a second."""
    for batch in answers.to_batches(max_chunksize=_CHUNK):
        for row in batch.to_pylist():
            yield _answer(row, seconds_of_ticks(row["time"], resolution))


def _answer(row: dict[str, Any], time: int | float) -> dict[str, Any]:
    if row["trigger"] is not None:
        return {
            "time": time,
            "trigger": row["trigger"],
            "message": row["message"],
            "condition": row["condition"],
        }
    params, value = json.loads(row["params"]), json.loads(row["value"])
    return {"time": time, "stream": row["stream"], "params": params, "value": value}


# --- lines of JSON


def answer_lines(answers: pa.Table, resolution: int) -> Iterator[str]:
    """Chunks of JSON Lines, each ending with a line. Texts are made once per distinct value."""
    for batch in answers.to_batches(max_chunksize=_CHUNK):
        values, notifications = (
            _value_lines(batch, resolution),
            _notification_lines(batch, resolution),
        )
        lines = pc.if_else(pc.is_null(batch.column("trigger")), values, notifications)
        yield "".join(lines.to_pylist())


def _value_lines(batch: pa.RecordBatch, resolution: int) -> Array:
    return _joined(
        '{"time": ',
        _times(batch, resolution),
        ', "stream": ',
        _quoted(batch.column("stream")),
        ', "params": ',
        _canonical(batch.column("params")),
        ', "value": ',
        _canonical(batch.column("value")),
        "}\n",
    )


def _notification_lines(batch: pa.RecordBatch, resolution: int) -> Array:
    return _joined(
        '{"time": ',
        _times(batch, resolution),
        ', "trigger": ',
        batch.column("trigger").cast(pa.string()),
        ', "message": ',
        _quoted(batch.column("message"), absent="null"),
        ', "condition": ',
        _quoted(batch.column("condition")),
        "}\n",
    )


def _joined(*parts: object) -> Array:
    joined: Array = pc.binary_join_element_wise(*parts, "")  # type: ignore[call-overload]
    return joined


def _times(batch: pa.RecordBatch, resolution: int) -> Array:
    return _translated(
        batch.column("time"), lambda ticks: json.dumps(seconds_of_ticks(ticks, resolution))
    )


def _quoted(column: Array, absent: str | None = None) -> Array:
    quoted = _translated(column, lambda text: json.dumps(text, ensure_ascii=False))
    return quoted if absent is None else quoted.fill_null(absent)


def _canonical(column: Array) -> Array:
    """As Python writes the value: kernels write some doubles in other digits."""
    return _translated(column, lambda text: json.dumps(json.loads(text), ensure_ascii=False))


def _translated(column: Array, translate: Callable[[Any], str]) -> Array:
    """Each distinct value once; nulls stay."""
    encoded = column.dictionary_encode()
    texts = [translate(value) for value in encoded.dictionary.to_pylist()]
    return pa.array(texts, pa.string()).take(encoded.indices)
