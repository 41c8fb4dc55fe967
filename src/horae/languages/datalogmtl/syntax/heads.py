"""Heads and facts: less than a formula, and that is checked here.

The grammar reads any literal before `:-`, so that a wrong head gets a message of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from horae.data.fact_lines.catalogue_lines import FACT_WITH_OPERATOR, variable_in_fact
from horae.data.intervals import Interval
from horae.languages.datalogmtl.program import atoms
from horae.languages.datalogmtl.syntax import catalogue_syntax as catalogue
from horae.languages.datalogmtl.syntax.tree import Binary, Formula, Head, Literal, Modal, Operator
from horae.rules.terms import Atom, Variable
from horae.source.diagnostic import Diagnostic

_BOXES = frozenset((Operator.BOX_PLUS, Operator.BOX_MINUS))


def build_head(written: Literal, report: list[Diagnostic]) -> Head:
    """The boxes around the atom; with anything else, a report and the first atom."""
    if written.negated:
        report.append(catalogue.NEGATED_HEAD(written.span))
    boxes: list[tuple[Operator, Interval]] = []
    formula = written.formula
    while isinstance(formula, Modal) and formula.operator in _BOXES:
        boxes.append((formula.operator, formula.interval))
        formula = formula.operand
    if isinstance(formula, Modal | Binary):
        report.append(catalogue.OPERATOR_IN_HEAD(formula.span, operator=formula.operator))
    return Head(tuple(boxes), next(atoms(formula)), span=written.span)


def build_fact_atom(written: Sequence[Literal], report: list[Diagnostic]) -> Atom:
    """The ground atom of a fact."""
    first, *others = written
    for other in others:
        report.append(FACT_WITH_OPERATOR(other.span, what="a conjunction"))
    if first.negated:
        report.append(FACT_WITH_OPERATOR(first.span, what="`not`"))
    if (operator := _operator(first.formula)) is not None:
        report.append(FACT_WITH_OPERATOR(first.span, what=f"`{operator}`"))
    atom = next(atoms(first.formula))
    if not report:
        report += [
            variable_in_fact(term.span, "_" if _is_unnamed(term) else term.name)
            for term in atom.arguments
            if isinstance(term, Variable)
        ]
    return atom


def _operator(formula: Formula) -> str | None:
    return None if isinstance(formula, Atom) else formula.operator.value


def _is_unnamed(variable: Variable) -> bool:
    return variable.span.end - variable.span.start == 1 and variable.name[0] == "_"
