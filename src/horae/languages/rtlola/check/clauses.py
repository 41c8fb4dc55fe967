"""Check the clauses `extend`, `terminate`, and the rate of `frequency`."""

from __future__ import annotations

from horae.data.types import Type
from horae.languages.rtlola.check import catalogue_checks as catalogue
from horae.languages.rtlola.check import catalogue_warnings
from horae.languages.rtlola.check.expressions import check_expression
from horae.languages.rtlola.check.scope import CheckScope
from horae.languages.rtlola.program import (
    Always,
    Expression,
    Periodic,
    Quantified,
    When,
    accesses,
    walk,
)
from horae.languages.rtlola.syntax import tree
from horae.source.diagnostic import Diagnostic


def check_extend(
    clause: tree.Expression | tree.Rate | None, scope: CheckScope
) -> Periodic | When | Always | None:
    match clause:
        case None:
            return None
        case tree.Rate():
            return check_rate(clause, scope.report)
        case tree.Literal(value=True):
            return Always()
        case _:
            return When(_check_condition("extend", clause, scope))


def check_terminate(
    clause: tree.Expression | tree.Rate | None, scope: CheckScope
) -> Periodic | When | None:
    match clause:
        case None | tree.Literal(value=False):
            return None
        case tree.Rate():
            return check_rate(clause, scope.report)
        case _:
            return When(_check_condition("terminate", clause, scope))


def check_rate(rate: tree.Rate, report: list[Diagnostic]) -> Periodic:
    if rate.period <= 0:
        report.append(catalogue.RATE_NOT_POSITIVE(rate.span, text=rate.text))
    return Periodic(rate.period)


def _check_condition(clause: str, condition: tree.Expression, scope: CheckScope) -> Expression:
    found_before = len(scope.report)
    checked = check_expression(condition, scope)
    if checked.type not in (None, Type.BOOL):
        help = _condition_help(clause, condition)
        found = catalogue.CONDITION_TYPE(
            condition.span, what=f"`{clause}`", given=checked.type, help=help
        )
        scope.report.append(found)
    elif len(scope.report) == found_before and not _reads_a_stream(checked.node):
        scope.report.append(_without_pace(clause, condition))
    return checked.node


def _without_pace(clause: str, condition: tree.Expression) -> Diagnostic:
    """`extend: false` needs no pace to be understood; it is a way to switch an output off."""
    if isinstance(condition, tree.Literal) and condition.value is False:
        return catalogue_warnings.NEVER_EXTENDED(condition.span)
    return catalogue.no_pace(clause, condition.span)


def _reads_a_stream(condition: Expression) -> bool:
    has_over = any(isinstance(node, Quantified) for node in walk(condition))
    return has_over or next(accesses(condition), None) is not None


def _condition_help(clause: str, condition: tree.Expression) -> str:
    subject = condition.name if isinstance(condition, tree.Name) else "…"
    if clause == "extend":
        return f"compare it, for example `{subject} = …`, or give a rate, for example `1Hz`"
    return f"compare it, for example `{subject} = …`"
