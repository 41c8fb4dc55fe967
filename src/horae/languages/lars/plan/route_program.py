"""From a checked program to its plan: spread over shards where that gives the same answers, else in one.

What the solver decides stays together: its answers are answers of the program as a whole, and they are
numbered. So does what counts all atoms of the stream.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from horae.data.intervals import ALWAYS
from horae.languages.lars.check.normal import FastRule, Inside, Lookup
from horae.languages.lars.check.paths import Paths, Solved, find_paths
from horae.languages.lars.plan.route_inputs import route_inputs
from horae.languages.lars.plan.routes import Obstacle, Route, RoutedProgram
from horae.languages.lars.program import Program
from horae.languages.lars.syntax.tree import TupleWindow
from horae.rules.pivots import Conflict, Pivots, RuleShape, find_pivots, places_of
from horae.rules.terms import Variable


def route_program(program: Program) -> RoutedProgram:
    paths = find_paths(program)
    rules = [rule for component in paths.components for rule in component.rules]
    obstacle = next(_obstacles(paths, rules), None)
    found = obstacle or _pivots(rules)
    if isinstance(found, Obstacle):
        return RoutedProgram(program, {}, (), found)
    return RoutedProgram(program, found.places, tuple(_routes(program, rules, found)))


def _obstacles(paths: Paths, rules: Sequence[FastRule]) -> Iterator[Obstacle]:
    for solved in paths.solved:
        yield Obstacle(solved.rule, _reason(solved))
    for rule in rules:
        if any(_counts_all(literal) for literal in rule.body):
            yield Obstacle(rule.of, "`win[#…]` counts the atoms of the whole stream")


def _reason(solved: Solved) -> str:
    return f"the solver decides ({solved.why.construct}), and it decides for the whole program"


def _counts_all(literal: object) -> bool:
    return isinstance(literal, Lookup | Inside) and isinstance(literal.place.window, TupleWindow)


def _pivots(rules: Sequence[FastRule]) -> Pivots | Obstacle:
    shapes = [
        RuleShape(number, rule.head, tuple(lookup.atom for lookup in rule.lookups))
        for number, rule in enumerate(rules)
    ]

    def gain(predicate: str, place: int) -> int:
        return sum(_served(r, place) for r in rules if r.head.predicate == predicate)

    found = find_pivots(shapes, gain)
    if isinstance(found, Conflict):
        return Obstacle(rules[found.number].of, found.reason)
    return found


def _served(rule: FastRule, place: int) -> int:
    """How many atoms can be spread if this is the key; one in a window counts twice, it is a stream."""
    term = rule.head.arguments[place]
    if not isinstance(term, Variable):
        return 0
    lookups = [lookup for lookup in rule.lookups if places_of(lookup.atom, [term.name])]
    return sum(2 if lookup.place.window else 1 for lookup in lookups)


def _routes(program: Program, rules: Sequence[FastRule], pivots: Pivots) -> Iterator[Route]:
    """Facts about derived predicates are background data: they are where their atoms are derived."""
    for name, place in sorted(pivots.places.items()):
        yield Route(name, place)
    background = frozenset(f.atom.predicate for f in program.facts if f.interval == ALWAYS)
    yield from route_inputs(rules, pivots, program.arities, background)
