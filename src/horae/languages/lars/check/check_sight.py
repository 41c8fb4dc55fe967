"""Windows that count atoms see input atoms only: a derived one in them is never true."""

from __future__ import annotations

from collections.abc import Iterator, Set

from horae.languages.lars.check import catalogue_checks as catalogue
from horae.languages.lars.check.occurrences import children, name_span
from horae.languages.lars.program import atoms
from horae.languages.lars.syntax.tree import (
    Choice,
    Fact,
    Formula,
    PartitionWindow,
    Rule,
    Tree,
    TupleWindow,
    Window,
)
from horae.rules.terms import Atom
from horae.source.diagnostic import Diagnostic


def check_sight(tree: Tree) -> Iterator[Diagnostic]:
    rules = [s for s in tree.statements if isinstance(s, Rule)]
    derived = {a.predicate for rule in rules if rule.head is not None for a in atoms(rule.head)}
    derived -= {s.atom.predicate for s in tree.statements if isinstance(s, Fact)}
    for rule in rules:
        for formula in rule.body:
            yield from _check(formula, derived, is_counting=False)


def _check(formula: Formula, derived: Set[str], is_counting: bool) -> Iterator[Diagnostic]:
    match formula:
        case Atom(predicate) if is_counting and predicate in derived:
            yield catalogue.NEVER_SEEN(name_span(formula), predicate=predicate)
        case Window(function=PartitionWindow(pattern=pattern)) if pattern.predicate in derived:
            yield catalogue.NEVER_COUNTED(name_span(pattern), predicate=pattern.predicate)
            return
        case Window(choice=choice, function=function):
            counts = isinstance(function, TupleWindow | PartitionWindow)
            is_counting = counts or (is_counting and choice is Choice.CURRENT)
        case _:
            pass
    for child in children(formula):
        yield from _check(child, derived, is_counting)
