"""Parse trees of statements into `tree` nodes.

The grammar takes more than the language has (operators in heads, variables in facts). What is too
much becomes a diagnostic here, and a harmless node takes its place: so one run reports all.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar

from lark import Token, v_args
from lark.tree import Meta

from horae.data.clock import SECONDS
from horae.data.fact_lines.build import FactValueBuilder, WrittenTimes
from horae.data.intervals import Interval
from horae.frontend.lalr import span_in, span_of
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

AnyOperator = TypeVar("AnyOperator", tree.Operator, tree.BinaryOperator)


@v_args(meta=True)
class Builder(FactValueBuilder[tree.Statement]):
    """One method per rule of the grammar, beside those for times."""

    def __init__(self, used_variables: Collection[str]) -> None:
        super().__init__(SECONDS)
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
        nodes = [c for c in _nodes(children) if not isinstance(c, WrittenTimes)]
        when = self._when(children[-1])
        atom = build_fact_atom([_literal(node) for node in nodes], self.diagnostics)
        return tree.Fact(atom, when.interval, when.dated, span=span_in(meta))

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
        if token.type == "VARIABLE":
            return Variable(self._unnamed() if token == "_" else str(token), span=span)
        return Constant(self._constant(token), span=span)

    def _unnamed(self) -> str:
        """Every `_` is a variable of its own: the next `_n` that the statement does not use."""
        self._anonymous += 1
        while f"_{self._anonymous}" in self._used:
            self._anonymous += 1
        return f"_{self._anonymous}"

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


def _nodes(children: list[Any]) -> list[Any]:
    return [child for child in children if not isinstance(child, Token)]


def _literal(node: tree.Formula | tree.Literal) -> tree.Literal:
    if isinstance(node, tree.Literal):
        return node
    return tree.Literal(node, negated=False, span=node.span)
