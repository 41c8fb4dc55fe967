"""Fixpoints that would never be reached.

Where recursion carries facts on for ever, there is no fixpoint on the whole timeline: a horizon
must say how far to go. That is noticed when a fact lies so far after (or before) all data that its
derivation must have come back to the same ground atom; from there on it repeats itself.
"""

from __future__ import annotations

from horae.kernels.datalogmtl.fixpoint import Relations
from horae.kernels.datalogmtl.time import Timeline
from horae.kernels.intervals.cuts import FUTURE, PAST, Cuts
from horae.kernels.intervals.relation import Relation, count_tuples
from horae.kernels.intervals.wide import whole
from horae.languages.datalogmtl.normal import JoinRule, NormalProgram, NormalRule
from horae.source.errors import InputError


class Guard:
    """Stops a fixpoint that would never be reached. All before the cut `decided` is given."""

    def __init__(
        self,
        normal: NormalProgram,
        held: Relations,
        timeline: Timeline,
        component: frozenset[str],
        decided: int = PAST,
    ) -> None:
        self._held = held
        self._component = component
        own = [rule for rule in normal.rules if rule.head.predicate in component]
        self._reach = 2 * sum(_reach(rule, timeline) for rule in own) + 2
        ends = [_finite_ends(rows) for rows in held.values()]
        self._first = min((first for first, _ in ends), default=FUTURE)
        self._last = max([decided, *(last for _, last in ends)])
        if self._last == PAST:
            self._first = self._last = 0
        if decided != PAST:
            self._first = PAST  # nothing is derived before what is decided

    def watch(self, new: Relation) -> None:
        """Ground atoms bound how far a derivation can go without repeating itself.

        What counts is the far end of an interval: one that grows does not move its other end.
        """
        early = whole(_finite(new.lo).min(initial=FUTURE))
        late = whole(_finite(new.hi).max(initial=PAST))
        distance = max(late - self._last, self._first - early)
        if distance > 2 * self._reach and distance > self._reach * (self._atoms() + 2):
            raise needs_horizon(self._component)

    def _atoms(self) -> int:
        """Ground atoms that hold at some time beyond the data."""
        held = [self._held[name] for name in self._component if name in self._held]
        beyond = (r.take((r.lo < self._first) | (r.hi > self._last)) for r in held)
        return sum(map(count_tuples, beyond))


def needs_horizon(component: frozenset[str]) -> InputError:
    names = ", ".join(f"`{n}`" for n in sorted(component) if not n.startswith("~"))
    return InputError(
        "RUN011",
        f"the rules for {names} carry facts on for ever, so the answers have no end",
        help="give a horizon, such as --horizon 100: all up to that time is then computed, exactly",
    )


def _reach(rule: NormalRule, timeline: Timeline) -> int:
    """How far one application of a rule moves an end, in ticks."""
    if isinstance(rule, JoinRule):
        return 0
    ends = (rule.interval.low, rule.interval.high)
    return max((timeline.ticks(end) for end in ends if end is not None), default=0)


def _finite_ends(rows: Relation) -> tuple[int, int]:
    """The first and the last one."""
    lo, hi = _finite(rows.lo), _finite(rows.hi)
    first = min(whole(lo.min(initial=FUTURE)), whole(hi.min(initial=FUTURE)))
    return first, max(whole(lo.max(initial=PAST)), whole(hi.max(initial=PAST)))


def _finite(cuts: Cuts) -> Cuts:
    kept: Cuts = cuts[(cuts != PAST) & (cuts != FUTURE)]
    return kept
