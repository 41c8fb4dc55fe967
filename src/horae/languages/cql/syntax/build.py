"""Parse trees of statements into `tree` nodes.

The grammar takes more than the language has (negative sizes, queries in FROM without a name). What is
too much becomes a diagnostic here, and a harmless node takes its place: so one run reports all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from horae.data.types import Type
from horae.frontend.lalr import span_in, span_of
from horae.languages.cql.syntax import catalogue_syntax as catalogue
from horae.languages.cql.syntax import tree
from horae.languages.cql.syntax.build_expressions import (
    ExpressionBuilder,
    as_condition,
    has,
    name_of,
)
from horae.languages.cql.syntax.durations import WrittenDuration, read_size


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause on its way into its SELECT: WHERE, GROUP BY, HAVING."""

    kind: str
    content: Any


@v_args(meta=True)
class Builder(ExpressionBuilder):
    """One method per rule of the grammar for statements, queries and windows."""

    def __init__(self, precision: str) -> None:
        super().__init__()
        self._precision = precision

    # --- statements

    def register(self, meta: Meta, children: list[Any]) -> tree.Register:
        _, kind, name, *attributes = children
        is_stream = kind.type == "STREAM"
        return tree.Register(is_stream, name_of(name), tuple(attributes), span=span_in(meta))

    def attribute(self, meta: Meta, children: list[Any]) -> tree.Attribute:
        name, written = children
        known = catalogue.TYPES.get(written.lower())
        if known is None:
            self.diagnostics.append(catalogue.unknown_type(span_of(written), str(written)))
        type_ = Type(known or "string")
        return tree.Attribute(name_of(name), type_, span=span_in(meta))

    def query(self, meta: Meta, children: list[Any]) -> tree.Query:
        name = children[0] if isinstance(children[0], tree.Name) else None
        operator, body = children[-1] if isinstance(children[-1], tuple) else (None, children[-1])
        return tree.Query(name, operator, body, span=span_in(meta))

    def label(self, meta: Meta, children: list[Any]) -> tree.Name:
        return name_of(children[0])

    def streamed(self, meta: Meta, children: list[Any]) -> tuple[tree.StreamOperator, tree.Body]:
        return tree.StreamOperator(children[0].upper()), children[1]

    # --- queries

    def body(self, meta: Meta, children: list[Any]) -> tree.Body:
        rows, *others = children
        order = next((c for c in others if isinstance(c, tuple)), ())
        limit = next((c for c in others if isinstance(c, int)), None)
        return tree.Body(rows, order, limit, span=span_in(meta))

    def order_by(self, meta: Meta, children: list[Any]) -> tuple[tree.OrderItem, ...]:
        return tuple(children)

    def order_item(self, meta: Meta, children: list[Any]) -> tree.OrderItem:
        value = self.value(children[0])
        return tree.OrderItem(value, has(children, "DESC"), span=span_in(meta))

    def limit(self, meta: Meta, children: list[Any]) -> int:
        number = self.read_number(children[-1])
        if has(children, "MINUS") or number.denominator != 1:
            self.diagnostics.append(catalogue.NEGATIVE_LIMIT(span_in(meta)))
        return int(number)

    def combined(self, meta: Meta, children: list[Any]) -> tree.Combined:
        left, sign, *_, right = children
        is_all = has(children, "ALL")
        return tree.Combined(
            tree.SetOperator(sign.upper()), is_all, left, right, span=span_in(meta)
        )

    intersected = combined

    def select(self, meta: Meta, children: list[Any]) -> tree.Select:
        clauses = {c.kind: c.content for c in children if isinstance(c, _Clause)}
        return tree.Select(
            has(children, "DISTINCT"),
            tuple(c for c in children if isinstance(c, tree.Star | tree.Item)),
            clauses["FROM"],
            clauses.get("WHERE"),
            clauses.get("GROUP BY", ()),
            clauses.get("HAVING"),
            span=span_in(meta),
        )

    def star(self, meta: Meta, children: list[Any]) -> tree.Star:
        names = [name_of(c) for c in children if c.type == "NAME"]
        return tree.Star(names[0] if names else None, span=span_in(meta))

    def item(self, meta: Meta, children: list[Any]) -> tree.Item:
        alias = children[1] if len(children) > 1 else None
        return tree.Item(self.value(children[0]), alias, span=span_in(meta))

    def alias(self, meta: Meta, children: list[Any]) -> tree.Name:
        return name_of(children[0])

    def from_clause(self, meta: Meta, children: list[Any]) -> _Clause:
        return _Clause("FROM", tuple(children))

    def where(self, meta: Meta, children: list[Any]) -> _Clause:
        return _Clause("WHERE", as_condition(children[0]))

    def group_by(self, meta: Meta, children: list[Any]) -> _Clause:
        return _Clause("GROUP BY", tuple(map(self.value, children)))

    def having(self, meta: Meta, children: list[Any]) -> _Clause:
        return _Clause("HAVING", as_condition(children[0]))

    def source(self, meta: Meta, children: list[Any]) -> tree.FromSource:
        name, *others = children
        window = next((c for c in others if isinstance(c, tree.StreamWindow)), None)
        alias = next((c for c in others if isinstance(c, tree.Name)), None)
        return tree.FromSource(name_of(name), window, alias, span=span_in(meta))

    def nested(self, meta: Meta, children: list[Any]) -> tree.Nested:
        if len(children) == 1:
            self.diagnostics.append(catalogue.UNNAMED_NESTED(span_in(meta)))
            children.append(tree.Name("", span=span_in(meta)))
        return tree.Nested(children[0], children[1], span=span_in(meta))

    # --- windows

    def window(self, meta: Meta, children: list[Any]) -> tree.StreamWindow:
        window: tree.StreamWindow = children[0]
        return window

    def range(self, meta: Meta, children: list[Any]) -> tree.RangeWindow:
        length = read_size(children[0], "RANGE", self._precision, self.diagnostics)
        slide = children[1] if len(children) > 1 else 1
        return tree.RangeWindow(length, slide, span=span_in(meta))

    def slide(self, meta: Meta, children: list[Any]) -> int:
        return read_size(children[0], "SLIDE", self._precision, self.diagnostics)

    def unbounded(self, meta: Meta, children: list[Any]) -> tree.RangeWindow:
        return tree.RangeWindow(None, 1, span=span_in(meta))

    def now(self, meta: Meta, children: list[Any]) -> tree.NowWindow:
        return tree.NowWindow(span=span_in(meta))

    def rows(self, meta: Meta, children: list[Any]) -> tree.RowsWindow:
        by = children[0] if isinstance(children[0], tuple) else ()
        count = read_size(children[-1], "ROWS", self._precision, self.diagnostics)
        return tree.RowsWindow(count, by, span=span_in(meta))

    def partition(self, meta: Meta, children: list[Any]) -> tuple[tree.Name, ...]:
        return tuple(map(name_of, children))

    def size(self, meta: Meta, children: list[Any]) -> WrittenDuration:
        tokens: dict[str, Token] = {token.type: token for token in children}
        number = self.read_number(tokens["NUMBER"])
        unit = tokens.get("NAME")
        return WrittenDuration(
            -number if "MINUS" in tokens else number,
            None if unit is None else str(unit),
            span_in(meta) if unit is None else span_of(unit),
            span_in(meta),
        )
