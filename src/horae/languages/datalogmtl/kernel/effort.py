"""How long a fixpoint takes: rounds are counted, and what is left of them is estimated.

Rules that move an end by a little in each round need many rounds to cross a long part of time in
which nothing changes. How fast the ends move tells how many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from horae.data.cuts import FUTURE, PAST
from horae.languages.datalogmtl import catalogue
from horae.rules.intervals.relation import Relation
from horae.rules.intervals.wide import is_wide, whole
from horae.source.errors import InputError

# So many rounds may take long, but not for ever.
MOST_ROUNDS = 20_000_000
# With so many times as many there is no hope, and fewer rounds need to be done before that is said.
_HOPELESS = 50
_SOONER = 8
# Before so many are done, nothing is refused: a derivation may stop by itself.
FEW_ROUNDS = 60_000
# How often ends are looked at.
_STEP = 1024
# The first round in which a shortcut is looked for; then after twice as many, and so on.
_FIRST_LOOK = 64
# Integers of any size are compared one by one: so many take as long as one round.
_WIDE_ROWS = 64

Changes = Callable[[], Iterable[Relation]]
"""What the rules read but do not derive."""


@dataclass(frozen=True, slots=True)
class _Front:
    """The first and the last end of what is new of a predicate in some round."""

    rounds: int
    lo: int | None
    hi: int | None


@dataclass
class Effort:
    """Rounds so far. A round over wide cuts counts as several, in proportion to the rows."""

    rounds: int = 0
    cost: int = 0
    _next_look: int = _STEP
    _fronts: dict[str, _Front] = field(default_factory=dict)

    @property
    def is_due(self) -> bool:
        """In fewer and fewer rounds it is time to look for a shortcut."""
        return self.rounds >= _FIRST_LOOK and self.rounds & (self.rounds - 1) == 0

    def count(self, rows: Iterable[Relation], held: Callable[[], int]) -> None:
        """One more round, with new rows to those that are held."""
        self.rounds += 1
        wide = any(is_wide(part.lo) for part in rows)
        self.cost += 2 + held() // _WIDE_ROWS if wide else 1

    def refuse_slow(
        self,
        component: frozenset[str],
        new: Mapping[str, Relation],
        ends: Callable[[str], tuple[int, int]],
        changes: Changes,
    ) -> None:
        """An error where far too many rounds are left until an end of what is derived, or a change."""
        if self.cost < self._next_look:
            return
        self._next_look = self.cost + _STEP
        for name, rows in new.items():
            before, now = self._fronts.get(name), _front(self.rounds, rows)
            self._fronts[name] = now
            if before is not None and self.cost > FEW_ROUNDS // _SOONER:
                left = _left(before, now, ends(name), changes)
                if is_too_long(self.cost, left * self.cost // self.rounds):
                    raise _too_slow(component, self.rounds + left)


def is_too_long(done: int, left: int) -> bool:
    """Whether far too many rounds are left after some. Where there is no hope, that is said sooner."""
    if left > _HOPELESS * MOST_ROUNDS:
        return done > FEW_ROUNDS // _SOONER
    return left > MOST_ROUNDS and done > FEW_ROUNDS


def _front(rounds: int, rows: Relation) -> _Front:
    begins, ends = rows.lo[rows.lo != PAST], rows.hi[rows.hi != FUTURE]
    lo = whole(begins.min()) if len(begins) else None
    return _Front(rounds, lo, whole(ends.max()) if len(ends) else None)


def _left(before: _Front, now: _Front, ends: tuple[int, int], changes: Changes) -> int:
    """Rounds until an end that moves outwards meets a change or the end of what is derived."""
    rounds, left = now.rounds - before.rounds, 0
    if before.hi is not None and now.hi is not None and now.hi > before.hi:
        limit = min([ends[1], *_after(now.hi, changes())])
        if limit != FUTURE and limit > now.hi:
            left = int(limit - now.hi) * rounds // int(now.hi - before.hi)
    if before.lo is not None and now.lo is not None and now.lo < before.lo:
        limit = max([ends[0], *_before(now.lo, changes())])
        if limit != PAST and limit < now.lo:
            left = max(left, int(now.lo - limit) * rounds // int(before.lo - now.lo))
    return left


def _after(cut: int, relations: Iterable[Relation]) -> Iterable[int]:
    for rows in relations:
        for cuts in (rows.lo, rows.hi):
            later = cuts[cuts > cut]
            if len(later):
                yield whole(later.min())


def _before(cut: int, relations: Iterable[Relation]) -> Iterable[int]:
    for rows in relations:
        for cuts in (rows.lo, rows.hi):
            earlier = cuts[cuts < cut]
            if len(earlier):
                yield whole(earlier.max())


def _too_slow(component: frozenset[str], rounds: int) -> InputError:
    return catalogue.TOO_MANY_ROUNDS(names=named(component), rounds=roughly(rounds))


def roughly(number: int) -> str:
    """A number with its first two digits, and zeros behind them."""
    zeros = max(len(str(number)) - 2, 0)
    return f"{number // 10**zeros * 10**zeros:,}"


def named(predicates: Iterable[str]) -> str:
    """The predicates that the program has a name for."""
    return ", ".join(f"`{name}`" for name in sorted(predicates) if not name.startswith("~"))
