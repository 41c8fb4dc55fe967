"""The least fixpoint of the rules of one component, semi-naive, within a part of the timeline.

After each round the new intervals are merged into what held before; what is *new* for the next
round is every merged interval that did not exist, whole. So a box sees the old and the new part of
an interval as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from horae.data.cuts import FUTURE, PAST
from horae.languages.datalogmtl.kernel.effort import Effort
from horae.languages.datalogmtl.kernel.rules import Executable, Lookup, collect
from horae.rules.intervals.growing import Growing
from horae.rules.intervals.relation import Relation, clip, empty, relation, union

Relations = dict[str, Relation]
Clip = tuple[int, int]
Within = Callable[[str], Clip]
"""The part of the timeline in which a predicate is derived."""
View = Callable[[Executable], Callable[[str], Relation]]
"""What each rule sees in the first round."""


class Region(Protocol):
    """Where facts are derived."""

    def split(self, name: str, rows: Relation) -> tuple[Relation, Relation | None]:
        """The parts of derived rows inside, and those outside that are wanted later."""
        ...

    def ends(self, name: str) -> Clip:
        """Nothing finite is derived of a predicate outside."""
        ...


@dataclass(frozen=True, slots=True)
class Strictly:
    """What lies outside does not matter."""

    within: Within

    def split(self, name: str, rows: Relation) -> tuple[Relation, Relation | None]:
        return clip(rows, *self.within(name)), None

    def ends(self, name: str) -> Clip:
        return self.within(name)


def strictly(lo: int, hi: int) -> Strictly:
    """The same part for every predicate."""
    return Strictly(lambda _: (lo, hi))


@dataclass(frozen=True, slots=True)
class Window:
    """A part of the timeline that can become wider. Half-lines that begin inside are kept whole.

    Nothing is derived before the `floor` of a predicate.
    """

    lo: int
    hi: int
    floor: Callable[[str], int] = lambda _: PAST

    def split(self, name: str, rows: Relation) -> tuple[Relation, Relation | None]:
        rows = clip(rows, self.floor(name), FUTURE)
        endless, beginningless = rows.hi == FUTURE, rows.lo == PAST
        if not endless.any() and not beginningless.any() and _lies_in(rows, self.lo, self.hi):
            return rows, None
        lo = np.where(beginningless & (rows.hi > self.lo), PAST, np.maximum(rows.lo, self.lo))
        hi = np.where(endless & (rows.lo < self.hi), FUTURE, np.minimum(rows.hi, self.hi))
        inside = lo < hi
        after = np.maximum(rows.lo, self.hi), np.where(hi < rows.hi, rows.hi, PAST)
        before = np.where(lo > rows.lo, rows.lo, FUTURE), np.minimum(rows.hi, self.lo)
        outside = [relation(rows.arguments, *part) for part in (after, before)]
        kept = Relation(rows.arguments[inside], lo[inside], hi[inside])
        return kept, collect(outside, rows.width)

    def ends(self, name: str) -> Clip:
        return max(self.lo, self.floor(name)), self.hi


def _lies_in(rows: Relation, lo: int, hi: int) -> bool:
    return len(rows) == 0 or bool(rows.lo.min() >= lo and rows.hi.max() <= hi)


class Fixpoint:
    """The closure of what holds under the rules of one component, as far as it has been computed.

    `held` has what the rules read and what is given of their heads; what stands under a `not` is
    looked up in `negated`. A `shortcut` is asked now and then, with what is new, for rows that follow.
    """

    def __init__(
        self,
        rules: Sequence[Executable],
        component: frozenset[str],
        held: Mapping[str, Relation],
        negated: Mapping[str, Relation],
        widths: Mapping[str, int],
    ) -> None:
        self.rules, self.component, self.widths = rules, component, widths
        self._readers: dict[str, list[Executable]] = {}
        for rule in rules:
            for name in rule.reads & component:
                self._readers.setdefault(name, []).append(rule)
        self._inputs = [*(held[name] for name in held if name not in component), *negated.values()]
        self._held = _Lookup(held, widths)
        self._negated = _Lookup(negated, widths)
        self._outside: dict[str, list[Relation]] = {}
        self.effort = Effort()
        self.shortcut: Callable[[Relations], Relations] = lambda _: {}

    def relation(self, name: str) -> Relation:
        """All that holds of a predicate so far."""
        return self._held(name).relation()

    def size(self) -> int:
        """Rows of the component."""
        return sum(len(self._held(name)) for name in self.component)

    def start(self, region: Region, view: View | None = None) -> None:
        """From all that holds, to the fixpoint within a region."""
        self._close(region, self._first_round(region, view))

    def try_out(self, region: Region, rounds: int) -> None:
        """From all that holds, so many rounds at most: all that is found follows."""
        self._close(region, self._first_round(region, None), rounds)

    def widen(self, region: Region) -> None:
        """What has been derived outside of a smaller region, and lies in this one, counts now."""
        waiting, self._outside = self._outside, {}
        parts = {name: collect(rows, self.widths[name]) for name, rows in waiting.items()}
        self.add(parts, region)

    def add(self, rows: Mapping[str, Relation], region: Region) -> None:
        """Go on from more rows."""
        self._close(region, self._inside(region, rows))

    def outside(self) -> Relations:
        """What has been derived outside of the region, and does not hold for another reason."""
        found: Relations = {}
        for name, parts in self._outside.items():
            rows = self._held(name).missing(collect(parts, self.widths[name]))
            self._outside[name] = [rows]
            if len(rows):
                found[name] = rows
        return found

    # --- rounds

    def _close(self, region: Region, found: Relations, most: int | None = None) -> None:
        first = self.effort.rounds
        while any(map(len, found.values())):
            if self.effort.rounds - first == most:
                return
            self.effort.count(found.values(), self.size)
            new = self._added(found)
            self.effort.refuse_slow(self.component, new, region.ends, lambda: self._inputs)
            if self.effort.is_due:
                new = _both(new, self._added(self._inside(region, self.shortcut(new))))
            found = self._next_round(region, new)

    def _added(self, found: Relations) -> Relations:
        """The rows that were not there."""
        new = {name: self._held(name).add(rows) for name, rows in found.items()}
        return {name: rows for name, rows in new.items() if len(rows)}

    def _first_round(self, region: Region, view: View | None) -> Relations:
        derived = [(rule, [self._evaluate(rule, view)]) for rule in self.rules]
        return self._gathered(region, derived)

    def _evaluate(self, rule: Executable, view: View | None) -> Relation:
        held: Lookup = self._held
        if view is not None:
            see = view(rule)
            held = lambda name: Growing(see(name))  # noqa: E731
        return rule.evaluate(held, self._negated)

    def _next_round(self, region: Region, new: Relations) -> Relations:
        """Only rules that read what is new are tried."""
        due = dict.fromkeys(rule for name in new for rule in self._readers.get(name, ()))
        derived = [(rule, rule.evaluate_new(self._held, self._negated, new)) for rule in due]
        return self._gathered(region, derived)

    def _gathered(
        self, region: Region, derived: Iterable[tuple[Executable, Iterable[Relation]]]
    ) -> Relations:
        parts: dict[str, list[Relation]] = {}
        for rule, rows in derived:
            parts.setdefault(rule.head.predicate, []).extend(rows)
        return {
            name: self._kept(region, name, collect(rows, self.widths[name]))
            for name, rows in parts.items()
        }

    def _inside(self, region: Region, rows: Mapping[str, Relation]) -> Relations:
        return {name: self._kept(region, name, part) for name, part in rows.items()}

    def _kept(self, region: Region, name: str, rows: Relation) -> Relation:
        inside, outside = region.split(name, rows)
        if outside is not None and len(outside):
            waiting = self._outside.setdefault(name, [])
            waiting.append(outside)
            if len(waiting) > _MANY_PARTS:
                waiting[:] = [collect(waiting, self.widths[name])]
        return inside


_MANY_PARTS = 64


def _both(some: Relations, others: Relations) -> Relations:
    return some | {n: union(some[n], r) if n in some else r for n, r in others.items()}


class _Lookup:
    """Relations as they grow."""

    def __init__(self, held: Mapping[str, Relation], widths: Mapping[str, int]) -> None:
        self._held, self._widths = held, widths
        self._growing: dict[str, Growing] = {}

    def __call__(self, name: str) -> Growing:
        found = self._growing.get(name)
        if found is None:
            rows = self._held.get(name)
            found = self._growing[name] = Growing(
                empty(self._widths[name]) if rows is None else rows
            )
        return found
