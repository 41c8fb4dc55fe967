"""In a grouped SELECT every value is one per group: grouped by, aggregated, or constant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from horae.languages.cql.check import catalogue_types as catalogue
from horae.languages.cql.check.scope import QueryContext
from horae.languages.cql.check.walk import columns_in
from horae.languages.cql.program import (
    Aggregate,
    And,
    Arithmetic,
    Body,
    ColumnOf,
    Combined,
    Compare,
    Condition,
    Exists,
    Expression,
    Holds,
    In,
    IsNull,
    Literal,
    Nested,
    Not,
    Or,
    Select,
)


def check_groups(
    context: QueryContext,
    groups: Sequence[Expression],
    values: Sequence[Expression],
    having: Condition | None,
) -> None:
    """Report the columns that have no single value in a group."""
    loose = [column for value in values for column in loose_columns(value, groups)]
    if having is not None:
        loose += _in_condition(having, groups)
    spans = [group.span for group in groups]
    for column in loose:
        context.report.append(catalogue.not_grouped(column.name, column.span, spans))


def loose_columns(value: Expression, groups: Sequence[Expression]) -> Iterator[ColumnOf]:
    if value in groups:
        return
    match value:
        case ColumnOf(depth=depth):
            if depth == 0:
                yield value
        case Arithmetic(left=left, right=right):
            yield from loose_columns(left, groups)
            yield from loose_columns(right, groups)
        case Aggregate() | Literal():
            pass
        case _:
            assert_never(value)


def _in_condition(condition: Condition, groups: Sequence[Expression]) -> Iterator[ColumnOf]:
    match condition:
        case Compare(left=left, right=right):
            yield from loose_columns(left, groups)
            yield from loose_columns(right, groups)
        case Holds(value=value) | IsNull(value=value):
            yield from loose_columns(value, groups)
        case Not(operand=operand):
            yield from _in_condition(operand, groups)
        case And(operands=operands) | Or(operands=operands):
            for operand in operands:
                yield from _in_condition(operand, groups)
        case Exists(query=query):
            yield from _from_inside(query, groups)
        case In(values=values, query=query):
            for value in values:
                yield from loose_columns(value, groups)
            yield from _from_inside(query, groups)
        case _:
            assert_never(condition)


# --- queries in HAVING see the columns of the group


def _from_inside(body: Body, groups: Sequence[Expression]) -> Iterator[ColumnOf]:
    for column in _reaching(body.rows, 1):
        if replace(column, depth=0) not in groups:
            yield column


def _reaching(rows: Select | Combined, depth: int) -> Iterator[ColumnOf]:
    """The columns that mean the FROM clause this many queries further out."""
    if isinstance(rows, Combined):
        yield from _reaching(rows.left, depth)
        yield from _reaching(rows.right, depth)
        return
    for source in rows.sources:
        if isinstance(source, Nested):
            yield from _reaching(source.query.rows, depth)
    for value in (*rows.values, *rows.group_by):
        yield from (column for column in columns_in(value) if column.depth == depth)
    for condition in (rows.where, rows.having):
        if condition is not None:
            yield from _reaching_in(condition, depth)


def _reaching_in(condition: Condition, depth: int) -> Iterator[ColumnOf]:
    match condition:
        case Compare(left=left, right=right):
            yield from (c for side in (left, right) for c in columns_in(side) if c.depth == depth)
        case Holds(value=value) | IsNull(value=value):
            yield from (column for column in columns_in(value) if column.depth == depth)
        case Not(operand=operand):
            yield from _reaching_in(operand, depth)
        case And(operands=operands) | Or(operands=operands):
            for operand in operands:
                yield from _reaching_in(operand, depth)
        case Exists(query=query):
            yield from _reaching(query.rows, depth + 1)
        case In(values=values, query=query):
            yield from (c for value in values for c in columns_in(value) if c.depth == depth)
            yield from _reaching(query.rows, depth + 1)
        case _:
            assert_never(condition)
