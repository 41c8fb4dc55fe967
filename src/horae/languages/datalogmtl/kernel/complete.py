"""One component to its fixpoint: exactly where that takes few intervals, else as far as is asked for.

The window in which facts are derived begins a little wider than the data and grows while anything
is derived outside of it. At each size, intervals that fill the last stretch may be found to hold for
ever, and derivations may be found to repeat themselves for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from horae.data.cuts import FUTURE, PAST, derived_too_large
from horae.languages.datalogmtl.check.normal import JoinRule
from horae.languages.datalogmtl.kernel.effort import FEW_ROUNDS, MOST_ROUNDS, is_too_long
from horae.languages.datalogmtl.kernel.fixpoint import Fixpoint, Relations, View, Window
from horae.languages.datalogmtl.kernel.repeats import repeats
from horae.languages.datalogmtl.kernel.rules import Executable
from horae.languages.datalogmtl.kernel.shortcuts import longest_stretches
from horae.languages.datalogmtl.kernel.tails import TRIED_ROUNDS, Side, Stretch, find_tails
from horae.rules.intervals.relation import Relation
from horae.rules.intervals.wide import WideCut, whole

# Windows of int64 cuts stay clear of the infinite ones, by so many reaches of the rules.
_CLEAR = 4
# So many intervals of one component, and still no end in sight.
_MANY_ROWS = 4_000_000
# What is asked for may take so many intervals, and so many different times at which they begin.
_MOST_ROWS = 200_000_000
_MOST_BEGINS = MOST_ROUNDS

# Rounds in which a shortcut must be proved.
_SHORT_PROOF = 32


class EndlessComponent:
    """Predicates that need each other, with the rules for them."""

    def __init__(self, predicates: frozenset[str], rules: Sequence[Executable]) -> None:
        self.predicates, self.rules = predicates, rules
        self.negates = frozenset(p.predicate for rule in rules for p in rule.negatives)
        self.reads = frozenset[str]().union(predicates, *(rule.reads for rule in rules))
        self.is_recursive = any(rule.reads & predicates for rule in rules)
        self.furthest = max((_reach(rule) for rule in rules), default=0)
        """How far one rule moves an end, in cuts of whole ticks."""
        self.nearest = 2 + min((_reach(rule) for rule in rules if _reach(rule)), default=0)
        """The least distance, in the same cuts, that some rule moves an end by."""
        self.reach = 2 + sum(_reach(rule) for rule in rules)
        """No chain of different rules moves an end further."""


def _reach(rule: Executable) -> int:
    if isinstance(rule.rule, JoinRule):
        return 0
    return max(cut & ~1 for cut in (0, *rule.reach) if cut not in (PAST, FUTURE))


@dataclass(frozen=True, slots=True)
class Asked:
    """How far a component is wanted at least where it has no end; None: it must have one.

    `beyond` tells whether what lies behind that matters: if not, all stops there.
    """

    lo: int | None = None
    hi: int | None = None
    beyond: bool = True


@dataclass(frozen=True, slots=True)
class Completed:
    """The relations of a component; `open_sides`: where they go on beyond the window."""

    found: Relations
    window: Window
    open_sides: frozenset[Side]


class EndlessError(Exception):
    """Derivations go on for ever at a side where an end was needed; or none was found for long."""

    def __init__(self, component: EndlessComponent, side: Side, last: int, is_proved: bool) -> None:
        self.component, self.side, self.last = component, side, last
        self.is_proved = is_proved
        super().__init__("no fixpoint")


class TooManyError(Exception):
    """What is asked for takes more intervals than can be derived: about so many up to a cut."""

    def __init__(self, component: EndlessComponent, side: Side, end: int, rows: int) -> None:
        self.component, self.side, self.end, self.rows = component, side, end, rows
        super().__init__("too many intervals")


def complete(
    component: EndlessComponent,
    held: Mapping[str, Relation],
    negated: Mapping[str, Relation],
    widths: Mapping[str, int],
    asked: Asked,
    *,
    decided: int | None = None,
    floor: Callable[[str], int] = lambda _: PAST,
    view: View | None = None,
) -> Completed:
    """All that follows within the component. All before the cut `decided` is given."""
    reads = {name: held[name] for name in component.reads if name in held}
    under_not = {name: negated[name] for name in component.negates if name in negated}
    fixpoint = Fixpoint(component.rules, component.predicates, reads, under_not, widths)
    if not component.is_recursive:
        window = Window(PAST, FUTURE, floor)
        fixpoint.start(window, view)
        return _completed(fixpoint, window, frozenset())
    return _Completion(component, fixpoint, reads, under_not, asked, decided, floor).run(view)


def _completed(fixpoint: Fixpoint, window: Window, sides: frozenset[Side]) -> Completed:
    found = {name: fixpoint.relation(name) for name in fixpoint.component}
    return Completed(found, window, sides)


@dataclass
class _Completion:
    component: EndlessComponent
    fixpoint: Fixpoint
    held: Relations
    negated: Relations
    asked: Asked
    decided: int | None
    floor: Callable[[str], int]
    endless: set[Side] = field(default_factory=set)

    def run(self, view: View | None) -> Completed:
        self.first, self.last = self._span()
        margin = 4 * self.component.nearest
        self.lo, self.hi = self.first - margin, self.last + margin
        if not self.asked.beyond and self.asked.hi is not None:
            self.hi = min(self.hi, self.asked.hi)
        self._refuse_narrow()
        self.fixpoint.shortcut = self._shortcut
        self.fixpoint.start(self._window(), view)
        self.at_first = self.fixpoint.effort.cost
        while True:
            sides = self._open_sides()
            if not any(self._go_on(side) for side in sides):
                return _completed(self.fixpoint, self._window(), sides)

    def _window(self) -> Window:
        return Window(self.lo, self.hi, self.floor)

    def _span(self) -> tuple[int, int]:
        """The first and the last change in what is read, as whole ticks."""
        rows = [*self.held.values(), *self.negated.values()]
        decided = [] if self.decided is None else [self.decided]
        first, last = span_of_rows(rows, decided)
        return first & ~1, (last + 1) & ~1

    def _open_sides(self) -> frozenset[Side]:
        rows = self.fixpoint.outside().values()
        after = any(bool((r.hi > self.hi).any()) for r in rows)
        before = any(bool((r.lo < self.lo).any()) for r in rows)
        return frozenset([Side.AFTER] * after + [Side.BEFORE] * before)

    def _go_on(self, side: Side) -> bool:
        """Find what holds for ever, or go further; False where that is not needed."""
        if self._extend(side):
            return True
        if not self._needs_more(side):
            return False
        self._grow(side)
        self.fixpoint.widen(self._window())
        return True

    def _extend(self, side: Side) -> bool:
        stretch = self._stretch(side)
        if stretch is None:
            return False
        tails = self._tails(_far_half(stretch))
        self.fixpoint.add(tails, self._window())
        return bool(tails)

    def _tails(self, half: Stretch, rounds: int = TRIED_ROUNDS) -> Relations:
        reach = self.component.reach
        return find_tails(self.fixpoint, self.held, self.negated, half, reach, rounds)

    def _shortcut(self, new: Relations) -> Relations:
        """What grows by a little in each round, and would do so for ever."""
        for stretch in longest_stretches(new, self.last):
            tails = self._tails(_far_half(stretch), _SHORT_PROOF)
            if tails:
                return tails
        return {}

    def _stretch(self, side: Side) -> Stretch | None:
        """The time behind the data, if that is long enough to find what goes on for ever."""
        beyond = self._beyond(side)
        return beyond if beyond.length >= 4 * self.component.reach else None

    def _beyond(self, side: Side) -> Stretch:
        """From the last change in what is read to the end of the window."""
        near, far = (self.last, self.hi) if side is Side.AFTER else (self.first, self.lo)
        return Stretch(side, near, far & ~1)

    def _needs_more(self, side: Side) -> bool:
        """Up to what is asked for; and further, as long as an end may be found."""
        end = self.asked.hi if side is Side.AFTER else self.asked.lo
        covers = end is not None and (self.hi >= end if side is Side.AFTER else self.lo <= end)
        if end is not None and (not covers or not self.asked.beyond):
            if not covers:
                self._refuse_far(side, end)
            return not covers
        if side not in self.endless and self._is_endless(side):
            self.endless.add(side)
        if side in self.endless and end is None:
            last = self.last if side is Side.AFTER else self.first
            raise EndlessError(self.component, side, last, not self._is_too_long(side))
        return side not in self.endless

    def _refuse_far(self, side: Side, end: int) -> None:
        """An error where far too many intervals lie between the window and what is asked for."""
        lo, hi = _far_half(self._beyond(side)).clip
        ahead = int(end - self.hi) if side is Side.AFTER else int(self.lo - end)
        rows, begins = (n * ahead // int(hi - lo) for n in self._begun(lo, hi))
        if rows <= _MOST_ROWS and begins <= _MOST_BEGINS:
            return
        hopeless = is_too_long(self._cost(), begins)
        if hopeless or side in self.endless or self._is_endless(side):
            raise TooManyError(self.component, side, end, self.fixpoint.size() + rows)

    def _begun(self, lo: int, hi: int) -> tuple[int, int]:
        """How many intervals begin between two cuts, and at how many different times."""
        every = [self.fixpoint.relation(name).lo for name in self.component.predicates]
        begun = [cuts[(cuts >= lo) & (cuts < hi)] for cuts in every]
        return sum(map(len, begun)), max(len(set(cuts.tolist())) for cuts in begun)

    def _is_endless(self, side: Side) -> bool:
        if self._is_too_long(side):
            return True
        stretch = self._stretch(side)
        if stretch is None:
            return False
        return repeats(self.fixpoint, self.held, self.negated, stretch, self.component.reach)

    def _is_too_long(self, side: Side) -> bool:
        """Compared with the data: these may be many, and take many rounds."""
        given = sum(map(len, self.held.values()))
        if self._cost() > FEW_ROUNDS or self.fixpoint.size() > _MANY_ROWS + 10 * given:
            return True
        come, needed = self._beyond(side).length, 4 * int(self.component.reach)
        return come < needed and is_too_long(self._cost(), self._cost() * needed // come)

    def _cost(self) -> int:
        """Rounds to go beyond the data."""
        return self.fixpoint.effort.cost - self.at_first

    def _grow(self, side: Side) -> None:
        """Twice as far from the data; but not past what is asked for where nothing behind matters."""
        if side is Side.AFTER:
            self.hi = self.last + 2 * max(self.hi - self.last, 4 * self.component.nearest)
            if self.asked.hi is not None and not self.asked.beyond:
                self.hi = min(self.hi, self.asked.hi)
        else:
            self.lo = self.first - 2 * max(self.first - self.lo, 4 * self.component.nearest)
        self._refuse_narrow()

    def _refuse_narrow(self) -> None:
        """Cuts of int64 do not go on for ever."""
        wide = isinstance(self.hi, WideCut) or isinstance(self.lo, WideCut)
        clear = _CLEAR * self.component.reach
        if not wide and (self.hi + clear >= FUTURE or self.lo - clear <= PAST):
            raise derived_too_large()


def _far_half(stretch: Stretch) -> Stretch:
    middle = (stretch.near + stretch.far >> 1) & ~1
    return Stretch(stretch.side, middle, stretch.far)


def span_of_rows(relations: Iterable[Relation], cuts: Iterable[int] = ()) -> tuple[int, int]:
    """The first and the last finite cut; 0 where there is none."""
    found = [cut for cut in cuts if cut not in (PAST, FUTURE)]
    for ends in (ends for rows in relations for ends in (rows.lo, rows.hi)):
        finite = ends[(ends != PAST) & (ends != FUTURE)]
        if len(finite):
            found += [whole(finite.min()), whole(finite.max())]
    return min(found, default=0), max(found, default=0)
