"""Negation is stratified: no predicate depends on its own negation, also not through operators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from horae.languages.datalogmtl.check import catalogue_checks as catalogue
from horae.languages.datalogmtl.program import atoms
from horae.languages.datalogmtl.syntax.tree import Rule
from horae.rules.strata import PredicateDependency, find_negative_cycles, find_strata
from horae.source.diagnostic import Diagnostic, Label

Strata = tuple[frozenset[str], ...]


def check_strata(rules: Sequence[Rule]) -> tuple[Strata, list[Diagnostic]]:
    """The strata of the derived predicates, or one diagnostic per knot of cycles through `not`."""
    dependencies = list(find_dependencies(rules))
    derived = list(dict.fromkeys(rule.head.atom.predicate for rule in rules))
    cycles = find_negative_cycles(derived, dependencies)
    if cycles:
        return (), [_cycle(cycle) for cycle in cycles]
    return find_strata(derived, dependencies), []


def find_dependencies(rules: Sequence[Rule]) -> Iterator[PredicateDependency]:
    """Which predicate needs which, and where the rule says so."""
    for rule in rules:
        for literal in rule.body:
            for atom in atoms(literal.formula):
                head = rule.head.atom.predicate
                yield PredicateDependency(head, atom.predicate, literal.negated, atom.span)


def _cycle(cycle: Sequence[PredicateDependency]) -> Diagnostic:
    steps = [
        Label(step.span, f"`{step.head}` needs {'not ' if step.negated else ''}`{step.on}`")
        for step in cycle
    ]
    return catalogue.not_stratified([cycle[0].head, *(step.on for step in cycle)], steps)
