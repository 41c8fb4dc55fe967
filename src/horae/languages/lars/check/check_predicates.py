"""Predicates that no one knows, that were probably misspelt, or that no one needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from horae.frontend.graph import reachable
from horae.languages.lars.check import catalogue_checks as catalogue
from horae.languages.lars.check.occurrences import atoms_and_patterns, atoms_of_rule, name_span
from horae.languages.lars.program import atoms
from horae.languages.lars.syntax.tree import Fact, Query, Rule, Tree
from horae.rules.spelling import find_misspelt
from horae.rules.terms import Atom
from horae.rules.truth import truth_values
from horae.source.diagnostic import Diagnostic
from horae.source.suggest import did_you_mean
from horae.source.text import Span


def check_queries(tree: Tree) -> Iterator[Diagnostic]:
    """A query asks for a predicate that some rule or fact mentions."""
    known = {atom.predicate for atom in atoms_and_patterns(tree)}
    for predicate, span in _queried(tree):
        if predicate not in known:
            yield catalogue.unknown_query(predicate, span, did_you_mean(predicate, known))


def check_spelling(tree: Tree) -> Iterator[Diagnostic]:
    """Input predicates need no declaration; one that occurs once and is a letter off is suspect."""
    uses = Counter(atom.predicate for atom in atoms_and_patterns(tree))
    reads = [
        (atom, frozenset(head.predicate for head in _head_atoms(rule)))
        for rule in _rules(tree)
        for atom in atoms_of_rule(rule)
    ]
    for atom, meant in find_misspelt(reads, _given(tree), uses):
        yield catalogue.PROBABLY_MISSPELT(name_span(atom), predicate=atom.predicate, meant=meant)


def check_truth(tree: Tree) -> Iterator[Diagnostic]:
    for atom in truth_values(atoms_and_patterns(tree)):
        yield catalogue.truth_as_predicate(atom.predicate, name_span(atom))


def check_use(tree: Tree) -> Iterator[Diagnostic]:
    """What neither a query nor a constraint needs. Without a query all that is derived is an answer."""
    rules = _rules(tree)
    graph = _dependencies(rules)
    needed = reachable(graph, _roots(tree, rules))
    heads = _firsts([atom for rule in rules for atom in _head_atoms(rule)])
    for name, atom in heads.items():
        if name not in needed and name not in _after(graph, name):
            yield catalogue.UNUSED(name_span(atom), predicate=name)
    facts = [s.atom for s in tree.statements if isinstance(s, Fact)] if rules else []
    used = needed | {on for name in graph for on in graph[name]}
    for name, atom in _firsts(facts).items():
        if name not in used and name not in heads:
            help = did_you_mean(name, used)
            yield catalogue.UNUSED_FACT(name_span(atom), predicate=name, help=help)


def _roots(tree: Tree, rules: Sequence[Rule]) -> list[str]:
    asked = [predicate for predicate, _ in _queried(tree)]
    derived = [atom.predicate for rule in rules for atom in _head_atoms(rule)]
    limits = [a.predicate for rule in rules if rule.head is None for a in atoms_of_rule(rule)]
    return [*(asked or derived), *limits]


def _dependencies(rules: Sequence[Rule]) -> dict[str, set[str]]:
    """From each predicate of a head to all others of its rules: with `or`, they decide together."""
    graph: dict[str, set[str]] = {}
    for rule in rules:
        inside = {atom.predicate for atom in atoms_of_rule(rule)}
        heads = {atom.predicate for atom in _head_atoms(rule)}
        body = {a.predicate for formula in rule.body for a in atoms(formula)}
        for head in heads:
            graph.setdefault(head, set()).update(inside - heads, heads - {head}, body)
    return graph


def _after(graph: dict[str, set[str]], name: str) -> set[str]:
    """What a predicate depends on; one that depends on itself may decide whether there is an answer."""
    return reachable(graph, list(graph.get(name, ())))


def _given(tree: Tree) -> Iterator[Atom]:
    for statement in tree.statements:
        if isinstance(statement, Fact):
            yield statement.atom
        elif isinstance(statement, Rule):
            yield from _head_atoms(statement)


def _rules(tree: Tree) -> list[Rule]:
    return [s for s in tree.statements if isinstance(s, Rule)]


def _head_atoms(rule: Rule) -> list[Atom]:
    return [] if rule.head is None else list(atoms(rule.head))


def _firsts(found: Sequence[Atom]) -> dict[str, Atom]:
    return {atom.predicate: atom for atom in reversed(found)}


def _queried(tree: Tree) -> list[tuple[str, Span]]:
    return [p for s in tree.statements if isinstance(s, Query) for p in s.predicates]
