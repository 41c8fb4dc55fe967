"""Answers as columns.

A row is an atom (`predicate`, `args` as JSON text) at a time point, derived by an evaluation; or a
time point without an answer, with no predicate.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.constants import Value, json_value
from horae.data.cuts import Cuts, Rows
from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.kernel.codes import Codes
from horae.languages.lars.kernel.held import AtomSource, spread

_TYPES: dict[str, pa.DataType] = {
    "time": pa.int64(),
    "at": pa.int64(),
    "answer": pa.int64(),
    "predicate": pa.string(),
    "args": pa.string(),
}
SCHEMA = pa.schema(_TYPES)

_AT_ONCE = 1 << 16
"""Rows of a part."""


def no_answers() -> pa.Table:
    return SCHEMA.empty_table()


def inconsistent(times: Iterable[int]) -> pa.Table:
    rows = [{"time": time} for time in times]
    return pa.Table.from_pylist(rows, SCHEMA)


def atom_answers(time: int, atoms: Iterable[tuple[int, TimedAtom]]) -> Iterator[pa.Table]:
    """The atoms of answers of the solver, with the numbers of the answers, in parts."""
    texts: dict[tuple[Value, ...], str] = {}
    rest = iter(atoms)
    while rows := list(islice(rest, _AT_ONCE)):
        for _, atom in rows:
            if atom.arguments not in texts:
                texts[atom.arguments] = _json(atom.arguments)
        columns = (
            [time] * len(rows),
            [atom.time for _, atom in rows],
            [number for number, _ in rows],
            [atom.predicate for _, atom in rows],
            [texts[atom.arguments] for _, atom in rows],
        )
        yield pa.Table.from_arrays([pa.array(c) for c in columns], schema=SCHEMA)


def source_answers(name: str, known: AtomSource, times: Cuts, codes: Codes) -> pa.Table:
    """What is derived of a predicate at these evaluation times, as answer 1."""
    now_rows, now_times = spread(known.now.lo, known.now.hi, times)
    at_rows, at_times = spread(known.at.lo, known.at.hi, times)
    now = _columns(name, known.now.arguments, now_rows, now_times, now_times, codes)
    moments = known.at.arguments[at_rows, -1]
    at = _columns(name, known.at.arguments[:, :-1], at_rows, at_times, moments, codes)
    return (
        distinct(pa.concat_tables([now, at]))
        if len(now) and len(at)
        else pa.concat_tables([now, at])
    )


def distinct(answers: pa.Table) -> pa.Table:
    """An atom may be derived for the evaluation time both as `a` and as `@T a`."""
    return answers.group_by(SCHEMA.names).aggregate([]).select(SCHEMA.names)


def _columns(
    name: str, arguments: Rows, rows: Rows, times: Cuts, moments: Cuts, codes: Codes
) -> pa.Table:
    """The text of a row's arguments is made once, however many evaluation times it has."""
    used = np.zeros(len(arguments), bool)
    used[rows] = True
    places = np.cumsum(used) - 1
    size = len(rows)
    return pa.table(
        [
            pa.array(times, pa.int64()),
            pa.array(moments, pa.int64()),
            pa.array(np.ones(size, np.int64)),
            pa.repeat(pa.scalar(name, pa.string()), size),
            _texts(arguments[used], codes).take(places[rows]),
        ],
        schema=SCHEMA,
    )


def _texts(arguments: Rows, codes: Codes) -> pa.StringArray:
    """JSON lists; the text of a constant is made once."""
    size, width = arguments.shape
    if width == 0:
        return pa.repeat(pa.scalar("[]"), size)
    parts: list[Any] = []
    for column in arguments.T:
        distinct, places = np.unique(column, return_inverse=True)
        parts.append(codes.json_texts(distinct).take(places.reshape(-1)))
    joined = pc.binary_join_element_wise(*parts, ", ")
    return pc.binary_join_element_wise("[", joined, "]", "")  # type: ignore[no-any-return]


def _json(arguments: Iterable[Value]) -> str:
    return json.dumps([json_value(value) for value in arguments], ensure_ascii=False)
