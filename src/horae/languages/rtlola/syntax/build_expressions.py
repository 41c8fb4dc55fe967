"""Parse trees of expressions into `tree` nodes.

A mistake that the grammar lets pass (an unknown unit, a missing default) becomes a diagnostic,
and a harmless node takes its place: so one run reports all of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from lark import Token, v_args
from lark.tree import Meta
from lark.visitors import Transformer_NonRecursive

from horae.data.durations import UNITS
from horae.data.rationals import is_readable
from horae.data.types import Type
from horae.frontend.lalr import span_in, span_of
from horae.frontend.quoting import unescape, unknown_escapes
from horae.languages.rtlola.syntax import catalogue_syntax as catalogue
from horae.languages.rtlola.syntax import tree
from horae.languages.rtlola.syntax.build_accesses import AccessKey, build_access
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source, Span

_BEYOND_INT = 2**63  # itself allowed here: after a minus it is the least int
_ZERO, _ONE = Fraction(0), Fraction(1)
_HERTZ = {"mHz": Fraction(1, 1000), "Hz": Fraction(1), "kHz": Fraction(1000)}
_OPERATORS = {
    "AND": "and",
    "OR": "or",
    "NOT": "not",
    "EQUAL": "=",
    "UNEQUAL": "!=",
    "LESS": "<",
    "AT_MOST": "<=",
    "MORE": ">",
    "AT_LEAST": ">=",
    "PLUS": "+",
    "MINUS": "-",
    "TIMES": "*",
    "DIVIDE": "/",
    "MODULO": "%",
    "POWER": "^",
}


def duration_seconds(number: str, unit: str) -> Fraction | None:
    """`("10", "s")` is 10 seconds; None if there is no such unit of time."""
    factor = UNITS.get(unit)
    return None if factor is None else Fraction(number) * factor


def rate_period(number: str, unit: str) -> Fraction | None:
    """`("2", "Hz")` and `("0.5", "s")` are half a second; zero stands for a rate of 0 Hz."""
    factor = _HERTZ.get(unit)
    if factor is None:
        return duration_seconds(number, unit)
    hertz = Fraction(number) * factor
    return 1 / hertz if hertz else Fraction(0)


def join_operands(
    operator: str, left: tree.Expression, right: tree.Expression, span: Span
) -> tree.Binary | tree.Chain:
    """`a + b` and `c` → `a + b + c`: one chain."""
    if not tree.is_chained(operator):
        return tree.Binary(operator, left, right, span=span)
    link = tree.Link(operator, right, span=span)
    if isinstance(left, tree.Chain) and tree.continues(left, operator):
        return tree.Chain(left.first, (*left.rest, link), span=span)
    return tree.Chain(left, (link,), span=span)


def join_branches(
    condition: tree.Expression, then: tree.Expression, otherwise: tree.Expression, span: Span
) -> tree.Conditional:
    """`if a then b else` and `if c then d else e` → one ladder."""
    branch = tree.Branch(condition, then, span=span)
    if isinstance(otherwise, tree.Conditional):
        return tree.Conditional((branch, *otherwise.branches), otherwise.otherwise, span=span)
    return tree.Conditional((branch,), otherwise, span=span)


@v_args(meta=True)
class ExpressionBuilder(Transformer_NonRecursive[Token, Any]):
    """One method per rule of the grammar; `diagnostics` collects what is wrong.

    The parse tree of a long chain is as deep as that is long, so nothing here may be recursive.
    """

    def __init__(self, source: Source, aggregations: Iterable[str]) -> None:
        super().__init__()
        self.source = source
        self.aggregations = frozenset(aggregations)  # the user-defined ones
        self.diagnostics: list[Diagnostic] = []

    # --- constants

    def integer(self, meta: Meta, children: list[Any]) -> tree.Literal:
        return tree.Literal(Type.INT, self._whole(children[0]), span=span_in(meta))

    def decimal(self, meta: Meta, children: list[Any]) -> tree.Literal:
        value = float(children[0])
        if math.isinf(value):
            self.diagnostics.append(catalogue.number_too_large(span_in(meta), "double"))
        return tree.Literal(Type.DOUBLE, value, span=span_in(meta))

    def string(self, meta: Meta, children: list[Any]) -> tree.Literal:
        return tree.Literal(Type.STRING, self.text_of(children[0]), span=span_in(meta))

    def true(self, meta: Meta, _children: list[Any]) -> tree.Literal:
        return tree.Literal(Type.BOOL, True, span=span_in(meta))

    def false(self, meta: Meta, _children: list[Any]) -> tree.Literal:
        return tree.Literal(Type.BOOL, False, span=span_in(meta))

    def text_of(self, token: Token) -> str:
        """The value of a string literal."""
        body, start = token[1:-1], span_of(token).start + 1
        for place, escape in unknown_escapes(body):
            span = Span(start + place, start + place + len(escape))
            self.diagnostics.append(catalogue.unknown_escape(span, escape))
        return unescape(body)

    def _whole(self, token: Token) -> int:
        if len(token) > 30 or int(token) > _BEYOND_INT:  # int() refuses thousands of digits
            self.diagnostics.append(catalogue.number_too_large(span_of(token), "int"))
            return 0
        return int(token)

    # --- names, calls, operators

    def name(self, meta: Meta, children: list[Any]) -> tree.Name:
        return tree.Name(str(children[0]), span=span_in(meta))

    def field(self, meta: Meta, children: list[Any]) -> tree.Field:
        owner, name = children
        return tree.Field(owner.name, name.name, span=span_in(meta))

    def call(self, meta: Meta, children: list[Any]) -> tree.Apply:
        function, *arguments = children
        name = "double" if function == "float" else str(function)
        return tree.Apply(name, tuple(arguments), span=span_in(meta))

    def unary(self, meta: Meta, children: list[Any]) -> tree.Unary:
        operator, operand = children
        return tree.Unary(_OPERATORS[operator.type], operand, span=span_in(meta))

    def binary(self, meta: Meta, children: list[Any]) -> tree.Binary | tree.Chain:
        left, token, right = children
        return join_operands(_OPERATORS[token.type], left, right, span_in(meta))

    def conditional(self, meta: Meta, children: list[Any]) -> tree.Conditional:
        _, condition, _, then, _, otherwise = children
        return join_branches(condition, then, otherwise, span_in(meta))

    # --- accesses, durations, rates

    def accessed(self, meta: Meta, children: list[Any]) -> tree.Expression:
        target, key, *rest = children
        access, found = build_access(
            self.source, target, key, rest, span_in(meta), self.aggregations
        )
        self.diagnostics += found
        return access

    def plus_number(self, meta: Meta, children: list[Any]) -> AccessKey:
        _, number = children
        span = span_in(meta)
        if number.type == "DECIMAL":
            return tree.Literal(Type.DOUBLE, float(number), span=span)
        return tree.Literal(Type.INT, self._whole(number), span=span)

    def duration(self, meta: Meta, children: list[Any]) -> tree.DurationLiteral:
        *sign, number, unit = children
        seconds = duration_seconds(number, unit) if self._is_readable(number) else _ZERO
        if seconds is None:
            found = catalogue.unknown_unit(span_of(unit), str(unit), with_frequencies=False)
            self.diagnostics.append(found)
            seconds = _ZERO
        is_negative = bool(sign) and sign[0].type == "MINUS"
        text = f"{'-' if is_negative else ''}{number}{unit}"
        return tree.DurationLiteral(-seconds if is_negative else seconds, text, span=span_in(meta))

    def rate(self, meta: Meta, children: list[Any]) -> tree.Rate:
        number, unit = children
        span = span_in(meta)
        text = f"{number}{unit}"
        period = rate_period(number, unit) if self._is_readable(number) else _ONE
        if period is None:
            found = catalogue.unknown_unit(span_of(unit), str(unit), with_frequencies=True)
            self.diagnostics.append(found)
        elif period == 0:
            self.diagnostics.append(catalogue.RATE_NOT_POSITIVE(span, text=text))
        return tree.Rate(period or _ONE, text, span=span)

    def _is_readable(self, number: Token) -> bool:
        if is_readable(number):
            return True
        self.diagnostics.append(catalogue.number_too_large(span_of(number), "double"))
        return False
