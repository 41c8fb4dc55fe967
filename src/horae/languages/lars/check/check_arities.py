"""A predicate has the same number of arguments everywhere, patterns of windows included."""

from __future__ import annotations

from horae.languages.lars.check import catalogue_checks as catalogue
from horae.languages.lars.check.occurrences import atoms_and_patterns
from horae.languages.lars.syntax.tree import Tree
from horae.rules.arities import find_arities
from horae.source.diagnostic import Diagnostic


def check_arities(tree: Tree) -> tuple[dict[str, int], list[Diagnostic]]:
    """The arity of each predicate, from its first use, and every use that differs."""
    arities, clashes = find_arities(atoms_and_patterns(tree))
    report = [
        catalogue.arity(
            clash.use.predicate,
            len(clash.use.arguments),
            clash.use.span,
            len(clash.first.arguments),
            clash.first.span,
        )
        for clash in clashes
    ]
    return arities, report
