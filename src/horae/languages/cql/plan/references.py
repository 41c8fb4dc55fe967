"""Which columns a SELECT reads, also from inside its subqueries: scans and contexts keep no others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from horae.languages.cql.check.walk import columns_in
from horae.languages.cql.program import (
    And,
    Body,
    ColumnOf,
    Combined,
    Compare,
    Condition,
    Exists,
    Holds,
    In,
    IsNull,
    Nested,
    Not,
    Or,
    Select,
)


def free_columns(body: Body) -> Iterator[ColumnOf]:
    """Columns of the SELECTs around a query: those of depth 1 and more."""
    return (column for column in _of_rows(body.rows) if column.depth > 0)


def own_columns(select: Select) -> Iterator[ColumnOf]:
    """Columns of the FROM clause of the SELECT itself."""
    return (column for column in _of_select(select) if column.depth == 0)


def _of_rows(rows: Select | Combined) -> Iterator[ColumnOf]:
    match rows:
        case Select():
            yield from _of_select(rows)
        case Combined(left=left, right=right):
            yield from _of_rows(left)
            yield from _of_rows(right)
        case _:
            assert_never(rows)


def _of_select(select: Select) -> Iterator[ColumnOf]:
    for source in select.sources:
        if isinstance(source, Nested):
            yield from free_columns(source.query)
    for value in (*select.values, *select.group_by):
        yield from columns_in(value)
    for condition in (select.where, select.having):
        if condition is not None:
            yield from _of_condition(condition)


def _of_condition(condition: Condition) -> Iterator[ColumnOf]:
    match condition:
        case Compare(left=left, right=right):
            yield from columns_in(left)
            yield from columns_in(right)
        case Holds(value=value) | IsNull(value=value):
            yield from columns_in(value)
        case Not(operand=operand):
            yield from _of_condition(operand)
        case And(operands=operands) | Or(operands=operands):
            for operand in operands:
                yield from _of_condition(operand)
        case Exists(query=query):
            yield from _of_subquery(query)
        case In(values=values, query=query):
            for value in values:
                yield from columns_in(value)
            yield from _of_subquery(query)
        case _:
            assert_never(condition)


def _of_subquery(query: Body) -> Iterator[ColumnOf]:
    """The free columns of a subquery, as seen from the SELECT that it stands in."""
    for column in free_columns(query):
        yield ColumnOf(
            column.depth - 1,
            column.source,
            column.place,
            column.name,
            column.type,
            span=column.span,
        )
