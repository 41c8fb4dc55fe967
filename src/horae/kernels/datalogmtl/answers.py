"""Answers of DatalogMTL programs: maximal intervals, or the points of an answer domain."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from horae.kernels.datalogmtl.fixpoint import Relations
from horae.kernels.datalogmtl.symbols import Symbols, sort_key
from horae.kernels.datalogmtl.time import Timeline
from horae.kernels.intervals.cuts import FUTURE, PAST
from horae.kernels.intervals.relation import Relation
from horae.languages.rules.terms import Value

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


def json_value(value: Value) -> str | int:
    """Whole numbers are JSON numbers; other rationals are text, so that they stay exact."""
    return str(value) if isinstance(value, Fraction) else value
