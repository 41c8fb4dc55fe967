"""An expression as text, with no parenthesis that the grammar does not need."""

from __future__ import annotations

from typing import assert_never

from horae.frontend.quoting import quote
from horae.languages.rtlola.syntax import tree

# How tightly an expression binds, from loose to tight, as in the grammar.
_IF, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _POWER, _MINUS, _ATOM = range(10)
_BINARY = {
    "or": _OR,
    "and": _AND,
    **dict.fromkeys(("=", "!=", "<", "<=", ">", ">="), _COMPARE),
    **dict.fromkeys(("+", "-"), _SUM),
    **dict.fromkeys(("*", "/", "%"), _PRODUCT),
    "^": _POWER,
}


def format_expression(expression: tree.Expression) -> str:
    """The canonical text; parsing it gives an equal tree."""
    match expression:
        case tree.Literal(value=value):
            return _literal(value)
        case tree.Name(name):
            return name
        case tree.Field(owner, name):
            return f"{owner}.{name}"
        case tree.Apply(name, arguments):
            return f"{name}({', '.join(map(format_expression, arguments))})"
        case tree.Unary(operator, operand):
            return _unary(operator, operand)
        case tree.Binary(operator, left, right):
            return _binary(operator, left, right)
        case tree.Chain():
            return _chain(expression)
        case tree.Conditional():
            return _conditional(expression)
        case tree.Offset() | tree.TimeOffset() | tree.Window():
            return _access(expression)
        case _:
            assert_never(expression)


def _level(expression: tree.Expression) -> int:
    match expression:
        case tree.Conditional():
            return _IF
        case tree.Binary(operator):
            return _BINARY[operator]
        case tree.Chain(rest=(link, *_)):
            return _BINARY[link.operator]
        case tree.Unary("not"):
            return _NOT
        case tree.Unary():
            return _MINUS
        case _:
            return _ATOM


def _at_least(level: int, expression: tree.Expression) -> str:
    """The expression as an operand that must bind at least as tightly as `level`."""
    text = format_expression(expression)
    return text if _level(expression) >= level else f"({text})"


def _unary(operator: str, operand: tree.Expression) -> str:
    if operator == "not":
        return f"not {_at_least(_NOT, operand)}"
    return f"{operator}{_at_least(_MINUS, operand)}"


def _binary(operator: str, left: tree.Expression, right: tree.Expression) -> str:
    """`^` groups to the right, comparisons not at all."""
    level = _BINARY[operator]
    right_level = level if level == _POWER else level + 1
    return f"{_at_least(level + 1, left)} {operator} {_at_least(right_level, right)}"


def _chain(chain: tree.Chain) -> str:
    level = _level(chain)
    links = [f" {link.operator} {_at_least(level + 1, link.operand)}" for link in chain.rest]
    return _at_least(level, chain.first) + "".join(links)


def _conditional(expression: tree.Conditional) -> str:
    branches = [
        f"if {format_expression(branch.condition)} then {format_expression(branch.then)} else "
        for branch in expression.branches
    ]
    return "".join(branches) + format_expression(expression.otherwise)


def _access(access: tree.Offset | tree.TimeOffset | tree.Window) -> str:
    target, default = format_expression(access.target), format_expression(access.default)
    match access:
        case tree.Offset(offset=offset):
            return f"{target}[{offset}, {default}]"
        case tree.TimeOffset(offset=offset):
            return f"{target}[{offset.text}, {default}]"
        case tree.Window(duration=duration, aggregation=aggregation):
            return f"{target}[{duration.text}, {default}, {_aggregation(aggregation)}]"
        case _:
            assert_never(access)


def _aggregation(use: tree.AggregationUse) -> str:
    if use.argument is None:
        return use.name
    return f"{use.name}({format_expression(use.argument)})"


def _literal(value: bool | int | float | str) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return _double(value)
        case str():
            return quote(value)


def _double(value: float) -> str:
    """`repr` is the shortest text that reads back equal; its `1e+300` becomes `1e300`."""
    mantissa, _, exponent = repr(value).partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa
