"""Facts as what a kernel takes: background data, and atoms at time points. Column by column."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor

import numpy as np

from horae.data import catalogue_facts as catalogue
from horae.data.columns import Mask
from horae.data.cuts import Cuts, Rows
from horae.data.ground_facts import GroundFact
from horae.data.intervals import Interval
from horae.data.natural_times import LAST
from horae.data.predicate_facts import (
    Constants,
    Ends,
    Integers,
    PredicateFacts,
    aligned,
    facts_by_predicate,
    ground_facts,
)
from horae.data.rationals import write_number
from horae.engine.evaluation_times import distinct_points
from horae.languages.lars.catalogue import NOT_AT_TIME_POINTS
from horae.languages.lars.kernel.codes import NOTHING, Codes
from horae.languages.lars.kernel.time_windows import FUTURE
from horae.languages.lars.kernel.tuple_windows import AtomLog
from horae.rules.intervals.relation import Relation, relation
from horae.source.errors import InputError

LONGEST = 10**6
"""How many time points the interval of a fact may have."""

_FINER = "--precision ms (us, ns) makes time points smaller, --time-unit says what numbers count"


@dataclass
class Encoded:
    """Per predicate: the tuples that are always true, and the log of those at time points."""

    static: dict[str, Relation] = field(default_factory=dict)
    logs: dict[str, AtomLog] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Spans:
    """Facts of one predicate, from their first to their last time point; `order` as in a log."""

    arguments: Rows
    order: Rows
    first: Cuts
    last: Cuts

    def __len__(self) -> int:
        return len(self.first)

    def take(self, rows: Rows | Mask | slice) -> Spans:
        if isinstance(rows, slice):
            arguments = self.arguments[rows]
        else:
            places = np.flatnonzero(rows) if rows.dtype == bool else rows
            arguments = self.arguments.take(places, axis=0)
        return Spans(arguments, self.order[rows], self.first[rows], self.last[rows])

    def log(self, until: int = FUTURE) -> AtomLog:
        """A fact at an interval is an atom at each of its time points; here those up to `until`."""
        last = np.minimum(self.last, until)
        if np.array_equal(self.first, last):
            return AtomLog(self.arguments, self.first, self.order)
        each, times = each_point(self.first, last)
        return AtomLog(self.arguments.take(each, axis=0), times, self.order[each])


def encode(facts: Iterable[PredicateFacts], codes: Codes) -> Encoded:
    encoded = Encoded()
    for name, part in facts_by_predicate(facts).items():
        always, timed = background(part), with_times(part)
        if len(always):
            encoded.static[name] = _always(_arguments(always, codes))
        if len(timed):
            encoded.logs[name] = encode_spans(timed, codes).log()
    return encoded


def encode_spans(facts: PredicateFacts, codes: Codes) -> Spans:
    """Facts with times, as the intervals that they are."""
    first, last = spans_of(facts)
    order = facts.order
    ties = np.full(len(facts), NOTHING) if order is None else order.encoded(codes.encode)
    return Spans(_arguments(facts, codes), ties, first, last)


def _always(tuples: Rows) -> Relation:
    """Tuples that hold at all times."""
    return relation(tuples, np.zeros(len(tuples), np.int64), np.full(len(tuples), FUTURE))


def _arguments(facts: PredicateFacts, codes: Codes) -> Rows:
    table = np.empty((len(facts), facts.width), np.int64)
    for place, column in enumerate(facts.arguments):
        table[:, place] = _codes(column, codes)
    return table


def _codes(column: Constants, codes: Codes) -> Rows:
    """Each constant is looked up once; numbers that are their own codes are not."""
    if isinstance(column, Integers):
        return codes.encode_numbers(column.numbers)
    return column.encoded(codes.encode)


# --- with times and without


def background(facts: PredicateFacts) -> PredicateFacts:
    """The facts that always hold."""
    always = _always_hold(facts)
    return facts.take(np.zeros(len(facts), bool) if always is None else always)


def with_times(facts: PredicateFacts) -> PredicateFacts:
    """The others."""
    always = _always_hold(facts)
    return facts if always is None else facts.take(~always)


def _always_hold(facts: PredicateFacts) -> Mask | None:
    """The facts that always hold; None where there are none."""
    if facts.low.is_infinite is None or facts.high.is_infinite is None:
        return None
    return facts.low.is_infinite & facts.high.is_infinite


# --- time points


def moments(spans: Iterable[tuple[Cuts, Cuts]]) -> Cuts:
    """The time points from first to last ones, each once."""
    points = [np.zeros(0, np.int64)]
    for first, last in spans:
        is_point = np.array_equal(first, last)
        points.append(distinct_points(first if is_point else each_point(first, last)[1]))
    return distinct_points(np.concatenate(points))


def each_point(first: Cuts, last: Cuts) -> tuple[Rows, Cuts]:
    """Every row at every time point: the number of the row, and the time point."""
    count = np.maximum(last - first + 1, 0)
    each = np.repeat(np.arange(len(first)), count)
    offsets = np.arange(len(each)) - np.repeat(np.cumsum(count) - count, count)
    return each, first[each] + offsets


def spans_of(facts: PredicateFacts) -> tuple[Cuts, Cuts]:
    """The first and the last time point of each fact; an error if they are no natural numbers."""
    first, last, wrong = time_spans(facts.low, facts.high)
    if wrong.any():
        (fact,) = ground_facts([facts.take(np.flatnonzero(wrong)[:1])])
        time_points_of(fact)
    return first, last


def time_spans(low: Ends, high: Ends) -> tuple[Cuts, Cuts, Mask]:
    """First and last time points between ends, and which of them are none: they are of no use then."""
    unit, (begin, end) = aligned([low, high])
    if unit == 1 and _are_points(low, high):
        return begin, begin, (begin < 0) | (begin > LAST)
    first, last = (begin, end) if unit == 1 else (-(-begin // unit), end // unit)
    if low.is_open is not None:
        first = np.where(low.is_open, begin // unit + 1, first)
    if high.is_open is not None:
        last = np.where(high.is_open, -(-end // unit) - 1, last)
    wrong = (begin < 0) | (last > LAST) | (last - first >= LONGEST)
    if unit != 1:
        wrong |= (begin == end) & (begin % unit != 0)
    for missing in (low.is_infinite, high.is_infinite):
        wrong |= False if missing is None else missing
    if first.dtype == object or last.dtype == object:
        first, last = (np.where(wrong, 0, column).astype(np.int64) for column in (first, last))
    return first, last, wrong


def _are_points(low: Ends, high: Ends) -> bool:
    """Whether all are closed intervals of one time, of 64 bits."""
    masks = (low.is_infinite, high.is_infinite, low.is_open, high.is_open)
    if any(mask is not None for mask in masks) or low.numerators.dtype == object:
        return False
    return low is high or np.array_equal(low.numerators, high.numerators)


def time_points_of(fact: GroundFact) -> range:
    """The time points of a fact's interval: natural numbers."""
    interval = fact.interval
    if interval.low is None or interval.high is None:
        missing = "beginning" if interval.low is None else "end"
        raise _no_time_point(fact, f"it has no {missing}", "give both ends of the interval")
    if interval.is_punctual and interval.low.denominator != 1:
        raise _no_time_point(fact, "it is not a whole number", _FINER)
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
    return NOT_AT_TIME_POINTS(fact=written, when=when, why=why, remedy=help)


# --- what may be in a stream


@dataclass(frozen=True, slots=True)
class StreamCheck:
    """Refuses the first fact that cannot be in a stream, with its number.

    Facts with times are about input predicates (Def. 1), and at time points.
    """

    derived: Collection[str]

    def __call__(self, facts: Sequence[PredicateFacts]) -> None:
        for number, part in sorted(self._refused(facts), key=lambda found: found[0]):
            if part.predicate in self.derived:
                raise catalogue.derived_in_stream(part.predicate, number + 1)
            try:
                spans_of(part)
            except InputError as error:
                raise error.at("", number + 1) from None

    def _refused(self, facts: Sequence[PredicateFacts]) -> Iterator[tuple[int, PredicateFacts]]:
        """Per predicate the number of the first fact that is refused."""
        for part in map(with_times, facts):
            *_, wrong = time_spans(part.low, part.high)
            if part.predicate in self.derived:
                wrong = np.ones(len(part), bool)
            if wrong.any():
                yield int(part.numbers[wrong].min()), part
