"""Parse trees into window functions (Def. 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from horae.frontend.lalr import span_in, span_of
from horae.languages.lars.syntax import catalogue_syntax as catalogue
from horae.languages.lars.syntax import tree
from horae.languages.lars.syntax.build_values import ValueBuilder, nodes
from horae.rules.arithmetic import TermExpression
from horae.rules.terms import Atom, Constant, Variable
from horae.source.text import Span


@v_args(meta=True)
class WindowBuilder(ValueBuilder):
    def extent(self, meta: Meta, children: list[Any]) -> tree.Extent:
        if isinstance(children[0], Token):
            return tree.Infinite(span=span_in(meta))
        return self.as_value(children[0])

    def time_window(self, meta: Meta, children: list[Any]) -> tree.TimeWindow:
        past, *others = nodes(children)
        span = span_in(meta)
        future = others[0] if others else _number(0, span)
        step = self.as_value(others[1]) if len(others) > 1 else _number(1, span)
        return tree.TimeWindow(past, future, step, span=span)

    def future_window(self, meta: Meta, children: list[Any]) -> tree.TimeWindow:
        span = span_in(meta)
        return tree.TimeWindow(_number(0, span), children[1], _number(1, span), span=span)

    def tuple_window(self, meta: Meta, children: list[Any]) -> tree.TupleWindow:
        past, future = self._counts(children, span_in(meta))
        return tree.TupleWindow(past, future, span=span_in(meta))

    def partition_window(self, meta: Meta, children: list[Any]) -> tree.PartitionWindow:
        kinds = [getattr(child, "type", "") for child in children]
        hash_sign = kinds.index("HASH")
        past, future = self._counts(children[hash_sign:], span_in(meta))
        by = tuple(
            self._plain(token, span_of(token))
            for token in children[1:hash_sign]
            if token.type == "VARIABLE"
        )
        columns = tuple(variable for variable in by if isinstance(variable, Variable))
        return tree.PartitionWindow(children[0], columns, past, future, span=span_in(meta))

    def _counts(
        self, children: Sequence[Any], window: Span
    ) -> tuple[TermExpression, TermExpression]:
        """`#l`, `#l,u` or `#+u`."""
        for span in self.durations_in(window):
            self.diagnostics.append(catalogue.DURATION_OF_TUPLES(span))
        values = [self.as_value(node) for node in nodes(list(children))]
        if getattr(children[1], "type", "") == "PLUS":
            return _number(0, window), values[0]
        return values[0], values[1] if len(values) > 1 else _number(0, window)

    def pattern(self, meta: Meta, children: list[Any]) -> Atom:
        return Atom(str(children[0]), tuple(nodes(children)), span=span_in(meta))

    def named_window(self, meta: Meta, children: list[Any]) -> tree.NamedWindow:
        parameters = tuple(self.as_value(node) for node in nodes(children))
        return tree.NamedWindow(str(children[0]), parameters, span=span_in(meta))


def _number(value: int, span: Span) -> Constant:
    """What was left out, at the end of the window."""
    return Constant(value, span=Span(span.end, span.end))
