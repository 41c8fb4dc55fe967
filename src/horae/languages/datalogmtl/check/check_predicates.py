"""Predicates that no one knows, that were probably misspelt, or that no one needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from horae.frontend.graph import reachable
from horae.languages.datalogmtl.check import catalogue_checks as catalogue
from horae.languages.datalogmtl.check.check_arities import atoms_of_tree
from horae.languages.datalogmtl.check.check_strata import find_dependencies
from horae.languages.datalogmtl.program import atoms
from horae.languages.datalogmtl.syntax.tree import Fact, Query, Rule, Tree
from horae.rules.spelling import find_misspelt
from horae.rules.terms import Atom
from horae.rules.truth import truth_values
from horae.source.diagnostic import Diagnostic
from horae.source.suggest import did_you_mean
from horae.source.text import Span


def check_queries(tree: Tree) -> Iterator[Diagnostic]:
    """A query asks for a predicate that some rule or fact mentions."""
    known = {atom.predicate for atom in atoms_of_tree(tree)}
    for predicate, span in _queried(tree):
        if predicate not in known:
            yield catalogue.unknown_query(predicate, span, did_you_mean(predicate, known))


def check_spelling(tree: Tree) -> Iterator[Diagnostic]:
    """Input predicates need no declaration; one that occurs once and is a letter off is suspect."""
    rules = [s for s in tree.statements if isinstance(s, Rule)]
    facts = [s.atom for s in tree.statements if isinstance(s, Fact)]
    uses = Counter(atom.predicate for atom in atoms_of_tree(tree))
    reads = [
        (atom, frozenset((rule.head.atom.predicate,)))
        for rule in rules
        for atom in chain.from_iterable(atoms(literal.formula) for literal in rule.body)
    ]
    for atom, meant in find_misspelt(reads, [*facts, *(r.head.atom for r in rules)], uses):
        yield catalogue.PROBABLY_MISSPELT(_name_span(atom), predicate=atom.predicate, meant=meant)


def check_truth(tree: Tree) -> Iterator[Diagnostic]:
    for atom in truth_values(atoms_of_tree(tree)):
        yield catalogue.truth_as_predicate(atom.predicate, _name_span(atom))


def check_use(tree: Tree) -> Iterator[Diagnostic]:
    """What the queries do not need. Without a query every derived predicate is an answer."""
    rules = [s for s in tree.statements if isinstance(s, Rule)]
    queried = [predicate for predicate, _ in _queried(tree)]
    needed = _needed(rules, queried)
    for name, atom in _firsts([rule.head.atom for rule in rules]).items():
        if queried and name not in needed:
            yield catalogue.UNUSED(_name_span(atom), predicate=name, what="derived")
    facts = [s.atom for s in tree.statements if isinstance(s, Fact)] if rules else []
    heads = {rule.head.atom.predicate for rule in rules}
    for name, atom in _firsts(facts).items():
        if name not in needed and name not in heads:
            help = did_you_mean(name, needed)
            yield catalogue.UNUSED_FACT(_name_span(atom), predicate=name, help=help)


def _needed(rules: Sequence[Rule], queried: Sequence[str]) -> set[str]:
    graph: dict[str, set[str]] = {}
    for dependency in find_dependencies(rules):
        graph.setdefault(dependency.head, set()).add(dependency.on)
    return reachable(graph, queried or list(graph))


def _firsts(found: Sequence[Atom]) -> dict[str, Atom]:
    return {atom.predicate: atom for atom in reversed(found)}


def _queried(tree: Tree) -> list[tuple[str, Span]]:
    return [p for s in tree.statements if isinstance(s, Query) for p in s.predicates]


def _name_span(atom: Atom) -> Span:
    return Span(atom.span.start, atom.span.start + len(atom.predicate))
