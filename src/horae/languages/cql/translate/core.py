"""The fragment that has a translation to LARS, and what leaves it, construct by construct."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from horae.data.types import Type
from horae.languages.cql.program import (
    Aggregate,
    And,
    Arithmetic,
    ColumnOf,
    Combined,
    Compare,
    Condition,
    Exists,
    Expression,
    FromElement,
    Holds,
    In,
    IsNull,
    Literal,
    Nested,
    Not,
    Or,
    Query,
    Scan,
    Select,
)
from horae.languages.cql.syntax.tree import StreamOperator
from horae.languages.cql.translate import catalogue_translation as catalogue
from horae.source.diagnostic import Diagnostic


def outside_core(query: Query) -> Iterator[Diagnostic]:
    """Every construct of the query that the translation cannot express."""
    written = query.written
    if query.stream is not StreamOperator.RSTREAM:
        yield catalogue.stream_operator(query.stream, written.span)
    if query.body.order:
        items = written.body.order
        yield catalogue.ordering(items[0].span.to(items[-1].span))
    if query.body.limit is not None:
        yield catalogue.outside_limit(written.body.span)
    rows = query.body.rows
    if isinstance(rows, Combined):
        yield catalogue.set_operation(rows.operator, rows.span)
    else:
        yield from _in_select(rows)


def _in_select(select: Select) -> Iterator[Diagnostic]:
    for source in select.sources:
        yield from _in_source(source)
    if select.is_grouped:
        yield catalogue.grouping(select.span)
        return
    for value in select.values:
        yield from _in_value(value)
    if select.where is not None:
        yield from _in_condition(select.where)


def _in_source(source: FromElement) -> Iterator[Diagnostic]:
    match source:
        case Nested():
            yield catalogue.nested_query(source.span)
        case Scan(is_query=is_query, window=window):
            if is_query and window is not None:
                yield catalogue.window_on_query(source.name, window.span)
        case _:
            assert_never(source)


def _in_condition(condition: Condition) -> Iterator[Diagnostic]:
    match condition:
        case Compare(left=left, right=right):
            yield from _in_value(left)
            yield from _in_value(right)
        case And(operands=operands):
            for operand in operands:
                yield from _in_condition(operand)
        case Or() | Not() | Exists() | In() | IsNull() | Holds():
            yield catalogue.outside_condition(_described(condition), condition.span)
        case _:
            assert_never(condition)


def _described(condition: Or | Not | Exists | In | IsNull | Holds) -> str:
    match condition:
        case Or():
            return "OR or a list behind IN"
        case Not():
            return "NOT"
        case Exists() | In():
            return "a query in WHERE"
        case IsNull():
            return "IS NULL"
        case Holds():
            return "a truth value as a condition"
        case _:
            assert_never(condition)


def _in_value(value: Expression) -> Iterator[Diagnostic]:
    match value:
        case ColumnOf():
            pass
        case Literal(type=type_):
            if type_ is Type.BOOL:
                yield catalogue.truth_value(value.span)
        case Arithmetic(left=left, right=right):
            yield from _in_value(left)
            yield from _in_value(right)
        case Aggregate():
            yield catalogue.grouping(value.span)
        case _:
            assert_never(value)
