"""Parse trees into terms and arithmetic.

The grammar reads formulas and values alike. A node that is both, such as `a` (an atom or a constant),
is decided by what is around it: `as_formula` and `as_value`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, assert_never

from lark import Token, Transformer, v_args
from lark.tree import Meta

from horae.data.clock import NAMES
from horae.data.constants import Value
from horae.data.durations import UNITS, points_of
from horae.data.rationals import LONGEST, is_readable, read_number
from horae.frontend.lalr import span_in, span_of
from horae.frontend.quoting import text_of_literal, wrong_escapes
from horae.languages.lars.syntax import catalogue_syntax as catalogue
from horae.languages.lars.syntax import tree
from horae.rules.arithmetic import Comparator, Comparison, Operation, Sign, TermExpression
from horae.rules.terms import Atom, Constant, Term, Variable
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span

_SIGNS = {"PLUS": Sign.PLUS, "MINUS": Sign.MINUS, "TIMES": Sign.TIMES, "DIVIDE": Sign.DIVIDED}


@dataclass(frozen=True, slots=True)
class Group:
    """What stood in parentheses."""

    node: Any
    span: Span


def nodes(children: list[Any]) -> list[Any]:
    return [child for child in children if not isinstance(child, Token)]


@v_args(meta=True)
class ValueBuilder(Transformer[Token, Any]):
    """One method per rule of the grammar; what is wrong goes into `diagnostics`."""

    def __init__(self, used_variables: Collection[str], precision: str = "s") -> None:
        super().__init__()
        self._precision = precision
        self.diagnostics: list[Diagnostic] = []
        self._used = frozenset(used_variables)
        self._anonymous = 0
        self._durations: list[Span] = []

    # --- formula or value

    def as_formula(self, node: Any) -> tree.Formula:
        match node:
            case Group(node=inner):
                return self.as_formula(inner)
            case Variable() | Constant() | Operation():
                self.diagnostics.append(
                    catalogue.VALUE_WITHOUT_COMPARISON(node.span, what=_described(node))
                )
                return Comparison(Comparator.EQUAL, node, node, span=node.span)
            case _:
                return node  # type: ignore[no-any-return]

    def as_value(self, node: Any) -> TermExpression:
        match node:
            case Group(node=inner):
                return self.as_value(inner)
            case Variable() | Constant() | Operation():
                return node
            case Atom(predicate, (), span=span) if span.end - span.start == len(predicate):
                return Constant(predicate, span=span)
            case _:
                self.diagnostics.append(catalogue.FORMULA_AS_VALUE(node.span, what="this"))
                return Constant(0, span=node.span)

    # --- terms

    def term(self, meta: Meta, children: list[Any]) -> Term:
        span, kinds = span_in(meta), [token.type for token in children]
        if "NUMBER" not in kinds:
            return self._plain(children[0], span)
        first, *below = [token for token in children if token.type == "NUMBER"]
        number = self._number(first) / (self._denominator(below[0]) if below else 1)
        return Constant(exact_number(-number if kinds[0] == "MINUS" else number), span=span)

    def literal(self, meta: Meta, children: list[Any]) -> Term:
        token = children[0]
        if token.type == "NUMBER":
            return Constant(exact_number(self._number(token)), span=span_in(meta))
        return self._plain(token, span_in(meta))

    def _plain(self, token: Token, span: Span) -> Term:
        match token.type:
            case "VARIABLE":
                return Variable(self._unnamed() if token == "_" else str(token), span=span)
            case "STRING":
                return Constant(self._text(token), span=span)
            case _:
                return Constant(str(token), span=span)

    def _unnamed(self) -> str:
        """Every `_` is a variable of its own: the next `_n` that the statement does not use."""
        self._anonymous += 1
        while f"_{self._anonymous}" in self._used:
            self._anonymous += 1
        return f"_{self._anonymous}"

    def _text(self, token: Token) -> str:
        start = span_of(token).start
        for place, escape in wrong_escapes(token):
            span = Span(start + place, start + place + len(escape))
            self.diagnostics.append(catalogue.unknown_escape(span, escape))
        return text_of_literal(token)

    # --- numbers

    def _number(self, token: Token) -> Fraction:
        number = read_number(token) if is_readable(token) else None
        if number is None:
            self.diagnostics.append(catalogue.number_too_long(span_of(token), LONGEST))
        return number or Fraction(0)

    def _denominator(self, token: Token) -> Fraction:
        number = self._number(token)
        if number == 0:
            self.diagnostics.append(catalogue.zero_denominator(span_of(token)))
        return number or Fraction(1)

    def duration(self, meta: Meta, children: list[Any]) -> Constant:
        """A duration in time points."""
        number, unit = children
        span = span_in(meta)
        self._durations.append(span)
        points = points_of(self._number(number) * UNITS[unit.lower()], self._precision)
        if points.denominator != 1:
            self.diagnostics.append(
                catalogue.DURATION_NOT_WHOLE(
                    span,
                    text=f"{number} {unit}",
                    points=NAMES[self._precision],
                    point=NAMES[self._precision].removesuffix("s"),
                )
            )
        return Constant(exact_number(points), span=span)

    def durations_in(self, span: Span) -> list[Span]:
        return [d for d in self._durations if span.start <= d.start and d.end <= span.end]

    # --- arithmetic

    def operation(self, meta: Meta, children: list[Any]) -> TermExpression:
        left, sign, right = children
        written = Operation(
            _SIGNS[sign.type], self.as_value(left), self.as_value(right), span=span_in(meta)
        )
        return _folded(written)

    def negative(self, meta: Meta, children: list[Any]) -> TermExpression:
        operand, span = self.as_value(children[1]), span_in(meta)
        match operand:
            case Constant(int() | Fraction() as number):
                return Constant(-number, span=span)
            case _:
                return Operation(Sign.MINUS, Constant(0, span=span), operand, span=span)

    def compare(self, meta: Meta, children: list[Any]) -> Comparison:
        left, sign, right = children
        comparator = Comparator(_COMPARATORS.get(sign, sign))
        values = self.as_value(left), self.as_value(right)
        return Comparison(comparator, values[0], values[1], span=span_in(meta))


_COMPARATORS = {"==": "=", "≠": "!=", "≤": "<=", "≥": ">="}


def exact_number(number: Fraction) -> Value:
    return number.numerator if number.denominator == 1 else number


def _folded(written: Operation) -> TermExpression:
    """`1/3` is a number: so a constant reads back as what it was."""
    match written:
        case Operation(Sign.DIVIDED, Constant(int() as above), Constant(int() as below)) if (
            below > 0
        ):
            return Constant(exact_number(Fraction(above, below)), span=written.span)
        case _:
            return written


def _described(value: TermExpression) -> str:
    match value:
        case Variable(name):
            return "`_`" if name[0] == "_" and name[1:].isdigit() else f"the variable `{name}`"
        case Constant():
            return "this constant"
        case Operation():
            return "this"
        case _:
            assert_never(value)
