"""Parse trees of statements into `tree` nodes.

The grammar takes more than the language has (operators in heads, variables in facts). What is too
much becomes a diagnostic here, and a harmless node takes its place: so one run reports all.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from lark import Token, Transformer, v_args
from lark.tree import Meta

from horae.data.clock import Clock
from horae.data.intervals import ALWAYS, Interval, point
from horae.data.moments import seconds_since_1970
from horae.data.rationals import LONGEST, is_readable, read_number
from horae.data.roll import note_date, note_time
from horae.frontend.lalr import span_in, span_of
from horae.frontend.quoting import text_of_literal, wrong_escapes
from horae.languages.datalogmtl.program import atoms
from horae.languages.datalogmtl.syntax import catalogue_syntax as catalogue
from horae.languages.datalogmtl.syntax import tree
from horae.languages.datalogmtl.syntax.heads import build_fact_atom, build_head
from horae.languages.datalogmtl.syntax.keywords import (
    BINARY_OPERATORS,
    OPERATORS,
    SIGNED_OPERATORS,
    SIGNED_UNTIL,
)
from horae.rules.terms import Atom, Constant, Term, Variable
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span

AnyOperator = TypeVar("AnyOperator", tree.Operator, tree.BinaryOperator)


@dataclass(frozen=True, slots=True)
class _Bound:
    """One end of an interval as written; None is infinite, `sign` says in which direction.

    `is_date` tells a date from a number.
    """

    value: Fraction | None
    text: str
    sign: int
    span: Span
    is_date: bool = False


@dataclass(frozen=True, slots=True)
class _Times:
    """The time of a fact; `dated` is its text, where it was written with dates."""

    interval: Interval
    dated: str = ""


@v_args(meta=True)
class Builder(Transformer[Token, tree.Statement]):
    """One method per rule of the grammar."""

    def __init__(self, used_variables: Collection[str], clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self.diagnostics: list[Diagnostic] = []
        self._used = frozenset(used_variables)
        self._anonymous = 0

    # --- statements

    def rule(self, meta: Meta, children: list[Any]) -> tree.Rule:
        sign = next(i for i, c in enumerate(children) if getattr(c, "type", "") == "IMPLIES")
        heads = _nodes(children[:sign])
        for extra in heads[1:]:
            self.diagnostics.append(catalogue.SEVERAL_HEADS(extra.span))
        head = build_head(_literal(heads[0]), self.diagnostics)
        body = tuple(_literal(node) for node in _nodes(children[sign + 1 :]))
        return tree.Rule(head, body, span=span_in(meta))

    def fact(self, meta: Meta, children: list[Any]) -> tree.Fact:
        nodes = [c for c in _nodes(children) if not isinstance(c, _Times)]
        when = self._when(children[-1])
        atom = build_fact_atom([_literal(node) for node in nodes], self.diagnostics)
        return tree.Fact(atom, when.interval, when.dated, span=span_in(meta))

    def _when(self, last: Any) -> _Times:
        """What stands behind the `@`, if there is one."""
        match last:
            case _Times():
                return last
            case Token(type="NUMBER"):
                return _Times(point(self._counted(last)))
            case Token(type="MOMENT"):
                return _Times(point(self._moment(last)), str(last))
            case _:
                return _Times(ALWAYS)

    def query(self, meta: Meta, children: list[Any]) -> tree.Query:
        predicates = []
        for literal in map(_literal, _nodes(children)):
            atom, span = next(atoms(literal.formula)), literal.span
            if literal.negated or literal.formula is not atom or atom.arguments:
                self.diagnostics.append(
                    catalogue.QUERY_NOT_PREDICATE(span, predicate=atom.predicate)
                )
            predicates.append((atom.predicate, span))
        return tree.Query(tuple(predicates), span=span_in(meta))

    # --- formulas

    def negated(self, meta: Meta, children: list[Any]) -> tree.Literal:
        return tree.Literal(children[-1], negated=True, span=span_in(meta))

    def modal(self, meta: Meta, children: list[Any]) -> tree.Modal:
        sign, interval, operand = children
        if sign in SIGNED_OPERATORS:
            operator, interval = self._signed(sign, *SIGNED_OPERATORS[sign], interval)
        else:
            operator = OPERATORS[sign.lower()]
        return tree.Modal(operator, interval, operand, span=span_in(meta))

    def binary(self, meta: Meta, children: list[Any]) -> tree.Binary:
        left, sign, interval, right = children
        operator = BINARY_OPERATORS[sign.lower()]
        if sign == SIGNED_UNTIL:
            both = (tree.BinaryOperator.SINCE, tree.BinaryOperator.UNTIL)
            operator, interval = self._signed(sign, *both, interval)
        return tree.Binary(operator, interval, left, right, span=span_in(meta))

    def atom(self, meta: Meta, children: list[Any]) -> Atom:
        predicate, *arguments = children
        return Atom(str(predicate), tuple(arguments), span=span_in(meta))

    def term(self, meta: Meta, children: list[Any]) -> Term:
        token, span = children[0], span_in(meta)
        match token.type:
            case "VARIABLE":
                return Variable(self._unnamed() if token == "_" else str(token), span=span)
            case "CONSTANT":
                return Constant(str(token), span=span)
            case "STRING":
                return Constant(self._text(token), span=span)
            case "MOMENT":
                return Constant(str(token), span=span)
            case _:
                number = self._number(token)
                whole = number.denominator == 1
                return Constant(number.numerator if whole else number, span=span)

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

    def _signed(
        self, sign: Token, past: AnyOperator, future: AnyOperator, interval: Interval
    ) -> tuple[AnyOperator, Interval]:
        """`ALWAYS[-10,0]` is `Boxminus[0,10]`, `ALWAYS[0,10]` is `Boxplus[0,10]`."""
        if interval.is_empty or (interval.low is not None and interval.low >= 0):
            return future, interval
        if interval.high is None or interval.high > 0:
            self.diagnostics.append(
                catalogue.past_and_future(span_of(sign), str(sign), str(interval))
            )
        return past, interval.mirrored

    # --- numbers and intervals

    def _number(self, token: Token) -> Fraction:
        if not is_readable(token):
            self.diagnostics.append(catalogue.number_too_long(span_of(token), LONGEST))
            return Fraction(0)
        number = read_number(token)
        if number is None:
            self.diagnostics.append(catalogue.zero_denominator(span_of(token)))
            return Fraction(0)
        return number

    def bound(self, meta: Meta, children: list[Any]) -> _Bound:
        token, span = children[0], span_in(meta)
        if token.type == "INFINITE":
            return _Bound(None, str(token), -1 if token[0] in "-−" else 1, span)
        if token.type == "MOMENT":
            return _Bound(self._moment(token), str(token), 0, span, is_date=True)
        return _Bound(self._counted(token), str(token), 0, span)

    time = bound

    def _counted(self, token: Token) -> Fraction:
        time = self._clock.of_number(self._number(token))
        note_time(str(token), time, self._clock)
        return time

    def _moment(self, token: Token) -> Fraction:
        note_date()
        moment = seconds_since_1970(token)
        if moment is None:
            self.diagnostics.append(catalogue.NO_SUCH_DATE(span_of(token), text=str(token)))
        return self._clock.of_seconds(moment or Fraction(0))

    def times(self, meta: Meta, children: list[Any]) -> _Times:
        opening, *bounds, closing = children
        is_dated = any(bound is not None and bound.is_date for bound in bounds)
        text = f"{opening}{','.join(bound.text for bound in bounds if bound)}{closing}"
        return _Times(self.interval(meta, children), text if is_dated else "")

    def interval(self, meta: Meta, children: list[Any]) -> Interval:
        opening, *bounds, closing = children
        low, high = bounds[0], bounds[-1]
        if len(bounds) == 1 and (opening, closing) != ("[", "]"):
            text = f"{opening}{low.text}{closing}"
            self.diagnostics.append(catalogue.open_point(span_in(meta), text))
        if low.sign > 0:
            self.diagnostics.append(
                catalogue.MISPLACED_INFINITY(low.span, text=low.text, end="start")
            )
        elif high.sign < 0:
            self.diagnostics.append(
                catalogue.MISPLACED_INFINITY(high.span, text=high.text, end="end")
            )
        return Interval(low.value, high.value, opening == "(", closing == ")")


def _nodes(children: list[Any]) -> list[Any]:
    return [child for child in children if not isinstance(child, Token)]


def _literal(node: tree.Formula | tree.Literal) -> tree.Literal:
    if isinstance(node, tree.Literal):
        return node
    return tree.Literal(node, negated=False, span=node.span)
