"""Parse trees of values and conditions into `tree` nodes.

The grammar has one rule for both, because a parenthesis may open either. Here a value where a
condition is needed becomes `Holds`; a condition where a value is needed is an error, and a harmless
value takes its place: so one run reports all.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lark import Token, Transformer, v_args
from lark.tree import Meta

from horae.frontend.lalr import span_in, span_of
from horae.languages.cql.syntax import catalogue_syntax as catalogue
from horae.languages.cql.syntax import tree
from horae.rules.arithmetic import Comparator, Sign
from horae.source.diagnostic import Diagnostic

_LONGEST = 400  # digits; more would be a mistake, and takes long to compute with
_SIGNS = {"−": "-", "×": "*", "÷": "/"}
_COMPARATORS = {"==": "=", "<>": "!=", "≠": "!=", "≤": "<=", "≥": ">="}


@v_args(meta=True)
class ExpressionBuilder(Transformer[Token, tree.Statement]):
    """One method per rule of the grammar for values and conditions."""

    def __init__(self) -> None:
        super().__init__()
        self.diagnostics: list[Diagnostic] = []

    # --- values

    def column(self, meta: Meta, children: list[Any]) -> tree.Column:
        *source, name = map(name_of, children)
        return tree.Column(source[0] if source else None, name, span=span_in(meta))

    def number(self, meta: Meta, children: list[Any]) -> tree.Number:
        text = children[0]
        is_double = not text.isdigit()
        return tree.Number(self.read_number(text), is_double, span=span_in(meta))

    def text(self, meta: Meta, children: list[Any]) -> tree.Text:
        return tree.Text(children[0][1:-1].replace("''", "'"), span=span_in(meta))

    def truth(self, meta: Meta, children: list[Any]) -> tree.Truth:
        return tree.Truth(children[0].type == "TRUE", span=span_in(meta))

    def arithmetic(self, meta: Meta, children: list[Any]) -> tree.Arithmetic:
        left, sign, right = children
        operator = Sign(_SIGNS.get(sign, sign))
        return tree.Arithmetic(operator, self.value(left), self.value(right), span=span_in(meta))

    def negative(self, meta: Meta, children: list[Any]) -> tree.Arithmetic:
        zero = tree.Number(Fraction(0), False, span=span_of(children[0]))
        return tree.Arithmetic(Sign.MINUS, zero, self.value(children[1]), span=span_in(meta))

    def aggregate(self, meta: Meta, children: list[Any]) -> tree.Aggregate:
        function = tree.Aggregation(children[0].upper())
        distinct = has(children, "DISTINCT")
        argument = children[-1]
        if isinstance(argument, Token):
            if function is not tree.Aggregation.COUNT or distinct:
                self.diagnostics.append(catalogue.star_in_aggregate(span_of(argument), function))
            return tree.Aggregate(function, None, False, span=span_in(meta))
        return tree.Aggregate(function, self.value(argument), distinct, span=span_in(meta))

    def read_number(self, token: Token) -> Fraction:
        mantissa, _, exponent = token.lower().partition("e")
        if len(token) > _LONGEST:
            self.diagnostics.append(catalogue.NUMBER_TOO_LONG(span_of(token), limit=_LONGEST))
            return Fraction(0)
        if abs(int(exponent or 0)) > _LONGEST:
            self.diagnostics.append(catalogue.EXPONENT_TOO_LARGE(span_of(token), limit=_LONGEST))
            return Fraction(0)
        return Fraction(mantissa) * Fraction(10) ** int(exponent or 0)

    def value(self, node: tree.Expression | tree.Condition) -> tree.Expression:
        if isinstance(node, tree.Expression):
            return node
        self.diagnostics.append(catalogue.CONDITION_AS_VALUE(node.span))
        return tree.Number(Fraction(0), False, span=node.span)

    # --- conditions

    def any_of(self, meta: Meta, children: list[Any]) -> tree.Or:
        return tree.Or(tuple(map(as_condition, children)), span=span_in(meta))

    def all_of(self, meta: Meta, children: list[Any]) -> tree.And:
        return tree.And(tuple(map(as_condition, children)), span=span_in(meta))

    def negated(self, meta: Meta, children: list[Any]) -> tree.Not:
        return tree.Not(as_condition(children[1]), span=span_in(meta))

    def compare(self, meta: Meta, children: list[Any]) -> tree.Compare:
        left, sign, right = children
        comparator = Comparator(_COMPARATORS.get(sign, sign))
        return tree.Compare(comparator, self.value(left), self.value(right), span=span_in(meta))

    def is_null(self, meta: Meta, children: list[Any]) -> tree.IsNull:
        return tree.IsNull(self.value(children[0]), has(children, "NOT"), span=span_in(meta))

    def exists(self, meta: Meta, children: list[Any]) -> tree.Exists:
        return tree.Exists(children[0], span=span_in(meta))

    def row(self, meta: Meta, children: list[Any]) -> tuple[tree.Expression, ...]:
        return tuple(map(self.value, children))

    def in_query(self, meta: Meta, children: list[Any]) -> tree.Condition:
        first = children[0]
        values = first if isinstance(first, tuple) else (self.value(first),)
        found = tree.In(values, children[-1], span=span_in(meta))
        return _maybe_not(found, children)

    def one_of(self, meta: Meta, children: list[Any]) -> tree.Condition:
        value, *choices = (self.value(c) for c in children if not isinstance(c, Token))
        return _maybe_not(tree.OneOf(value, tuple(choices), span=span_in(meta)), children)


def _maybe_not(found: tree.In | tree.OneOf, children: list[Any]) -> tree.Condition:
    return tree.Not(found, span=found.span) if has(children, "NOT") else found


def as_condition(node: tree.Expression | tree.Condition) -> tree.Condition:
    if isinstance(node, tree.Expression):
        return tree.Holds(node, span=node.span)
    return node


def name_of(token: Token) -> tree.Name:
    is_quoted = token.startswith('"')
    text = token[1:-1].replace('""', '"') if is_quoted else str(token)
    return tree.Name(text, span=span_of(token))


def has(children: list[Any], kind: str) -> bool:
    return any(isinstance(child, Token) and child.type == kind for child in children)
