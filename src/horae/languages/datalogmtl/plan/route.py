"""One stage: its pivots, the ways that facts take to it, and what it hands on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import assert_never

from horae.languages.datalogmtl.check.normal import JoinRule, Link, NormalProgram, NormalRule, Step
from horae.languages.datalogmtl.check.normalise import body_atoms
from horae.languages.datalogmtl.plan.pivots import Pivots, find_rule_pivots, key_of_rule, places_of
from horae.languages.datalogmtl.plan.stages import Obstacle, Route, RuleStage, Spread
from horae.rules.terms import Atom

RuleComponent = frozenset[str]
Groups = Sequence[Sequence[RuleComponent]]


def rules_of(normal: NormalProgram, components: Sequence[RuleComponent]) -> tuple[NormalRule, ...]:
    derived = frozenset().union(*components)
    return tuple(rule for rule in normal.rules if rule.head.predicate in derived)


def make_stage(
    normal: NormalProgram, groups: Groups, number: int, obstacle: Obstacle | None = None
) -> RuleStage:
    """The stage of the group with this number; in one shard if there is an obstacle."""
    rules = rules_of(normal, groups[number])
    derives = frozenset(rule.head.predicate for rule in rules)
    found = obstacle or find_rule_pivots(rules)
    router = _Router(derives, found)
    routed = tuple(router.rewrite(rule) for rule in rules)
    emits = {name: name for name in sorted(derives & _wanted(normal, groups, number))}
    if number == 0:
        emits |= router.show(_asked_inputs(normal))
    return RuleStage(
        replace(normal, rules=routed, facts=(), components=tuple(groups[number])),
        tuple(router.routes.values()),
        derives,
        emits,
        _earlier(normal, groups, number) & _wanted(normal, groups, number),
        found if isinstance(found, Obstacle) else None,
    )


def _wanted(normal: NormalProgram, groups: Groups, number: int) -> frozenset[str]:
    """What is asked for, or read after this stage."""
    later = rules_of(normal, [c for group in groups[number + 1 :] for c in group])
    read = {atom.predicate for rule in later for atom in body_atoms(rule)}
    return frozenset(normal.program.queries) | read


def _earlier(normal: NormalProgram, groups: Groups, number: int) -> frozenset[str]:
    """What stages before this one can have emitted."""
    derived = frozenset().union(*(c for group in groups[:number] for c in group))
    return derived | (frozenset(_asked_inputs(normal)) if number else frozenset())


def _asked_inputs(normal: NormalProgram) -> list[str]:
    """Asked for but never derived: their facts are the answers, once they are merged."""
    derived = {rule.head.predicate for rule in normal.rules}
    return [name for name in normal.program.queries if name not in derived]


class _Router:
    """The routes of one stage. The first way to read a predicate keeps its name."""

    def __init__(self, derives: frozenset[str], found: Pivots | Obstacle) -> None:
        self._derives = derives
        self._pivots = found if isinstance(found, Pivots) else None
        self.routes: dict[tuple[str, int | Spread], Route] = {}
        for name in sorted(derives):
            if not name.startswith("~"):
                self._route(name, self._pivot(name))

    def rewrite(self, rule: NormalRule) -> NormalRule:
        """The rule with the names of the routes that its inputs come by."""

        def routed(atom: Atom) -> Atom:
            if atom.predicate in self._derives:
                return atom
            route = self._route(atom.predicate, self._place(rule, atom))
            return replace(atom, predicate=route.name)

        return rewrite_body(rule, routed)

    def show(self, asked: Sequence[str]) -> dict[str, str]:
        """Routes for inputs that are answers themselves."""
        for name in asked:
            route = Route(name, f"{name}?", Spread.BY_ALL)
            self.routes[name, Spread.BY_ALL] = route
        return {f"{name}?": name for name in asked}

    def _pivot(self, name: str) -> int | Spread:
        return Spread.EVERYWHERE if self._pivots is None else self._pivots.places[name]

    def _place(self, rule: NormalRule, atom: Atom) -> int | Spread:
        if self._pivots is None:
            return Spread.EVERYWHERE
        places = places_of(atom, [key_of_rule(rule, self._pivots)])
        return min(places) if places else Spread.EVERYWHERE

    def _route(self, predicate: str, place: int | Spread) -> Route:
        known = self.routes.get((predicate, place))
        if known is None:
            first = all(route.predicate != predicate for route in self.routes.values())
            suffix = "*" if isinstance(place, Spread) else str(place + 1)
            name = predicate if first else f"{predicate}#{suffix}"
            known = self.routes[predicate, place] = Route(predicate, name, place)
        return known


def rewrite_body(rule: NormalRule, change: Callable[[Atom], Atom]) -> NormalRule:
    """The rule with other atoms in its body."""
    match rule:
        case Step(body=body):
            return replace(rule, body=change(body))
        case Link(left=left, right=right):
            return replace(rule, left=change(left), right=change(right))
        case JoinRule(positive=positive, negative=negative):
            return replace(
                rule,
                positive=tuple(map(change, positive)),
                negative=tuple(map(change, negative)),
            )
        case _:
            assert_never(rule)
