"""Answers of DatalogMTL programs: maximal intervals, or the points of an answer domain."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any

from horae.data.constants import Value, json_value, sort_key
from horae.data.cuts import FUTURE, PAST
from horae.data.symbols import Symbols
from horae.languages.datalogmtl.kernel.fixpoint import Relations
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.rules.intervals.relation import Relation

Answer = dict[str, Any]


def interval_answers(found: Relations, symbols: Symbols, timeline: Timeline) -> list[Answer]:
    """Sorted by where the interval begins, then by predicate and arguments."""
    keyed = []
    for name, rows in found.items():
        for arguments, lo, hi in _rows(rows, symbols):
            answer = {
                "predicate": name,
                "args": [json_value(v) for v in arguments],
                "interval": str(timeline.interval(lo, hi)),
            }
            keyed.append(((lo, name, [sort_key(v) for v in arguments], hi), answer))
    keyed.sort(key=lambda pair: pair[0])
    return [answer for _, answer in keyed]


def point_answers(
    found: Relations, symbols: Symbols, timeline: Timeline, domain: Iterable[int]
) -> list[Answer]:
    """Sorted by time, then by predicate and arguments. `domain` is in ticks."""
    points = sorted(set(domain))
    keyed = []
    for name, rows in found.items():
        for arguments, lo, hi in _rows(rows, symbols):
            key = [sort_key(v) for v in arguments]
            for tick in _within(points, lo, hi):
                answer = {
                    "time": str(timeline.time(tick)),
                    "predicate": name,
                    "args": [json_value(v) for v in arguments],
                }
                keyed.append(((tick, name, key), answer))
    keyed.sort(key=lambda pair: pair[0])
    return [answer for _, answer in keyed]


def _rows(rows: Relation, symbols: Symbols) -> Iterator[tuple[list[Value], int, int]]:
    values = symbols.values
    for codes, lo, hi in zip(
        rows.arguments.tolist(), rows.lo.tolist(), rows.hi.tolist(), strict=True
    ):
        yield [values[c] for c in codes], lo, hi


def _within(points: list[int], lo: int, hi: int) -> list[int]:
    first = 0 if lo == PAST else bisect_left(points, (lo + 1) >> 1)
    after = len(points) if hi == FUTURE else bisect_left(points, (hi + 1) >> 1)
    return points[first:after]
