"""Answers of DatalogMTL programs: maximal intervals, or the points of an answer domain.

They are columns: the texts of constants and times are made once per distinct one, and nothing but those
is a Python object.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array
from horae.data.constant_texts import json_texts
from horae.data.constants import sort_key
from horae.data.cuts import FUTURE, PAST, Cuts, Rows
from horae.data.symbols import Symbols
from horae.engine.answers import AnswerField, Answers, AnswerShape, SortKey, json_field, sort_rows
from horae.languages.datalogmtl.kernel.fixpoint import Relations
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.rules.intervals.wide import cut_ranks, is_wide

_TEXT: pa.DataType = pa.string()
_CUT: pa.DataType = pa.int64()
INTERVALS = pa.schema(
    {"predicate": _TEXT, "args": _TEXT, "interval": _TEXT, "lo": _CUT, "hi": _CUT}
)
POINTS = pa.schema({"time": _TEXT, "predicate": _TEXT, "args": _TEXT, "ticks": _CUT})

_PREDICATE, _ARGS = AnswerField("predicate"), json_field("args")
INTERVAL_SHAPES = (AnswerShape(_PREDICATE, _ARGS, AnswerField("interval")),)
POINT_SHAPES = (AnswerShape(AnswerField("time"), _PREDICATE, _ARGS),)

Held = Mapping[str, tuple[Rows, Cuts]]
"""By predicate: tuples, each with a tick at which it holds."""


def interval_answers(found: Relations, symbols: Symbols, timeline: Timeline) -> Answers:
    """Sorted by where the interval begins, then by predicate and arguments."""
    names = sorted(found)
    parts = [found[name] for name in names]
    rows = [part.arguments for part in parts]
    order = _order(_whole_ranks([part.lo for part in parts]), rows, symbols)
    texts = [interval_texts(part.lo, part.hi, timeline) for part in parts]
    table = pa.table(
        {
            "predicate": _names(names, rows),
            "args": _joined([argument_texts(each, symbols) for each in rows]),
            "interval": _joined(texts),
            "lo": _cuts([part.lo for part in parts]),
            "hi": _cuts([part.hi for part in parts]),
        }
    )
    return Answers(table.take(order), INTERVAL_SHAPES)


def _cuts(parts: list[Cuts]) -> Array:
    """As text where they do not fit into 64 bits."""
    if not is_wide(*parts):
        return pa.array(_concatenated(parts))
    return pa.array([str(cut) for part in parts for cut in part.tolist()], _TEXT)


def point_answers(
    found: Relations, symbols: Symbols, timeline: Timeline, domain: Iterable[int]
) -> Answers:
    """Sorted by time, then by predicate and arguments. `domain` is in ticks."""
    points = sorted(set(domain))
    names = sorted(found)
    pairs = [points_within(found[name].lo, found[name].hi, points) for name in names]
    rows = [found[name].arguments[each] for name, (each, _) in zip(names, pairs, strict=True)]
    places = [place for _, place in pairs]
    times = pa.array([str(timeline.time(tick)) for tick in points], _TEXT)
    ticks = _ticks(points)
    table = pa.table(
        {
            "time": _joined([times.take(place) for place in places]),
            "predicate": _names(names, rows),
            "args": _joined([argument_texts(each, symbols) for each in rows]),
            "ticks": ticks.take(_concatenated(places)),
        }
    )
    return Answers(table.take(_order(_concatenated(places), rows, symbols)), POINT_SHAPES)


def _ticks(points: list[int]) -> Array:
    """As text where they do not fit into 64 bits."""
    ticks = [*map(int, points)]
    if all(abs(tick) < _LARGEST for tick in ticks):
        return pa.array(ticks, _CUT)
    return pa.array(map(str, ticks), _TEXT)


def points_within(lo: Cuts, hi: Cuts, points: list[int]) -> tuple[Rows, Rows]:
    """Pairs of an interval and the place of a point in it."""
    if is_wide(lo) or is_wide(hi) or not all(abs(tick) < FUTURE for tick in points):
        return _within_wide(lo, hi, points)
    ticks = np.array(points, np.int64)
    first, after = (np.searchsorted(ticks, (cuts + 1) >> 1) for cuts in (lo, hi))
    counts = after - first
    each = np.repeat(np.arange(len(lo)), counts)
    return each, np.arange(len(each)) - np.repeat(np.cumsum(counts) - counts - first, counts)


def _within_wide(lo: Cuts, hi: Cuts, points: list[int]) -> tuple[Rows, Rows]:
    found: list[tuple[int, int]] = []
    for row, (begin, end) in enumerate(zip(lo.tolist(), hi.tolist(), strict=True)):
        first = 0 if begin == PAST else bisect_left(points, (begin + 1) >> 1)
        after = len(points) if end == FUTURE else bisect_left(points, (end + 1) >> 1)
        found += [(row, place) for place in range(first, after)]
    pairs = np.array(found, np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


# --- their order


def _order(times: Rows, parts: list[Rows], symbols: Symbols) -> Rows:
    """By time, predicate and arguments; the parts have one predicate each, in their order."""
    width = max((part.shape[1] for part in parts), default=0)
    values = _ranks_of_constants(parts, symbols)
    columns = {
        "time": times,
        "predicate": np.repeat(np.arange(len(parts)), [len(p) for p in parts]),
    }
    for place in range(width):
        columns[str(place)] = _concatenated(
            [
                values[p[:, place]] if place < p.shape[1] else np.zeros(len(p), np.int64)
                for p in parts
            ]
        )
    keys = list(columns)
    table = pa.table({**columns, "row": np.arange(len(times))})
    order: Rows = sort_rows(table, keys).column("row").to_numpy()
    return order


def _ranks_of_constants(parts: list[Rows], symbols: Symbols) -> Rows:
    """Numbers that compare as the constants with these codes do."""
    used = _used(parts, len(symbols))
    ordered = sorted(used.tolist(), key=lambda code: sort_key(symbols.values[code]))
    places = np.zeros(len(symbols), np.int64)
    places[ordered] = np.arange(len(ordered))
    return places


def _used(parts: list[Rows], count: int) -> Rows:
    seen = np.zeros(count, bool)
    for part in parts:
        seen[part] = True
    return np.flatnonzero(seen)


def _whole_ranks(columns: list[Cuts]) -> Rows:
    if not columns or not is_wide(*columns):
        return _concatenated(columns)
    return _concatenated(cut_ranks(*columns)[1])


def _concatenated(columns: list[Rows]) -> Rows:
    return np.concatenate([np.empty(0, np.int64), *columns])


# --- texts


def _names(names: list[str], parts: list[Rows]) -> Array:
    counts = np.repeat(np.arange(len(names), dtype=np.int32), [len(part) for part in parts])
    return pa.array(names, _TEXT).take(counts)


def _joined(parts: list[Array]) -> Array:
    return pa.concat_arrays([pa.array([], _TEXT), *parts])


def argument_texts(rows: Rows, symbols: Symbols) -> Array:
    """Lists of constants as JSON text; each constant is written once."""
    used = _used([rows], len(symbols))
    places = np.zeros(len(symbols), np.int64)
    places[used] = np.arange(len(used))
    texts = json_texts([symbols.values[c] for c in used.tolist()])
    columns: list[Any] = [texts.take(places[rows[:, i]]) for i in range(rows.shape[1])]
    if not columns:
        return pa.array(["[]"] * len(rows), _TEXT)
    inner = pc.binary_join_element_wise(*columns, pa.scalar(", "))
    joined: Array = pc.binary_join_element_wise("[", inner, "]", "")
    return joined


def interval_texts(lo: Cuts, hi: Cuts, timeline: Timeline) -> Array:
    """`[1,5/2)`, `(-inf,3]`."""
    if is_wide(lo, hi):
        ends = zip(lo.tolist(), hi.tolist(), strict=True)
        return pa.array([str(timeline.interval(low, high)) for low, high in ends], _TEXT)
    low = pc.if_else(lo == PAST, "-inf", time_texts(lo >> 1, timeline))
    high = pc.if_else(hi == FUTURE, "inf", time_texts(hi >> 1, timeline))
    opening = pc.if_else(((lo & 1) == 1) | (lo == PAST), "(", "[")
    closing = pc.if_else(((hi & 1) == 1) & (hi != FUTURE), "]", ")")
    written: Array = pc.binary_join_element_wise(opening, low, ",", high, closing, "")
    return written


def time_texts(ticks: Cuts, timeline: Timeline) -> Array:
    """Exact times: whole numbers, or quotients without a common factor."""
    resolution = timeline.resolution
    if resolution > _LARGEST:
        return pa.array([str(timeline.time(tick)) for tick in ticks.tolist()], _TEXT)
    if resolution == 1:
        return pa.array(ticks).cast(_TEXT)
    shares = np.gcd(ticks, resolution)
    above, below = _texts(ticks // shares), _texts(resolution // shares)
    quotients: Any = pc.binary_join_element_wise(above, below, "/")
    written: Array = pc.if_else(shares == resolution, above, quotients)
    return written


_LARGEST = 2**63 - 1


def _texts(numbers: npt.NDArray[np.int64]) -> Any:
    return pa.array(numbers).cast(_TEXT)


# --- tables of a stream's answers, not sorted


def interval_table(found: Relations, symbols: Symbols, timeline: Timeline) -> pa.Table:
    """A row per interval."""
    parts = [
        pa.Table.from_arrays(
            [
                _names([name], [rows.arguments]),
                argument_texts(rows.arguments, symbols),
                interval_texts(rows.lo, rows.hi, timeline),
                pa.array(rows.lo),
                pa.array(rows.hi),
            ],
            schema=INTERVALS,
        )
        for name, rows in found.items()
    ]
    return pa.concat_tables([INTERVALS.empty_table(), *parts])


def point_table(found: Held, symbols: Symbols, timeline: Timeline) -> pa.Table:
    """A row per tuple and point."""
    parts = [
        pa.Table.from_arrays(
            [
                time_texts(ticks, timeline),
                _names([name], [arguments]),
                argument_texts(arguments, symbols),
                pa.array(ticks),
            ],
            schema=POINTS,
        )
        for name, (arguments, ticks) in found.items()
    ]
    return pa.concat_tables([POINTS.empty_table(), *parts])


def sorted_answers(table: pa.Table) -> Answers:
    """By time, predicate and arguments; rationals among arguments by their text."""
    if "ticks" in table.column_names:
        return Answers(sort_rows(table, ["ticks", "predicate", _BY_VALUE]), POINT_SHAPES)
    return Answers(sort_rows(table, ["lo", "predicate", _BY_VALUE, "hi"]), INTERVAL_SHAPES)


_BY_VALUE = SortKey("args", lambda args: [sort_key(value) for value in json.loads(args)])
