"""Normal rules made executable: each maps relations of its body to rows of its head."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from horae.kernels.datalogmtl.symbols import Symbols
from horae.kernels.datalogmtl.time import Timeline
from horae.kernels.intervals import cuts
from horae.kernels.intervals.join import join_pairs, subtract
from horae.kernels.intervals.relation import Relation, empty, relation, union
from horae.kernels.intervals.since import contains_now, link
from horae.languages.datalogmtl.normal import JoinRule, Link, NormalRule, Step
from horae.languages.datalogmtl.tree import BinaryOperator, Operator
from horae.languages.rules.terms import Atom, Constant, Variable

SHIFTS: dict[Operator, cuts.Shift] = {
    Operator.DIAMOND_MINUS: cuts.diamond_minus,
    Operator.BOX_MINUS: cuts.box_minus,
    Operator.DIAMOND_PLUS: cuts.diamond_plus,
    Operator.BOX_PLUS: cuts.box_plus,
}

Lookup = Callable[[str], Relation]


@dataclass(frozen=True, slots=True)
class Bindings:
    """cuts.Rows with a column per variable."""

    variables: tuple[str, ...]
    rows: Relation

    def columns(self, names: tuple[str, ...]) -> cuts.Rows:
        return self.rows.arguments[:, [self.variables.index(name) for name in names]]


@dataclass(frozen=True)
class Pattern:
    """An atom with its constants as codes: what of a relation it selects."""

    predicate: str
    variables: tuple[str, ...]
    places: tuple[int, ...]  # of the variables' first occurrences
    constants: tuple[tuple[int, int], ...]  # place, code
    repeats: tuple[tuple[int, int], ...]  # places that must be equal

    def select(self, held: Relation) -> Bindings:
        kept = np.ones(len(held), bool)
        for place, code in self.constants:
            kept &= held.arguments[:, place] == code
        for a, b in self.repeats:
            kept &= held.arguments[:, a] == held.arguments[:, b]
        rows = held if not (self.constants or self.repeats) else held.take(kept)
        return Bindings(
            self.variables, Relation(rows.arguments[:, list(self.places)], rows.lo, rows.hi)
        )


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
        self._wide = timeline.wide
        if not isinstance(rule, JoinRule):
            self.reach = timeline.cuts(rule.interval)

    def evaluate(self, held: Lookup) -> Relation:
        """All that the rule derives."""
        sources = [p.select(held(p.predicate)) for p in self.bodies]
        return self.head.make(self._apply(sources, held))

    def evaluate_new(self, held: Lookup, new: Mapping[str, Relation]) -> Iterator[Relation]:
        """What the rule derives from new intervals in at least one atom."""
        for at, changed in enumerate(self.bodies):
            if len(new.get(changed.predicate, _NOTHING)) == 0:
                continue
            sources = [
                p.select(new[p.predicate] if i == at else held(p.predicate))
                for i, p in enumerate(self.bodies)
            ]
            yield self.head.make(self._apply(sources, held, first=at))

    def _apply(self, sources: list[Bindings], held: Lookup, first: int = 0) -> Bindings:
        match self.rule:
            case Step(operator=operator):
                rows = sources[0].rows
                lo, hi = SHIFTS[operator](rows.lo, rows.hi, *self.reach)
                return Bindings(sources[0].variables, Relation(rows.arguments, lo, hi))
            case Link(operator=operator):
                return _linked(sources[0], sources[1], operator, *self.reach)
            case JoinRule():
                joined = _join_all(sources, first) if sources else _always(self._wide)
                for negative in self.negatives:
                    joined = _without(joined, negative.select(held(negative.predicate)))
                return joined


_NOTHING = empty(0)


def _always(wide: bool) -> Bindings:
    """What no atoms at all say: it holds always."""
    lo, hi = (np.array([end], object if wide else np.int64) for end in (cuts.PAST, cuts.FUTURE))
    return Bindings((), Relation(np.empty((1, 0), np.int64), lo, hi))


def positive_atoms(rule: NormalRule) -> tuple[Atom, ...]:
    match rule:
        case Step(body=body):
            return (body,)
        case Link(left=left, right=right):
            return (left, right)
        case JoinRule(positive=positive):
            return positive


def _shared(left: Bindings, right: Bindings) -> tuple[tuple[int, int], ...]:
    return tuple(
        (left.variables.index(name), at)
        for at, name in enumerate(right.variables)
        if name in left.variables
    )


def _join_all(sources: list[Bindings], first: int) -> Bindings:
    """Start where few rows are, then follow shared variables."""
    rest = [s for i, s in enumerate(sources) if i != first]
    found = sources[first]
    while rest:
        following = max(rest, key=lambda s: (len(_shared(found, s)), -len(s.rows)))
        rest = [s for s in rest if s is not following]
        found = _join(found, following)
    return found


def _join(left: Bindings, right: Bindings) -> Bindings:
    a, b = join_pairs(left.rows, right.rows, _shared(left, right))
    lo = np.maximum(left.rows.lo[a], right.rows.lo[b])
    hi = np.minimum(left.rows.hi[a], right.rows.hi[b])
    return _combined(left, right, a, b, lo, hi)


def _combined(
    left: Bindings, right: Bindings, a: cuts.Rows, b: cuts.Rows, lo: cuts.Cuts, hi: cuts.Cuts
) -> Bindings:
    extra = [i for i, name in enumerate(right.variables) if name not in left.variables]
    columns = np.concatenate([left.rows.arguments[a], right.rows.arguments[b][:, extra]], axis=1)
    variables = (*left.variables, *(right.variables[i] for i in extra))
    return Bindings(variables, Relation(columns, lo, hi))


def _without(found: Bindings, excluded: Bindings) -> Bindings:
    rows, lo, hi = subtract(found.rows, excluded.rows, _shared(found, excluded))
    return Bindings(found.variables, Relation(found.rows.arguments[rows], lo, hi))


def _linked(
    left: Bindings, right: Bindings, operator: BinaryOperator, rl: int, rh: int
) -> Bindings:
    """Since and Until."""
    since = operator is BinaryOperator.SINCE
    shift = cuts.diamond_minus if since else cuts.diamond_plus
    a, b, reached = link(left.rows, right.rows, _shared(left, right), shift, rl, rh)
    through = _combined(left, right, a, b, reached.lo, reached.hi)
    if not contains_now(rl, rh):
        return through
    at_once = Bindings(
        through.variables,
        Relation(_aligned(right, through.variables), right.rows.lo, right.rows.hi),
    )
    return Bindings(
        through.variables,
        Relation(
            np.concatenate([through.rows.arguments, at_once.rows.arguments]),
            np.concatenate([through.rows.lo, at_once.rows.lo]),
            np.concatenate([through.rows.hi, at_once.rows.hi]),
        ),
    )


def _aligned(found: Bindings, variables: tuple[str, ...]) -> cuts.Rows:
    """The checker sees to it that the right side binds all variables where 0 is in the interval."""
    return found.columns(variables)


def collect(parts: list[Relation], width: int) -> Relation:
    whole = empty(width)
    for part in parts:
        whole = union(whole, part)
    return whole
