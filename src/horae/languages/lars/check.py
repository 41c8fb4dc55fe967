"""From the syntax tree to the checked program: the checks, in their order."""

from __future__ import annotations

from horae.languages.lars.check_arities import check_arities
from horae.languages.lars.parse import parse
from horae.languages.lars.program import Program, atoms
from horae.languages.lars.tree import Fact, Query, Rule, Tree
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source


def compile(source: Source) -> tuple[Program | None, list[Diagnostic]]:
    """Parse and check. There is a program iff no diagnostic is an error."""
    tree, found = parse(source)
    return (None, found) if tree is None else check(source, tree)


def check(source: Source, tree: Tree) -> tuple[Program | None, list[Diagnostic]]:
    """Every check reports what it finds, and the next one goes on."""
    rules = tuple(s for s in tree.statements if isinstance(s, Rule))
    arities, report = check_arities(tree)
    report.sort(key=lambda d: (d.span.start, d.code))
    if any(d.is_error for d in report):
        return None, report
    facts = tuple(s for s in tree.statements if isinstance(s, Fact))
    return Program(source, rules, facts, _queries(tree, rules), arities), report


def _queries(tree: Tree, rules: tuple[Rule, ...]) -> tuple[str, ...]:
    """The predicates of `?-`, else all derived ones, each once, in the order of the text."""
    asked = [p for s in tree.statements if isinstance(s, Query) for p, _ in s.predicates]
    derived = [a.predicate for rule in rules if rule.head is not None for a in atoms(rule.head)]
    return tuple(dict.fromkeys(asked or derived))
