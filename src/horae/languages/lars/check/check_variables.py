"""A variable that occurs once is often a slip of the pen; `_` and `_name` say that it is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from horae.languages.lars.check import catalogue_checks as catalogue
from horae.languages.lars.check.occurrences import formulas_of, variables_in
from horae.languages.lars.syntax.tree import Rule
from horae.source.diagnostic import Diagnostic


def check_variables(rule: Rule) -> Iterator[Diagnostic]:
    """The variables of patterns are not counted: they belong to their window."""
    found = [variable for formula in formulas_of(rule) for variable in variables_in(formula)]
    uses = Counter(variable.name for variable in found)
    for variable in found:
        if variable.name[0] != "_" and uses[variable.name] == 1:
            yield catalogue.singleton(variable.name, variable.span)
