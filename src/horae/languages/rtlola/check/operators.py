"""The types of constants, operators and `if`."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from horae.data.types import Type
from horae.languages.rtlola.check import catalogue_checks as catalogue
from horae.languages.rtlola.check import catalogue_warnings
from horae.languages.rtlola.check.scope import Typed, carried, common_type, known, unknown, widen
from horae.languages.rtlola.program import (
    Binary,
    Branch,
    Chain,
    Conditional,
    Constant,
    Expression,
    Link,
    Unary,
)
from horae.languages.rtlola.syntax import tree
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span

_ARITHMETIC = frozenset("+-*/%^")
_EQUALITY = frozenset(("=", "!="))
_LOGIC = frozenset(("and", "or"))
_SMALLEST, _LARGEST = -(2**63), 2**63 - 1


def check_literal(literal: tree.Literal, report: list[Diagnostic]) -> Typed:
    value = literal.value
    if literal.type is Type.INT and not _SMALLEST <= int(value) <= _LARGEST:
        report.append(catalogue.INTEGER_RANGE(literal.span, value=int(value)))
    if literal.type is Type.DOUBLE and not isfinite(float(value)):
        report.append(catalogue.DOUBLE_RANGE(literal.span))
    return known(Constant(literal.type, value, span=literal.span))


def is_smallest_integer(expression: tree.Unary) -> bool:
    """`-9223372036854775808`, whose digits alone would be out of range."""
    operand = expression.operand
    return (
        expression.operator == "-"
        and isinstance(operand, tree.Literal)
        and operand.type is Type.INT
        and operand.value == -_SMALLEST
    )


def smallest_integer(expression: tree.Unary) -> Typed:
    return known(Constant(Type.INT, _SMALLEST, span=expression.span))


def check_unary(expression: tree.Unary, operand: Typed, report: list[Diagnostic]) -> Typed:
    operator, span = expression.operator, expression.span
    node = Unary(operator, operand.node, carried(operand.type), span=span)
    if operand.type is None:
        return Typed(node, Type.BOOL if operator == "not" else None)
    if (operand.type is Type.BOOL) if operator == "not" else operand.type.is_numeric:
        return known(node)
    help = "`not` takes a bool" if operator == "not" else "`-` takes a number"
    report.append(
        catalogue.operator_types(operator, [(operand.type, operand.node.span)], span, help)
    )
    return unknown(span)


def check_binary(
    expression: tree.Binary, left: Typed, right: Typed, report: list[Diagnostic]
) -> Typed:
    return _check_operands(expression, expression.right, left, right, report)


def check_link(link: tree.Link, left: Typed, right: Typed, report: list[Diagnostic]) -> Typed:
    """One more operand of a chain."""
    return _check_operands(link, link.operand, left, right, report)


def _check_operands(
    expression: tree.Binary | tree.Link,
    written: tree.Expression,
    left: Typed,
    right: Typed,
    report: list[Diagnostic],
) -> Typed:
    """Both operands get one type; the result has it too, or is bool. `written` is the right one."""
    operator, span = expression.operator, expression.span
    if left.type is None or right.type is None:
        guess = None if operator in _ARITHMETIC else Type.BOOL
        return Typed(_joined(operator, left.node, right.node, carried(guess), span), guess)
    operands = common_type(left.type, right.type)
    if operands is None or not _takes(operator, operands):
        help = _operator_help(operator, left.type, right.type)
        operands_found = [(left.type, left.node.span), (right.type, right.node.span)]
        report.append(catalogue.operator_types(operator, operands_found, span, help))
        return unknown(span) if operator in _ARITHMETIC else Typed(unknown(span).node, Type.BOOL)
    result = operands if operator in _ARITHMETIC else Type.BOOL
    report += _doomed(operator, written, operands)
    sides = widen(left, operands), widen(right, operands)
    return known(_joined(operator, *sides, result, span))


def _joined(
    operator: str, left: Expression, right: Expression, type: Type, span: Span
) -> Binary | Chain:
    """`a + b` and `c` → `a + b + c`, if the types agree."""
    if not tree.is_chained(operator):
        return Binary(operator, left, right, type, span=span)
    link = Link(operator, right, span=span)
    if isinstance(left, Chain) and left.type is type and left.is_of_level(operator):
        return Chain(left.first, (*left.rest, link), type, span=span)
    return Chain(left, (link,), type, span=span)


def _takes(operator: str, operands: Type) -> bool:
    if operator in _LOGIC:
        return operands is Type.BOOL
    if operator in _ARITHMETIC:
        return operands.is_numeric
    return operator in _EQUALITY or operands is not Type.BOOL


def _operator_help(operator: str, left: Type, right: Type) -> str:
    if operator in _LOGIC:
        return f"`{operator}` takes bools; compare first, for example `a > 0`"
    if operator in _ARITHMETIC:
        return f"`{operator}` takes numbers"
    if left is right is Type.BOOL:
        return "bools compare with `=` and `!=` only"
    return "both sides must be numbers, or both strings, or both bools"


def _doomed(operator: str, written: tree.Expression, operands: Type) -> list[Diagnostic]:
    """A constant right operand with which the operation stops every run that gets there."""
    right = _constant_value(written)
    if right is None:
        return []
    if operator in ("/", "%") and right == 0:
        return [catalogue_warnings.ALWAYS_FAILS(written.span, message="this divides by zero")]
    if operator == "^" and operands is Type.INT and right < 0:
        message = "a power of ints needs an exponent that is not negative"
        return [catalogue_warnings.ALWAYS_FAILS(written.span, message=message)]
    return []


def _constant_value(expression: tree.Expression) -> int | float | None:
    match expression:
        case tree.Literal(type=Type.INT | Type.DOUBLE, value=int() | float() as value):
            return value
        case tree.Unary(operator="-", operand=operand):
            positive = _constant_value(operand)
            return None if positive is None else -positive
        case _:
            return None


def check_conditional(
    expression: tree.Conditional,
    branches: Sequence[tuple[Typed, Typed]],
    otherwise: Typed,
    report: list[Diagnostic],
) -> Typed:
    """`branches` are conditions with what they lead to."""
    result, rest = otherwise.type, otherwise.node.span
    for (condition, then), branch in zip(
        reversed(branches), reversed(expression.branches), strict=True
    ):
        if condition.type not in (None, Type.BOOL):
            what, span = "the condition of `if`", condition.node.span
            report.append(catalogue.CONDITION_TYPE(span, what=what, given=condition.type, help=""))
        result, rest = _branch_type(then, result, rest, report), branch.span
    typed = tuple(Branch(c.node, widen(then, result)) for c, then in branches)
    node = Conditional(typed, widen(otherwise, result), carried(result), span=expression.span)
    return Typed(node, result)


def _branch_type(
    then: Typed, otherwise: Type | None, place: Span, report: list[Diagnostic]
) -> Type | None:
    if then.type is None or otherwise is None:
        return None
    result = common_type(then.type, otherwise)
    if result is None:
        report.append(catalogue.branch_types(then.type, otherwise, then.node.span, place))
    return result
