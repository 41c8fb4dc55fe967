"""A variable that occurs once is often a slip of the pen; `_` and `_name` say that it is none."""

from __future__ import annotations

from collections.abc import Iterator

from horae.languages.datalogmtl.check import catalogue_checks as catalogue
from horae.languages.datalogmtl.program import atoms
from horae.languages.datalogmtl.syntax.tree import Rule
from horae.rules.terms import Variable
from horae.source.diagnostic import Diagnostic


def check_variables(rule: Rule) -> Iterator[Diagnostic]:
    body = [atom for literal in rule.body for atom in atoms(literal.formula)]
    terms = [term for atom in [rule.head.atom, *body] for term in atom.arguments]
    variables = [term for term in terms if isinstance(term, Variable)]
    names = [variable.name for variable in variables]
    for variable in variables:
        if variable.name[0] != "_" and names.count(variable.name) == 1:
            yield catalogue.singleton(variable.name, variable.span)
