"""Conditions: both sides of a comparison have one kind of type, and a bare value is a bool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from horae.data.types import Type
from horae.languages.cql.check import catalogue_types as catalogue
from horae.languages.cql.check.check_expressions import NUMBERS, check_value
from horae.languages.cql.check.scope import QueryContext, SelectNames
from horae.languages.cql.program import (
    And,
    Body,
    Compare,
    Condition,
    Exists,
    Expression,
    Holds,
    In,
    IsNull,
    Not,
    Or,
)
from horae.languages.cql.syntax import tree
from horae.rules.arithmetic import Comparator
from horae.source.text import Span


def check_condition(
    context: QueryContext, scope: SelectNames, node: tree.Condition, clause: str
) -> Condition | None:
    """`None` if something is wrong with it, which is reported then."""
    match node:
        case tree.Compare():
            return _compare(context, scope, node, clause)
        case tree.Holds():
            return _holds(context, scope, node, clause)
        case tree.IsNull():
            return _is_null(context, scope, node, clause)
        case tree.Not():
            operand = check_condition(context, scope, node.operand, clause)
            return None if operand is None else Not(operand, span=node.span)
        case tree.And():
            operands = _operands(context, scope, node.operands, clause)
            return None if operands is None else And(operands, span=node.span)
        case tree.Or():
            operands = _operands(context, scope, node.operands, clause)
            return None if operands is None else Or(operands, span=node.span)
        case tree.Exists():
            body = context.check_body(context, node.query, scope)
            return None if body is None else Exists(body, span=node.span)
        case tree.In():
            return _in(context, scope, node, clause)
        case tree.OneOf():
            return _one_of(context, scope, node, clause)
        case _:
            assert_never(node)


def _operands(
    context: QueryContext, scope: SelectNames, nodes: Sequence[tree.Condition], clause: str
) -> tuple[Condition, ...] | None:
    checked = [check_condition(context, scope, node, clause) for node in nodes]
    found = tuple(operand for operand in checked if operand is not None)
    return found if len(found) == len(nodes) else None


def _values(
    context: QueryContext, scope: SelectNames, nodes: Sequence[tree.Expression], clause: str
) -> tuple[Expression, ...] | None:
    checked = [check_value(context, scope, node, clause) for node in nodes]
    found = tuple(value for value in checked if value is not None)
    return found if len(found) == len(nodes) else None


def _holds(
    context: QueryContext, scope: SelectNames, node: tree.Holds, clause: str
) -> Holds | None:
    value = check_value(context, scope, node.value, clause)
    if value is None:
        return None
    if value.type is not Type.BOOL:
        context.report.append(catalogue.no_condition((value.type, value.span)))
        return None
    return Holds(value, span=node.span)


def _is_null(
    context: QueryContext, scope: SelectNames, node: tree.IsNull, clause: str
) -> IsNull | Not | None:
    value = check_value(context, scope, node.value, clause)
    if value is None:
        return None
    found = IsNull(value, span=node.span)
    return Not(found, span=node.span) if node.negated else found


# --- comparison


def _compare(
    context: QueryContext, scope: SelectNames, node: tree.Compare, clause: str
) -> Compare | None:
    values = _values(context, scope, (node.left, node.right), clause)
    if values is None:
        return None
    return _comparison(context, node.comparator, values[0], values[1], node.span)


def _comparison(
    context: QueryContext, comparator: Comparator, left: Expression, right: Expression, span: Span
) -> Compare | None:
    if are_comparable(left.type, right.type):
        return Compare(comparator, left, right, span=span)
    sides = (left.type, left.span), (right.type, right.span)
    context.report.append(catalogue.not_comparable(comparator, *sides))
    return None


def are_comparable(left: Type, right: Type) -> bool:
    return left is right or (left in NUMBERS and right in NUMBERS)


def _one_of(
    context: QueryContext, scope: SelectNames, node: tree.OneOf, clause: str
) -> Compare | Or | None:
    """Before `x IN (1, 2)`, after `x = 1 OR x = 2`."""
    values = _values(context, scope, (node.value, *node.choices), clause)
    if values is None:
        return None
    value, *choices = values
    found = [_comparison(context, Comparator.EQUAL, value, c, node.span) for c in choices]
    operands = tuple(operand for operand in found if operand is not None)
    if len(operands) < len(choices):
        return None
    return operands[0] if len(operands) == 1 else Or(operands, span=node.span)


def _in(context: QueryContext, scope: SelectNames, node: tree.In, clause: str) -> In | None:
    values = _values(context, scope, node.values, clause)
    body = context.check_body(context, node.query, scope)
    if values is None or body is None:
        return None
    is_fine = _fits(context, node, values, body)
    return In(values, body, span=node.span) if is_fine else None


def _fits(context: QueryContext, node: tree.In, values: tuple[Expression, ...], body: Body) -> bool:
    if len(values) != len(body.outputs):
        counts = len(values), len(body.outputs)
        context.report.append(catalogue.width_of_in(*counts, node.query.span))
        return False
    wrong = [
        catalogue.not_comparable("IN", (value.type, value.span), (output.type, node.query.span))
        for value, output in zip(values, body.outputs, strict=True)
        if not are_comparable(value.type, output.type)
    ]
    context.report += wrong
    return not wrong
