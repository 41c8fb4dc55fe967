"""What a stream keeps of each predicate from one evaluation to the next.

    win[10] <> p            all atoms of the last 10 time points: the next evaluation brings the 11th
    win[#3] <> p            the newest 3 atoms of all input
    win[p(X) by X #2] <> p  the newest 2 atoms of p per value of X

Atoms ahead of the evaluation time, that a delay waits for, come on top.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from horae.engine.report.bounds import Bound, Bounded, Unbounded
from horae.languages.lars.analysis.ranges import NOW, Cause
from horae.languages.lars.analysis.reach import Reach
from horae.languages.lars.analysis.reads import CountingWindow
from horae.languages.lars.analysis.reasons import remedy_past, why_past
from horae.languages.lars.syntax.tree import PartitionWindow
from horae.rules.terms import Atom, Constant


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest atoms: of all input together, or of those that match `pattern`, per value of `by`."""

    count: int
    pattern: Atom | None = None
    by: tuple[str, ...] = ()

    def is_about(self, predicate: str) -> bool:
        return self.pattern is None or self.pattern.predicate == predicate


@dataclass(frozen=True, slots=True)
class Kept:
    """All atoms of the last `points` time points, and the `newest` ones of those before.

    `cause` is there if `points` has no bound.
    """

    predicate: str
    points: Bound
    newest: tuple[Newest, ...]
    cause: Cause | None

    @property
    def is_nothing(self) -> bool:
        return self.points == Bounded(0) and not self.newest

    @property
    def remedy(self) -> str:
        return "" if self.cause is None else remedy_past(self.cause)


def find_kept(predicate: str, reach: Reach) -> Kept:
    """What is kept of an input predicate in any mode, or of a derived one with `history`."""
    cause = _cause(predicate, reach)
    if cause is not None:
        unbounded = Unbounded(why_past(cause), cause.formula.span)
        return Kept(predicate, unbounded, (), cause)
    newest = () if predicate in reach.derived else tuple(dict.fromkeys(_newest(predicate, reach)))
    return Kept(predicate, Bounded(reach.past(predicate) or 0), newest, None)


def _cause(predicate: str, reach: Reach) -> Cause | None:
    """A counting window without a bound keeps all input: what it counts depends on all of it."""
    if reach.past(predicate) is None:
        return reach.range(predicate).past
    if predicate in reach.derived:
        return None
    return next((c.cause for c in reach.counted if c.cause is not None), None)


def _newest(predicate: str, reach: Reach) -> Iterator[Newest]:
    for counted in reach.counted:
        found = _selected(counted.window)
        if found.count and found.is_about(predicate):
            yield found


def _selected(window: CountingWindow) -> Newest:
    assert isinstance(window.past, Constant), "other numbers have no bound"
    assert isinstance(window.past.value, int), "the checker has seen to it"
    if not isinstance(window, PartitionWindow):
        return Newest(window.past.value)
    by = tuple(variable.name for variable in window.by)
    return Newest(window.past.value, window.pattern, by)


def find_causes(predicates: Sequence[str], reach: Reach) -> dict[Cause, tuple[str, ...]]:
    """All that keeps atoms of these predicates for ever, with those it does it to; (): all input."""
    found: dict[Cause, tuple[str, ...]] = {}
    for name in predicates:
        own = reach.ranges.get(name, NOW)
        if own.first == -inf and own.past is not None:
            found[own.past] = (*found.get(own.past, ()), name)
    if all(name in reach.derived for name in predicates):
        return found
    shared = [counted.cause for counted in reach.counted]
    shared += [reach.named.past] if reach.named.first == -inf else []
    return found | {cause: () for cause in shared if cause is not None}
