"""Batch: all facts at once, to the fixpoint. The whole language, on a finite set of facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from horae.data.cuts import PAST
from horae.data.symbols import Symbols
from horae.languages.datalogmtl.analysis.delays import Infeasible, find_delays
from horae.languages.datalogmtl.check.normal import JoinRule, NormalProgram, NormalRule
from horae.languages.datalogmtl.kernel.bounds import Bounds, bound
from horae.languages.datalogmtl.kernel.complete import (
    Asked,
    EndlessComponent,
    EndlessError,
    TooManyError,
    complete,
    span_of_rows,
)
from horae.languages.datalogmtl.kernel.endless import depends_on_the_end, needs_horizon, too_many
from horae.languages.datalogmtl.kernel.fixpoint import Relations
from horae.languages.datalogmtl.kernel.rules import Executable, positive_atoms
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.rules.terms import Atom, Constant
from horae.source.errors import InputError


@dataclass(frozen=True, slots=True)
class Interest:
    """The time in which answers are wanted, ends included; None: without end."""

    first: Fraction | None = None
    last: Fraction | None = None


ALL_TIME = Interest()


def materialise(
    normal: NormalProgram,
    held: Relations,
    symbols: Symbols,
    timeline: Timeline,
    interest: Interest = ALL_TIME,
    wanted: Iterable[str] | None = None,
) -> Relations:
    """Everything that follows for the wanted predicates, exact in the time of interest.

    Where that takes more than a few intervals, or depends on what never ends, it is an error.
    """
    names = frozenset(normal.program.queries if wanted is None else wanted)
    widths = predicate_widths(normal, held)
    components = _needed(components_of(normal, symbols, timeline), names)
    if interest.last is None:
        return _exactly(components, held, widths, timeline)
    delays = find_delays(normal)
    try:
        if isinstance(delays, Infeasible):
            return _Bounded(components, held, widths, timeline, interest, names, delays).certain()
        asked = Asked(hi=2 * timeline.ticks(interest.last + _longest(delays)) + 1, beyond=False)
        return _exactly(components, held, widths, timeline, asked)
    except TooManyError as error:
        raise too_many(error, interest.last, timeline) from None


def look_ahead(normal: NormalProgram) -> Fraction:
    """How far behind a time facts can matter for what holds there, in a program with a bound."""
    delays = find_delays(normal)
    assert not isinstance(delays, Infeasible), "such programs have no such bound"
    return _longest(delays)


def _longest(delays: Mapping[str, Fraction]) -> Fraction:
    return max(delays.values(), default=Fraction(0))


def waits_for_ever(normal: NormalProgram) -> Infeasible | None:
    """Why what lies far behind a time can matter for what holds there, where it may have no end."""
    delays = find_delays(normal)
    return delays if isinstance(delays, Infeasible) and _may_be_endless(normal) else None


def _may_be_endless(normal: NormalProgram) -> bool:
    """Recursion through an operator can go on for ever."""
    home = {name: number for number, names in enumerate(normal.components) for name in names}
    return any(
        home.get(atom.predicate) == home[rule.head.predicate]
        for rule in normal.rules
        if not isinstance(rule, JoinRule)
        for atom in positive_atoms(rule)
    )


def _exactly(
    components: Sequence[EndlessComponent],
    held: Relations,
    widths: Mapping[str, int],
    timeline: Timeline,
    asked: Asked = Asked(),  # noqa: B008
) -> Relations:
    """Each component in turn; none needs what lies behind what is asked for."""
    result = dict(held)
    for component in components:
        try:
            result |= complete(component, result, result, widths, asked).found
        except EndlessError as error:
            raise needs_horizon(error, timeline) from None
    return result


# --- answers that may depend on what lies behind them

# How much further than the data and the time of interest is looked, in reaches of the program.
_MARGINS = (4, 32)
# With so many intervals, going further is not tried.
_MANY_ROWS = 400_000


@dataclass(frozen=True)
class _Bounded:
    components: Sequence[EndlessComponent]
    held: Relations
    widths: Mapping[str, int]
    timeline: Timeline
    interest: Interest
    wanted: frozenset[str]
    delays: Infeasible

    def certain(self) -> Relations:
        """What certainly holds, as soon as nothing else possibly does in the time of interest."""
        *small, large = _MARGINS
        for margin in small:
            bounds = self._bound(margin)
            if not self._unknown(bounds):
                return bounds.certain
            if bounds.rows() > _MANY_ROWS + 10 * sum(map(len, self.held.values())):
                raise self._refusal(bounds)
        bounds = self._bound(large)
        if self._unknown(bounds):
            raise self._refusal(bounds)
        return bounds.certain

    def _bound(self, margin: int) -> Bounds:
        """Computed beyond the time of interest, and beyond all data."""
        reach = margin * sum(component.reach for component in self.components)
        first, last = span_of_rows(self.held.values(), (self._lo, self._hi))
        lo, hi = first - reach & ~1, (last + reach + 1) & ~1
        return bound(self.components, self.held, self.widths, lo, hi)

    def _unknown(self, bounds: Bounds) -> list[str]:
        return [n for n in sorted(self.wanted) if not bounds.agree(n, self._lo, self._hi)]

    def _refusal(self, bounds: Bounds) -> InputError:
        unknown = self._unknown(bounds)
        return depends_on_the_end(bounds, unknown, self.delays, self._lo, self._hi, self.timeline)

    @property
    def _lo(self) -> int:
        first = self.interest.first
        return PAST if first is None else 2 * self.timeline.ticks(first)

    @property
    def _hi(self) -> int:
        assert self.interest.last is not None, "else all components have an end"
        return 2 * self.timeline.ticks(self.interest.last) + 1


# --- the parts of a program


def components_of(
    normal: NormalProgram, symbols: Symbols, timeline: Timeline
) -> list[EndlessComponent]:
    """All components with their rules, in the order of evaluation."""
    rules = [Executable(rule, symbols, timeline) for rule in normal.rules]
    home = {name: number for number, names in enumerate(normal.components) for name in names}
    members: list[list[Executable]] = [[] for _ in normal.components]
    for rule in rules:
        members[home[rule.head.predicate]].append(rule)
    return [*map(EndlessComponent, normal.components, members)]


def _needed(
    components: Sequence[EndlessComponent], wanted: frozenset[str]
) -> list[EndlessComponent]:
    """Those that derive what is wanted, directly or not."""
    needed, found = set(wanted), list[EndlessComponent]()
    for component in reversed(components):
        if component.predicates & needed:
            found.append(component)
            needed |= component.reads | component.negates
    return found[::-1]


def predicate_widths(normal: NormalProgram, held: Relations) -> dict[str, int]:
    widths = {name: rows.width for name, rows in held.items()}
    for rule in normal.rules:
        for atom in atoms_of(rule):
            widths[atom.predicate] = len(atom.arguments)
    return widths


def count_constants(normal: NormalProgram) -> int:
    """Different ones in the rules; they are the first that get codes."""
    terms = (term for rule in normal.rules for atom in atoms_of(rule) for term in atom.arguments)
    return len({(isinstance(t.value, str), t.value) for t in terms if isinstance(t, Constant)})


def atoms_of(rule: NormalRule) -> tuple[Atom, ...]:
    """The head and all atoms of the body."""
    negative = rule.negative if isinstance(rule, JoinRule) else ()
    return (rule.head, *positive_atoms(rule), *negative)
