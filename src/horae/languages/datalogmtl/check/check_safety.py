"""Safety: the positive literals of a body give a value to every variable of the rule that needs one."""

from __future__ import annotations

from collections.abc import Iterator

from horae.languages.datalogmtl.check import catalogue_checks as catalogue
from horae.languages.datalogmtl.check.bindings import bound_by
from horae.languages.datalogmtl.check.split_left import hidden_free_variables
from horae.languages.datalogmtl.program import atoms
from horae.languages.datalogmtl.syntax.tree import Rule
from horae.rules.safety import unbound
from horae.rules.terms import Variable
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source


def check_safety(source: Source, rule: Rule) -> Iterator[Diagnostic]:
    """Variables of the head, then those of negated literals that the head does not have."""
    bound = bound_by(rule.body)
    positive = [a for lit in rule.body if not lit.negated for a in atoms(lit.formula)]
    negative = [a for lit in rule.body if lit.negated for a in atoms(lit.formula)]
    left = {name for atom in positive for name in atom.variables} - bound
    reported: set[str] = set()
    for variable in unbound([rule.head.atom], bound):
        reported.add(variable.name)
        name = _shown(source, variable)
        yield catalogue.unsafe_head(name, variable.span, only_left=variable.name in left)
    for literal in rule.body:
        for variable in hidden_free_variables(literal.formula):
            yield catalogue.free_on_the_left(_shown(source, variable), variable.span)
    for variable in unbound(negative, bound | reported):
        name = _shown(source, variable)
        yield catalogue.unsafe_negation(
            name, variable.span, is_unnamed=name == "_", only_left=variable.name in left
        )


def _shown(source: Source, variable: Variable) -> str:
    return "_" if source.snippet(variable.span) == "_" else variable.name
