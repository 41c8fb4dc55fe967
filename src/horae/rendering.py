"""Answers as people and programs read them: sorted, as dicts, exactly as in the JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def sort_answers(answers: pa.Table) -> pa.Table:
    """By time; then values by stream, parameters and position; then notifications by number."""
    ranks = _parameter_ranks(answers.column("params").combine_chunks())
    keyed = answers.append_column("__rank", pa.array(ranks))
    names = ("time", "trigger", "stream", "__rank", "position")
    keys = [(name, "ascending", "at_start") for name in names]
    return answers.take(pc.sort_indices(keyed, keys))


def _parameter_ranks(params: pa.Array) -> np.ndarray:
    """Parameters compare by value, not by their text: 9 before 10."""
    encoded = params.dictionary_encode()
    parsed = [json.loads(text) for text in encoded.dictionary.to_pylist()]
    ranks = np.zeros(len(parsed) + 1, np.int64)
    ranks[sorted(range(len(parsed)), key=lambda i: parsed[i])] = np.arange(len(parsed))
    indices = encoded.indices.fill_null(len(parsed)).to_numpy(zero_copy_only=False)
    return ranks[indices.astype(np.int64)]


def answer_dicts(answers: pa.Table, resolution: int | None) -> Iterator[dict[str, Any]]:
    """One dict per answer. `resolution` tells that times are ticks; else they are seconds."""
    for batch in answers.to_batches(max_chunksize=1 << 16):
        for row in batch.to_pylist():
            yield _answer(row, _time(row["time"], resolution))


def _time(time: float, resolution: int | None) -> int | float:
    if resolution is not None:
        exact = Fraction(int(time), resolution)
        return exact.numerator if exact.denominator == 1 else float(exact)
    return int(time) if float(time).is_integer() else time


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
