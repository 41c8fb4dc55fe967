"""From the syntax tree to the checked program: the checks, in their order."""

from __future__ import annotations

from collections.abc import Iterator

from horae.languages.datalogmtl.check import catalogue_checks as catalogue
from horae.languages.datalogmtl.check.check_arities import check_arities
from horae.languages.datalogmtl.check.check_intervals import check_intervals
from horae.languages.datalogmtl.check.check_predicates import (
    check_queries,
    check_spelling,
    check_truth,
    check_use,
)
from horae.languages.datalogmtl.check.check_safety import check_safety
from horae.languages.datalogmtl.check.check_strata import check_strata
from horae.languages.datalogmtl.program import Program, atoms
from horae.languages.datalogmtl.syntax.parse import parse
from horae.languages.datalogmtl.syntax.tree import Fact, Query, Rule, Tree
from horae.rules.terms import Variable
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source


def load(source: Source) -> tuple[Program | None, list[Diagnostic]]:
    """Parse and check. There is a program iff no diagnostic is an error."""
    tree, found = parse(source)
    return (None, found) if tree is None else check(source, tree)


def check(source: Source, tree: Tree) -> tuple[Program | None, list[Diagnostic]]:
    """Every check reports what it finds, and the next one goes on."""
    rules = tuple(s for s in tree.statements if isinstance(s, Rule))
    report = check_intervals(source, tree)
    arities, found = check_arities(tree)
    report += found
    for rule in rules:
        report += check_safety(source, rule)
    strata, found = check_strata(rules)
    report += found
    unknown = list(check_queries(tree))
    report += [*check_truth(tree), *unknown]
    report += [*_singletons(rules, report), *check_spelling(tree)]
    report += check_use(tree) if not unknown else ()
    report.sort(key=lambda d: (d.span.start, d.code))
    if any(d.is_error for d in report):
        return None, report
    facts = tuple(s for s in tree.statements if isinstance(s, Fact))
    return Program(source, rules, facts, _queries(tree, rules), arities, strata), report


def _singletons(rules: tuple[Rule, ...], errors: list[Diagnostic]) -> list[Diagnostic]:
    """A variable that is an error already needs no warning as well."""
    reported = {error.span for error in errors}
    return [d for rule in rules for d in _check_variables(rule) if d.span not in reported]


def _queries(tree: Tree, rules: tuple[Rule, ...]) -> tuple[str, ...]:
    """The predicates of `?-`, else all derived ones, each once, in the order of the text."""
    asked = [p for s in tree.statements if isinstance(s, Query) for p, _ in s.predicates]
    return tuple(dict.fromkeys(asked or [rule.head.atom.predicate for rule in rules]))


def _check_variables(rule: Rule) -> Iterator[Diagnostic]:
    """A variable that occurs once is often a slip of the pen; `_` and `_name` say that it is none."""
    body = [atom for literal in rule.body for atom in atoms(literal.formula)]
    terms = [term for atom in [rule.head.atom, *body] for term in atom.arguments]
    variables = [term for term in terms if isinstance(term, Variable)]
    names = [variable.name for variable in variables]
    for variable in variables:
        if variable.name[0] != "_" and names.count(variable.name) == 1:
            yield catalogue.singleton(variable.name, variable.span)
