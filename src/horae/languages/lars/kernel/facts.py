"""Facts as what a kernel takes: background data, and atoms at time points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor

import numpy as np

from horae.data.constants import Value
from horae.data.cuts import Rows
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS, Interval
from horae.data.natural_times import LAST
from horae.data.rationals import write_number
from horae.languages.lars.kernel.codes import NOTHING, Codes
from horae.languages.lars.kernel.time_windows import FUTURE
from horae.languages.lars.kernel.tuple_windows import Log
from horae.rules.intervals.relation import Relation, relation
from horae.source.errors import InputError

LONGEST = 10**6
"""How many time points the interval of a fact may have."""


@dataclass
class Encoded:
    """Per predicate: the tuples that are always true, and the log of those at time points."""

    static: dict[str, Relation] = field(default_factory=dict)
    logs: dict[str, Log] = field(default_factory=dict)


def encode(facts: Iterable[GroundFact], codes: Codes) -> Encoded:
    static: dict[str, list[tuple[Value, ...]]] = {}
    timed: dict[str, list[tuple[GroundFact, int]]] = {}
    for fact in facts:
        if fact.interval == ALWAYS:
            static.setdefault(fact.predicate, []).append(fact.arguments)
        else:
            rows = timed.setdefault(fact.predicate, [])
            rows += [(fact, time) for time in time_points(fact)]
    return Encoded(
        {name: always(_tuples(rows, codes)) for name, rows in static.items()},
        {name: _log(rows, codes) for name, rows in timed.items()},
    )


def always(tuples: Rows) -> Relation:
    """Tuples that hold at all times."""
    return relation(tuples, np.zeros(len(tuples), np.int64), np.full(len(tuples), FUTURE))


def _tuples(rows: list[tuple[Value, ...]], codes: Codes) -> Rows:
    width = len(rows[0])
    table = np.empty((len(rows), width), np.int64)
    for place in range(width):
        table[:, place] = codes.encode([row[place] for row in rows])
    return table


def _log(rows: list[tuple[GroundFact, int]], codes: Codes) -> Log:
    orders = [fact.order for fact, _ in rows]
    return Log(
        _tuples([fact.arguments for fact, _ in rows], codes),
        np.fromiter((time for _, time in rows), np.int64, len(rows)),
        np.array([NOTHING if order is None else codes.code(order) for order in orders], np.int64),
    )


# --- time points


def time_points(fact: GroundFact) -> range:
    """The time points of a fact's interval: natural numbers."""
    interval = fact.interval
    if interval.low is None or interval.high is None:
        missing = "beginning" if interval.low is None else "end"
        raise _no_time_point(fact, f"it has no {missing}", "give both ends of the interval")
    if interval.is_punctual and interval.low.denominator != 1:
        raise _no_time_point(fact, "it is not a whole number", "count time in smaller units")
    first, last = _first(interval, interval.low), _last(interval, interval.high)
    if interval.low < 0:
        raise _no_time_point(fact, "it is before 0", "time points are 0, 1, 2, …")
    if last > LAST:
        raise _no_time_point(fact, "it is too large", f"the last time point is {LAST} (2^62)")
    if last - first >= LONGEST:
        raise _no_time_point(fact, "it is too long", f"at most {LONGEST:,} time points")
    return range(first, last + 1)


def _first(interval: Interval, low: Fraction) -> int:
    return floor(low) + 1 if interval.low_open else ceil(low)


def _last(interval: Interval, high: Fraction) -> int:
    return ceil(high) - 1 if interval.high_open else floor(high)


def _no_time_point(fact: GroundFact, why: str, help: str) -> InputError:
    written = f"{fact.predicate}({', '.join(map(str, fact.arguments))})"
    low = fact.interval.low
    when = write_number(low) if low is not None and fact.interval.is_punctual else fact.interval
    return InputError(
        "INP040", f"`{written}` at {when} is not at time points of LARS: {why}", help=help
    )
