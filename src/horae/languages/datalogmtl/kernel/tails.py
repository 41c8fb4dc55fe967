"""Facts that hold for ever: intervals that grow round by round, found to have no end.

Suppose that some atoms hold from x to C, behind (or before) all that changes in what the rules read.
If these alone, with what holds from x on for ever, give the same atoms from C to C + δ, however small
δ is, then shifted by δ the same derivation gives them from there to C + 2δ, and so on: they hold from x
on for ever.
(Atoms that hold since ever do so in the shifted derivation too, so they may be assumed to.)

What such a proof assumes is only what is already known to hold, so what it adds follows from the
rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np

from horae.data.cuts import FUTURE, PAST, Cuts
from horae.languages.datalogmtl.kernel.fixpoint import Fixpoint, Relations, strictly
from horae.rules.intervals.growing import Growing
from horae.rules.intervals.relation import Relation, relation
from horae.rules.intervals.wide import WideCut, is_wide

# In cuts: the least by which whole ticks are shifted.
_TICK = 2
# A proof that takes more rounds is given up.
TRIED_ROUNDS = 4096


class Side(Enum):
    """The two directions in which derivations can go on for ever."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Stretch:
    """The time between `near`, close to the data, and `far`, an end of what has been computed.

    Both are cuts of whole ticks, so that it can be shifted.
    """

    side: Side
    near: int
    far: int

    @property
    def clip(self) -> tuple[int, int]:
        return (self.near, self.far) if self.side is Side.AFTER else (self.far, self.near)

    @property
    def length(self) -> int:
        lo, hi = self.clip
        return int(hi - lo)

    def longer(self, by: int) -> Stretch:
        far = self.far + by if self.side is Side.AFTER else self.far - by
        return Stretch(self.side, self.near, far)

    def endless(self) -> tuple[int, int]:
        return (self.near, FUTURE) if self.side is Side.AFTER else (PAST, self.near)

    def fills(self, rows: Relation) -> Relation:
        """The rows, as long as the stretch, of what holds all through it but not for ever."""
        lo, hi = self.clip
        ends = rows.hi < FUTURE if self.side is Side.AFTER else rows.lo > PAST
        return self._cut(rows.take((rows.lo <= lo) & (rows.hi >= hi) & ends), lo, hi)

    def for_ever(self, rows: Relation) -> Relation:
        """What holds from the near end on for ever."""
        lo, hi = self.endless()
        return self._cut(rows.take((rows.lo <= lo) & (rows.hi >= hi)), lo, hi)

    def _cut(self, rows: Relation, lo: int, hi: int) -> Relation:
        """The part between two cuts; what has no end on the other side of the data keeps that."""
        low, high = _ends(rows.lo, lo, hi)
        if self.side is Side.AFTER:
            return Relation(rows.arguments, np.where(rows.lo == PAST, PAST, low), high)
        return Relation(rows.arguments, low, np.where(rows.hi == FUTURE, FUTURE, high))

    def possible(self, rows: Relation) -> Relation:
        """What holds at some time from the near end on, as if it held always."""
        lo, hi = self.endless()
        kept = rows.take((rows.hi > lo) & (rows.lo < hi))
        return everlasting(kept)


def find_tails(
    fixpoint: Fixpoint,
    held: Mapping[str, Relation],
    negated: Mapping[str, Relation],
    stretch: Stretch,
    reach: int,
    rounds: int = TRIED_ROUNDS,
) -> Relations:
    """The rows of a component that go on for ever, of those that fill a stretch.

    A proof takes so many rounds at most.
    """
    filling = {name: stretch.fills(fixpoint.relation(name)) for name in fixpoint.component}
    filling = {name: rows for name, rows in filling.items() if len(rows)}
    assumed = constant_part(fixpoint, held, stretch)
    excluded = {name: stretch.possible(negated[name]) for name in negated}
    while filling:
        sub = restart(fixpoint, joined(assumed, filling), excluded)
        sub.try_out(strictly(*stretch.longer(reach).clip), rounds)
        target = stretch.longer(_TICK)
        again = {name: _reached(rows, sub, name, target) for name, rows in filling.items()}
        again = {name: rows for name, rows in again.items() if len(rows)}
        if all(len(again.get(name, ())) == len(rows) for name, rows in filling.items()):
            return {n: _spread(rows, *stretch.endless()) for n, rows in filling.items()}
        filling = again
    return {}


def constant_part(fixpoint: Fixpoint, held: Mapping[str, Relation], stretch: Stretch) -> Relations:
    """What the rules read that holds from the near end of a stretch on for ever."""
    inputs = {name: stretch.for_ever(rows) for name, rows in held.items()}
    own = {name: stretch.for_ever(fixpoint.relation(name)) for name in fixpoint.component}
    return inputs | own


def joined(some: Relations, others: Relations) -> Relations:
    """The rows of both."""
    both = dict(some)
    for name, rows in others.items():
        whole = Growing(both[name])
        whole.add(rows)
        both[name] = whole.relation()
    return both


def restart(fixpoint: Fixpoint, held: Relations, negated: Relations) -> Fixpoint:
    return Fixpoint(fixpoint.rules, fixpoint.component, held, negated, fixpoint.widths)


def _reached(rows: Relation, sub: Fixpoint, name: str, target: Stretch) -> Relation:
    """The rows whose tuples hold all through a longer stretch."""
    wanted = _spread(rows, *target.clip)
    gaps = Growing(sub.relation(name)).missing(wanted)
    return Growing(everlasting(gaps)).missing(rows)


def everlasting(rows: Relation) -> Relation:
    """The tuples, as if they held always."""
    return relation(rows.arguments, *_ends(rows.lo, PAST, FUTURE))


def _spread(rows: Relation, lo: int, hi: int) -> Relation:
    return Relation(rows.arguments, *_ends(rows.lo, lo, hi))


def _ends(like: Cuts, lo: int, hi: int) -> tuple[Cuts, Cuts]:
    """Columns of the same two cuts."""
    wide = is_wide(like) or isinstance(lo, WideCut) or isinstance(hi, WideCut)
    low, high = (np.full(len(like), cut, object if wide else np.int64) for cut in (lo, hi))
    return low, high
