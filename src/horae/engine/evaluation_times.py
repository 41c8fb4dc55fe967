"""At which time points a program is evaluated: over a whole input, and while a stream goes on.

At `events`, a time point is evaluated once it is decided. The points of a grid lie between the first and
the last time point with input: one after the last so far has to wait for a later row. A list needs no
input.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Self, assert_never

import numpy as np

from horae.data import catalogue_facts as catalogue
from horae.data.cuts import Cuts
from horae.data.time_points import AtEvents, AtEvery, AtPoints, EvaluationTimes
from horae.engine.chunks import load_array, save_array
from horae.engine.contract import Wants

FOREVER = 2**63 - 1

_MOST = 10**7
_NUMBERS = "times"
_WAITING = "waiting"
_NO_TIMES = np.zeros(0, np.int64)


def find_times(at: EvaluationTimes, points: Cuts | Sequence[int]) -> Cuts:
    """The evaluation times, given all time points with input (for a step, the first and the last do)."""
    known = np.asarray(points, np.int64)
    match at:
        case AtPoints(asked):
            return np.array(asked, np.int64)
        case AtEvents():
            return distinct_points(known)
        case AtEvery(step):
            return _grid(step, int(known.min()), int(known.max())) if len(known) else known
        case _:
            assert_never(at)


def wanted_times(at: EvaluationTimes) -> Wants:
    """The time points with input that a shard must hear of, its own or not."""
    match at:
        case AtEvents():
            return Wants.ALL
        case AtEvery():
            return Wants.ENDS
        case AtPoints():
            return Wants.NOTHING
        case _:
            assert_never(at)


def distinct_points(points: Cuts) -> Cuts:
    """Each once, in order; most inputs come in the order of time, which needs no sorting."""
    if (points[1:] >= points[:-1]).all():
        is_new = np.ones(len(points), bool)
        is_new[1:] = points[1:] != points[:-1]
        return points[is_new]
    return np.unique(points)


def _are_in(points: Cuts, known: Cuts) -> bool:
    """Whether all are among known ones, which are in order: of a whole input, all are known."""
    if not len(known) or len(points) > len(known):
        return False
    places = np.minimum(np.searchsorted(known, points), len(known) - 1)
    return bool((known[places] == points).all())


def _grid(step: int, first: int, last: int) -> Cuts:
    begin, end = -(-first // step), last // step
    if end - begin >= _MOST:
        raise catalogue.too_many_times(
            Fraction(step), _MOST, "the times are then those of the input"
        )
    return np.arange(begin, end + 1) * step


@dataclass
class ReachedTimes:
    """`first` and `last` of the points seen; `waiting`, in order, those that are to be evaluated.

    Everything up to `decided` is known; up to `reached`, also what is evaluated.
    """

    at: EvaluationTimes
    decided: int = -1
    reached: int = -1
    first: int = FOREVER
    last: int = -1
    waiting: Cuts = field(default_factory=lambda: np.zeros(0, np.int64))

    def see(self, points: Cuts) -> None:
        if not len(points):
            return
        least = int(points.min())
        if least <= self.decided:
            raise ValueError(f"a row at {least} came when {self.decided} was decided")
        self.first, self.last = min(self.first, least), max(self.last, int(points.max()))
        if isinstance(self.at, AtEvents) and not _are_in(points, self.waiting):
            self.waiting = np.union1d(self.waiting, points)

    def decide(self, until: int) -> Cuts:
        """The times to be evaluated now, in order."""
        self.decided = max(self.decided, until)
        before, self.reached = self.reached, max(self.reached, self._reach())
        due = self._between(before + 1, self.reached)
        self.waiting = self.waiting[np.searchsorted(self.waiting, self.reached, "right") :]
        return due

    def _reach(self) -> int:
        if isinstance(self.at, AtEvery) and self.first != FOREVER:
            return min(self.decided, self.last)
        return self.decided

    def _between(self, low: int, high: int) -> Cuts:
        match self.at:
            case AtEvents():
                return self.waiting[: np.searchsorted(self.waiting, high, "right")]
            case AtPoints(points):
                asked = np.array(points, np.int64)
                return asked[(low <= asked) & (asked <= high)]
            case AtEvery():
                begin, end = max(low, self.first), min(high, self.last)
                return find_times(self.at, (begin, end)) if begin <= end else _NO_TIMES
            case _:
                assert_never(self.at)

    @property
    def following(self) -> int:
        """No time before this one is evaluated any more."""
        match self.at:
            case AtEvents():
                return min(self.reached + 1, FOREVER)
            case AtPoints(points):
                return next((point for point in points if point > self.reached), FOREVER)
            case AtEvery(step):
                return min(-(-(self.reached + 1) // step) * step, FOREVER)
            case _:
                assert_never(self.at)

    # --- as chunks

    def save(self) -> Iterator[tuple[str, bytes]]:
        numbers = [self.decided, self.reached, self.first, self.last]
        yield _NUMBERS, json.dumps(numbers).encode()
        yield from save_array(_WAITING, self.waiting)

    @classmethod
    def load(cls, at: EvaluationTimes, chunks: Mapping[str, bytes]) -> Self:
        decided, reached, first, last = json.loads(chunks[_NUMBERS])
        return cls(at, decided, reached, first, last, load_array(_WAITING, chunks))
