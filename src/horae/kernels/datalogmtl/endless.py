"""Fixpoints that would never be reached.

Where recursion carries facts on for ever, there is no fixpoint on the whole timeline: a horizon
must say how far to go. That is noticed when a fact lies so far after (or before) all data that its
derivation must have come back to the same ground atom; from there on it repeats itself.
"""

from __future__ import annotations

import numpy as np

from horae.kernels.datalogmtl.fixpoint import Relations
from horae.kernels.datalogmtl.time import Timeline
from horae.kernels.intervals.cuts import FUTURE, PAST, Cuts
from horae.kernels.intervals.relation import Relation
from horae.languages.datalogmtl.normal import JoinRule, NormalProgram, NormalRule
from horae.source.errors import InputError


class Guard:
    """Stops a fixpoint that would never be reached."""

    def __init__(
        self, normal: NormalProgram, held: Relations, timeline: Timeline, component: frozenset[str]
    ) -> None:
        self._held = held
        self._component = component
        self._reach = 2 * sum(_reach(rule, timeline) for rule in normal.rules) + 2
        ends = [_finite_ends(rows) for rows in held.values()]
        finite = np.concatenate(ends) if ends else np.empty(0, np.int64)
        self._first = int(finite.min()) if len(finite) else 0
        self._last = int(finite.max()) if len(finite) else 0

    def watch(self, new: Relation) -> None:
        """Ground atoms bound how far a derivation can go without repeating itself."""
        tuples = sum(len(self._held.get(name, ())) for name in self._component)
        slack = self._reach * (tuples + 2)
        lows, highs = new.lo[new.lo != PAST], new.hi[new.hi != FUTURE]
        too_late = len(lows) and int(lows.max()) > self._last + slack
        too_early = len(highs) and int(highs.min()) < self._first - slack
        if too_late or too_early:
            raise needs_horizon(self._component)


def needs_horizon(component: frozenset[str]) -> InputError:
    names = ", ".join(f"`{n}`" for n in sorted(component) if not n.startswith("~"))
    return InputError(
        "RUN011",
        f"the rules for {names} carry facts on for ever, so the answers have no end",
        help="give a horizon: everything is then computed up to that time, exactly",
    )


def _reach(rule: NormalRule, timeline: Timeline) -> int:
    """How far one application of a rule moves an end, in ticks."""
    if isinstance(rule, JoinRule):
        return 0
    ends = (rule.interval.low, rule.interval.high)
    return max((timeline.ticks(end) for end in ends if end is not None), default=0)


def _finite_ends(rows: Relation) -> Cuts:
    ends: Cuts = np.concatenate([rows.lo, rows.hi])
    finite: Cuts = ends[(ends != PAST) & (ends != FUTURE)]
    return finite
