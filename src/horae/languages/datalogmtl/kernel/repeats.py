"""Derivations that repeat themselves for ever: no fixpoint is reached without a horizon.

A derivation that is merely long looks the same for a while, and stops: what proves that one goes on
is a part of time, as long as the rules look, whose facts alone give the same facts again some time
later. Shifted by that time, the same derivation gives them again, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from horae.languages.datalogmtl.kernel.fixpoint import Fixpoint, Relations, strictly
from horae.languages.datalogmtl.kernel.tails import (
    TRIED_ROUNDS,
    Side,
    Stretch,
    constant_part,
    joined,
    restart,
)
from horae.rules.intervals.growing import Growing
from horae.rules.intervals.relation import Relation, clip
from horae.rules.intervals.wide import whole

# Earlier times that are compared with the last ones.
_CANDIDATES = 48


@dataclass(frozen=True, slots=True)
class _Slice:
    lo: int
    hi: int

    def nearer(self, by: int, side: Side) -> _Slice:
        """Shifted towards the data."""
        by = by if side is Side.BEFORE else -by
        return _Slice(self.lo + by, self.hi + by)


def repeats(
    fixpoint: Fixpoint,
    held: Mapping[str, Relation],
    negated: Mapping[str, Relation],
    stretch: Stretch,
    reach: int,
) -> bool:
    """Whether what holds in some part of a stretch is found to repeat itself for ever."""
    last = _last_slice(stretch, reach)
    now = _content(fixpoint, last)
    for period in _periods(now, fixpoint, stretch, last):
        before = last.nearer(period, stretch.side)
        if not _inside(before, stretch):
            return False
        then = _content(fixpoint, before)
        if _same(now, then, last.lo - before.lo) and _gives(
            fixpoint, held, negated, stretch, reach, then, now, before, last
        ):
            return True
    return False


def _last_slice(stretch: Stretch, reach: int) -> _Slice:
    """Not at the very end: what looks ahead is not complete there."""
    far = (stretch.near + 3 * stretch.far >> 2) & ~1
    return _Slice(far - reach, far) if stretch.side is Side.AFTER else _Slice(far, far + reach)


def _inside(part: _Slice, stretch: Stretch) -> bool:
    return part.lo >= stretch.near if stretch.side is Side.AFTER else part.hi <= stretch.near


def _content(fixpoint: Fixpoint, part: _Slice) -> Relations:
    found = {n: clip(fixpoint.relation(n), part.lo, part.hi) for n in sorted(fixpoint.component)}
    return {name: rows for name, rows in found.items() if len(rows)}


def _periods(now: Relations, fixpoint: Fixpoint, stretch: Stretch, last: _Slice) -> Iterator[int]:
    """How long before its last beginning some atom began, nearest first."""
    for name, rows in now.items():
        begins = np.flatnonzero(rows.lo > last.lo)
        if len(begins):
            anchor = begins[np.argmax(rows.lo[begins])]
            every = fixpoint.relation(name)
            same = (every.arguments == rows.arguments[anchor]).all(axis=1)
            now, earlier = rows.lo[anchor], every.lo[same]
            signed = now - earlier if stretch.side is Side.AFTER else earlier - now
            fitting = np.sort(signed[(signed > 0) & (signed % 2 == 0)])
            yield from map(whole, fitting[:_CANDIDATES])
            return


def _same(now: Relations, then: Relations, by: int) -> bool:
    return now.keys() == then.keys() and all(
        len(rows) == len(then[name])
        and np.array_equal(rows.arguments, then[name].arguments)
        and np.array_equal(rows.lo, then[name].lo + by)
        and np.array_equal(rows.hi, then[name].hi + by)
        for name, rows in now.items()
    )


def _gives(
    fixpoint: Fixpoint,
    held: Mapping[str, Relation],
    negated: Mapping[str, Relation],
    stretch: Stretch,
    reach: int,
    then: Relations,
    now: Relations,
    before: _Slice,
    last: _Slice,
) -> bool:
    """Whether what held then gives, alone, what holds now."""
    after = stretch.side is Side.AFTER
    rest = Stretch(stretch.side, before.lo if after else before.hi, last.hi if after else last.lo)
    constant = constant_part(fixpoint, held, rest)
    excluded = {name: rest.possible(rows) for name, rows in negated.items()}
    sub = restart(fixpoint, joined(constant, then), excluded)
    sub.try_out(strictly(*rest.longer(reach).clip), TRIED_ROUNDS)
    return not any(len(Growing(sub.relation(n)).missing(rows)) for n, rows in now.items())
