"""What is known of a predicate while a chunk of evaluation times is evaluated, as columns.

Everything is indexed by the *evaluation time*: an interval [lo, hi) says at which evaluations a row is
there. Given atoms are there at all evaluations; derived ones only at those that derive them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from horae.data.cuts import Cuts, Rows
from horae.rules.intervals.join import MOST_PAIRS, TooManyPairsError
from horae.rules.intervals.relation import Relation, empty, relation


@dataclass(frozen=True, slots=True)
class AtomSource:
    """The atoms of one predicate.

    static   background data: tuples, as a relation over all time
    spans    atoms at time points: tuples with the intervals of *time points* at which they hold
    now      derived for the evaluation time itself: tuples with evaluation times
    at       derived for a time point: tuples with the time point behind, with evaluation times
    """

    static: Relation
    spans: Relation
    now: Relation
    at: Relation

    @property
    def width(self) -> int:
        return self.now.width

    @property
    def size(self) -> int:
        return len(self.static) + len(self.spans) + len(self.now) + len(self.at)

    def only_new(self, now: Relation, at: Relation) -> AtomSource:
        """The same predicate with nothing but these derived rows."""
        return AtomSource(empty(self.width), empty(self.width), now, at)

    def with_derived(self, now: Relation, at: Relation) -> AtomSource:
        return replace(self, now=now, at=at)


def source(width: int, static: Relation | None = None, spans: Relation | None = None) -> AtomSource:
    """A predicate of which nothing is derived yet."""
    return AtomSource(static or empty(width), spans or empty(width), empty(width), empty(width + 1))


Lookups = Callable[[str], AtomSource]


@dataclass(frozen=True, slots=True)
class EvaluationChunk:
    """The evaluation times of one step, sorted, each once; never empty."""

    times: Cuts

    @property
    def lo(self) -> int:
        return int(self.times[0])

    @property
    def hi(self) -> int:
        return int(self.times[-1]) + 1

    def halves(self) -> tuple[EvaluationChunk, EvaluationChunk]:
        """The earlier and the later times of a chunk with several."""
        middle = len(self.times) // 2
        return EvaluationChunk(self.times[:middle]), EvaluationChunk(self.times[middle:])


def spread(lo: Cuts, hi: Cuts, times: Cuts) -> tuple[Rows, Cuts]:
    """Each row at each of the times in its interval: the number of the row, and the time."""
    first = np.searchsorted(times, lo, side="left")
    count = np.maximum(np.searchsorted(times, hi, side="left") - first, 0)
    check_size(int(count.sum()))
    rows = np.repeat(np.arange(len(lo)), count)
    offsets = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
    return rows, times[first[rows] + offsets]


def check_size(rows: int) -> None:
    """Raise before so many rows take up memory."""
    if rows > MOST_PAIRS:
        raise TooManyPairsError(MOST_PAIRS)


def points_of_spans(spans: Relation) -> tuple[Rows, Cuts]:
    """Every tuple at every time point: tuples, and time points."""
    count = spans.hi - spans.lo
    rows = np.repeat(np.arange(len(spans)), count)
    offsets = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
    return spans.arguments[rows], spans.lo[rows] + offsets


def with_column(arguments: Rows, column: Cuts) -> Rows:
    return np.concatenate([arguments, column.reshape(-1, 1)], axis=1)


def pointwise(arguments: Rows, times: Cuts) -> Relation:
    """A relation with each tuple at one evaluation time."""
    return relation(arguments, times, times + 1)
