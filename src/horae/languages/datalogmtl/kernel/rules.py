"""Normal rules made executable: each maps relations of its body to rows of its head.

A rule is evaluated from rows of one of its atoms, by default from what is new there; rows of the
others are looked up. So the work is in proportion to what is new and what it meets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from horae.data import cuts
from horae.data.symbols import Symbols
from horae.languages.datalogmtl import catalogue
from horae.languages.datalogmtl.check.normal import JoinRule, Link, NormalRule, Step
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.languages.datalogmtl.syntax.print_statement import print_statement
from horae.languages.datalogmtl.syntax.tree import BinaryOperator, Operator
from horae.rules.intervals.growing import Growing, GrownSelection
from horae.rules.intervals.join import TooManyPairsError
from horae.rules.intervals.relation import Relation, empty, relation
from horae.rules.intervals.since import contains_now, reached_through
from horae.rules.terms import Atom, Constant, Variable
from horae.source.errors import InputError

SHIFTS: dict[Operator, cuts.Shift] = {
    Operator.DIAMOND_MINUS: cuts.diamond_minus,
    Operator.BOX_MINUS: cuts.box_minus,
    Operator.DIAMOND_PLUS: cuts.diamond_plus,
    Operator.BOX_PLUS: cuts.box_plus,
}

Lookup = Callable[[str], Growing]


@dataclass(frozen=True, slots=True)
class Bindings:
    """cuts.Rows with a column per variable."""

    variables: tuple[str, ...]
    rows: Relation

    def columns(self, names: Sequence[str]) -> cuts.Rows:
        return self.rows.arguments[:, [self.variables.index(name) for name in names]]

    def only(self, needed: frozenset[str]) -> Bindings:
        """Without the variables that nobody needs; rows that differ in nothing else are one."""
        kept = tuple(name for name in self.variables if name in needed)
        if len(kept) == len(self.variables):
            return self
        return Bindings(kept, relation(self.columns(kept), self.rows.lo, self.rows.hi))


@dataclass(frozen=True)
class Pattern:
    """An atom with its constants as codes: what of a relation it selects."""

    predicate: str
    variables: tuple[str, ...]
    places: tuple[int, ...]  # of the variables' first occurrences
    constants: tuple[tuple[int, int], ...]  # place, code
    repeats: tuple[tuple[int, int], ...]  # places that must be equal

    def select(self, held: Relation) -> Bindings:
        rows = held
        if self.constants or self.repeats:
            rows = held.take(self.by(()).of(held.arguments))
        arguments = rows.arguments[:, list(self.places)]
        return Bindings(self.variables, Relation(arguments, rows.lo, rows.hi))

    def by(self, names: Sequence[str]) -> GrownSelection:
        """The selected rows, looked up by the values of some variables."""
        places = tuple(self.place(name) for name in names)
        return GrownSelection(places, self.constants, self.repeats)

    def place(self, name: str) -> int:
        return self.places[self.variables.index(name)]


def pattern(atom: Atom, symbols: Symbols) -> Pattern:
    first: dict[str, int] = {}
    constants, repeats = [], []
    for place, term in enumerate(atom.arguments):
        match term:
            case Constant(value=value):
                constants.append((place, symbols.code(value)))
            case Variable(name=name) if name in first:
                repeats.append((first[name], place))
            case Variable(name=name):
                first[name] = place
    return Pattern(
        atom.predicate, tuple(first), tuple(first.values()), tuple(constants), tuple(repeats)
    )


@dataclass(frozen=True)
class HeadMaker:
    """Builds the rows of a head from bindings."""

    predicate: str
    terms: tuple[str | int, ...]  # a variable's name or a constant's code

    def make(self, found: Bindings) -> Relation:
        rows = found.rows
        arguments = np.empty((len(rows), len(self.terms)), np.int64)
        for place, term in enumerate(self.terms):
            if isinstance(term, int):
                arguments[:, place] = term
            else:
                arguments[:, place] = rows.arguments[:, found.variables.index(term)]
        return relation(arguments, rows.lo, rows.hi)


def head_maker(atom: Atom, symbols: Symbols) -> HeadMaker:
    terms = tuple(
        symbols.code(t.value) if isinstance(t, Constant) else t.name for t in atom.arguments
    )
    return HeadMaker(atom.predicate, terms)


class Executable:
    """A rule that can be evaluated on all facts, or on what is new in one of its atoms."""

    def __init__(self, rule: NormalRule, symbols: Symbols, timeline: Timeline) -> None:
        self.rule = rule
        self.head = head_maker(rule.head, symbols)
        self.bodies = tuple(pattern(atom, symbols) for atom in positive_atoms(rule))
        self.negatives = tuple(
            pattern(atom, symbols) for atom in (rule.negative if isinstance(rule, JoinRule) else ())
        )
        names = tuple(term for term in self.head.terms if isinstance(term, str))
        self._nothing = Bindings(names, empty(len(names)))
        self.reads = frozenset(body.predicate for body in self.bodies)
        self._wide = timeline.wide
        if not isinstance(rule, JoinRule):
            self.reach = timeline.cuts(rule.interval)

    def evaluate(self, held: Lookup, negated: Lookup) -> Relation:
        """All that the rule derives; what stands under a `not` is looked up in `negated`."""
        if not self.bodies:
            return self._derive(-1, _always(self._wide), held, negated)
        if isinstance(self.rule, Link):
            at = 1  # where the right side holds now, the left side need not
        else:
            at = min(range(len(self.bodies)), key=lambda i: len(held(self.bodies[i].predicate)))
        chosen = self.bodies[at]
        return self._derive(at, chosen.select(held(chosen.predicate).relation()), held, negated)

    def evaluate_new(
        self, held: Lookup, negated: Lookup, new: Mapping[str, Relation]
    ) -> Iterator[Relation]:
        """What the rule derives from new intervals in at least one atom."""
        for at, changed in enumerate(self.bodies):
            rows = new.get(changed.predicate)
            if rows is not None and len(rows):
                yield self._derive(at, changed.select(rows), held, negated)

    def evaluate_alone(self, rows: Relation) -> Relation:
        """What the rule, which has one atom, derives from rows of it, in any order."""
        return self._derive(0, self.bodies[0].select(rows), _no_other, _no_other)

    def _derive(self, at: int, rows: Bindings, held: Lookup, negated: Lookup) -> Relation:
        """From rows of the atom with this number."""
        try:
            return self.head.make(self._apply(at, rows, held, negated))
        except TooManyPairsError as error:
            raise _too_many(self.rule, error.most) from None

    def _apply(self, at: int, source: Bindings, held: Lookup, negated: Lookup) -> Bindings:
        match self.rule:
            case Step(operator=operator):
                lo, hi = SHIFTS[operator](source.rows.lo, source.rows.hi, *self.reach)
                return Bindings(source.variables, Relation(source.rows.arguments, lo, hi))
            case Link(operator=operator):
                return self._linked(at, source, held, operator)
            case JoinRule():
                return self._joined(at, source, held, negated)

    def _joined(self, at: int, found: Bindings, held: Lookup, negated: Lookup) -> Bindings:
        """Follow shared variables; what no other atom and no head asks for is left out early."""
        rest = [body for i, body in enumerate(self.bodies) if i != at]
        while rest:
            if len(found.rows) == 0:
                return self._nothing
            found = found.only(self._needed(rest))
            following = min(rest, key=lambda b: (-_count_shared(found, b), len(held(b.predicate))))
            rest = [body for body in rest if body is not following]
            found = _join(found, following, held(following.predicate))
        found = found.only(self._needed([]))
        for negative in self.negatives:
            found = _without(found, negative, negated(negative.predicate))
        return found

    def _needed(self, rest: list[Pattern]) -> frozenset[str]:
        return frozenset(self._nothing.variables).union(
            *(body.variables for body in (*rest, *self.negatives))
        )

    def _linked(
        self, at: int, source: Bindings, held: Lookup, operator: BinaryOperator
    ) -> Bindings:
        """Since and Until, from rows of the left or of the right side."""
        shift = cuts.diamond_minus if operator is BinaryOperator.SINCE else cuts.diamond_plus
        other = self.bodies[1 - at]
        is_left = at == 0
        seen = _closed(source) if is_left else source
        found = [_nothing(seen, other)]
        for mine, rows in _meet(seen, other, held(other.predicate), widened=not is_left):
            ours = (seen.rows.lo[mine], seen.rows.hi[mine])
            theirs = (rows.lo, rows.hi) if is_left else cuts.closure(rows.lo, rows.hi)
            wide, right = (ours, theirs) if is_left else (theirs, ours)
            low, high = reached_through(*wide, *right, shift, *self.reach)
            found.append(_combined(seen, other, mine, rows.arguments, low, high))
        if contains_now(*self.reach) and not is_left:
            found.append(source)
        return _stacked(found, self._needed([]))


def _no_other(name: str) -> Growing:
    raise AssertionError(f"a rule with one atom looks up {name}")


def _always(wide: bool) -> Bindings:
    """What no atoms at all say: it holds always."""
    lo, hi = (np.array([end], object if wide else np.int64) for end in (cuts.PAST, cuts.FUTURE))
    return Bindings((), Relation(np.empty((1, 0), np.int64), lo, hi))


def _too_many(rule: NormalRule, most: int) -> InputError:
    return catalogue.TOO_MANY_PAIRS(rule=print_statement(rule.of), most=most)


def positive_atoms(rule: NormalRule) -> tuple[Atom, ...]:
    match rule:
        case Step(body=body):
            return (body,)
        case Link(left=left, right=right):
            return (left, right)
        case JoinRule(positive=positive):
            return positive


def _shared(found: Bindings, other: Pattern) -> tuple[str, ...]:
    return tuple(name for name in other.variables if name in found.variables)


def _count_shared(found: Bindings, other: Pattern) -> int:
    return len(_shared(found, other))


def _meet(
    found: Bindings, other: Pattern, held: Growing, *, widened: bool = False
) -> Iterator[tuple[cuts.Rows, Relation]]:
    """The rows that agree with some of another relation in shared variables and overlap them."""
    names = _shared(found, other)
    rows = found.rows
    return held.matches(other.by(names), found.columns(names), rows.lo, rows.hi, widened=widened)


def _join(found: Bindings, other: Pattern, held: Growing) -> Bindings:
    parts = [_nothing(found, other)]
    for mine, rows in _meet(found, other, held):
        lo = np.maximum(found.rows.lo[mine], rows.lo)
        hi = np.minimum(found.rows.hi[mine], rows.hi)
        parts.append(_combined(found, other, mine, rows.arguments, lo, hi))
    return _stacked(parts, frozenset(parts[0].variables))


def _nothing(found: Bindings, other: Pattern) -> Bindings:
    variables = _all_variables(found, other)
    return Bindings(variables, empty(len(variables)))


def _all_variables(found: Bindings, other: Pattern) -> tuple[str, ...]:
    return (*found.variables, *(n for n in other.variables if n not in found.variables))


def _combined(
    found: Bindings,
    other: Pattern,
    mine: cuts.Rows,
    arguments: cuts.Rows,
    lo: cuts.Cuts,
    hi: cuts.Cuts,
) -> Bindings:
    """Rows with the variables of both sides."""
    variables = _all_variables(found, other)
    extra = [other.place(name) for name in variables[len(found.variables) :]]
    columns = np.concatenate([found.rows.arguments[mine], arguments[:, extra]], axis=1)
    return Bindings(variables, Relation(columns, lo, hi))


def _stacked(parts: list[Bindings], needed: frozenset[str]) -> Bindings:
    """The rows of all parts that have a row, which all have the needed variables."""
    filled = [part for part in parts if len(part.rows)]
    if len(filled) < 2:
        return filled[0] if filled else parts[0]
    names = tuple(name for name in filled[0].variables if name in needed)
    rows = [part.rows for part in filled]
    stacked = Relation(
        np.concatenate([part.columns(names) for part in filled]),
        np.concatenate([r.lo for r in rows]),
        np.concatenate([r.hi for r in rows]),
    )
    return Bindings(names, stacked)


def _closed(found: Bindings) -> Bindings:
    lo, hi = cuts.closure(found.rows.lo, found.rows.hi)
    return Bindings(found.variables, Relation(found.rows.arguments, lo, hi))


def _without(found: Bindings, excluded: Pattern, held: Growing) -> Bindings:
    keys = found.columns(excluded.variables)
    rows, lo, hi = held.without(excluded.by(excluded.variables), keys, found.rows.lo, found.rows.hi)
    return Bindings(found.variables, Relation(found.rows.arguments[rows], lo, hi))


def collect(parts: Sequence[Relation], width: int) -> Relation:
    """All rows of several relations."""
    filled = [part for part in parts if len(part)]
    if len(filled) < 2:
        return filled[0] if filled else empty(width)
    return relation(
        np.concatenate([part.arguments for part in filled]),
        np.concatenate([part.lo for part in filled]),
        np.concatenate([part.hi for part in filled]),
    )
