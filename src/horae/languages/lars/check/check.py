"""From the syntax tree to the checked program: the checks, in their order."""

from __future__ import annotations

from horae.languages.lars.check.check_arities import check_arities
from horae.languages.lars.check.check_facts import check_facts
from horae.languages.lars.check.check_heads import check_head
from horae.languages.lars.check.check_predicates import (
    check_queries,
    check_spelling,
    check_truth,
    check_use,
)
from horae.languages.lars.check.check_safety import check_safety
from horae.languages.lars.check.check_sight import check_sight
from horae.languages.lars.check.check_variables import check_variables
from horae.languages.lars.check.check_windows import check_windows
from horae.languages.lars.program import Program, atoms
from horae.languages.lars.syntax.parse import parse
from horae.languages.lars.syntax.tree import Fact, Query, Rule, Tree
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source


def load(source: Source) -> tuple[Program | None, list[Diagnostic]]:
    """Parse and check. There is a program iff no diagnostic is an error."""
    tree, found = parse(source)
    return (None, found) if tree is None else check(source, tree)


def check(source: Source, tree: Tree) -> tuple[Program | None, list[Diagnostic]]:
    """Every check reports what it finds, and the next one goes on."""
    rules = tuple(s for s in tree.statements if isinstance(s, Rule))
    arities, report = check_arities(tree)
    for rule in rules:
        report += [*check_safety(source, rule), *check_head(rule), *check_windows(rule)]
    unknown = list(check_queries(tree))
    report += [*check_facts(tree), *check_truth(tree), *unknown]
    report += [*_singletons(rules, report), *check_spelling(tree), *check_sight(tree)]
    report += check_use(tree) if not unknown else ()
    report.sort(key=lambda d: (d.span.start, d.code))
    if any(d.is_error for d in report):
        return None, report
    facts = tuple(s for s in tree.statements if isinstance(s, Fact))
    return Program(source, rules, facts, _queries(tree, rules), arities), report


def _singletons(rules: tuple[Rule, ...], errors: list[Diagnostic]) -> list[Diagnostic]:
    """A variable that is an error already needs no warning as well."""
    reported = {error.span for error in errors}
    return [d for rule in rules for d in check_variables(rule) if d.span not in reported]


def _queries(tree: Tree, rules: tuple[Rule, ...]) -> tuple[str, ...]:
    """The predicates of `?-`, else all derived ones, each once, in the order of the text."""
    asked = [p for s in tree.statements if isinstance(s, Query) for p, _ in s.predicates]
    derived = [a.predicate for rule in rules if rule.head is not None for a in atoms(rule.head)]
    return tuple(dict.fromkeys(asked or derived))
