"""A predicate has the same number of arguments everywhere."""

from __future__ import annotations

from collections.abc import Iterator

from horae.languages.datalogmtl.check import catalogue_checks as catalogue
from horae.languages.datalogmtl.program import atoms
from horae.languages.datalogmtl.syntax.tree import Fact, Rule, Tree
from horae.rules.arities import find_arities
from horae.rules.terms import Atom
from horae.source.diagnostic import Diagnostic


def check_arities(tree: Tree) -> tuple[dict[str, int], list[Diagnostic]]:
    """The arity of each predicate, from its first use, and every use that differs."""
    arities, clashes = find_arities(atoms_of_tree(tree))
    return arities, [catalogue.arity(clash) for clash in clashes]


def atoms_of_tree(tree: Tree) -> Iterator[Atom]:
    """All atoms of rules and facts, in the order of the text."""
    for statement in tree.statements:
        if isinstance(statement, Fact):
            yield statement.atom
        elif isinstance(statement, Rule):
            yield statement.head.atom
            for literal in statement.body:
                yield from atoms(literal.formula)
