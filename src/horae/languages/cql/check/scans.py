"""What a query reads, in the order of the text, with the queries inside of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from horae.languages.cql.program import (
    And,
    Body,
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
    Scan,
    Select,
)


def scans_of(body: Body) -> Iterator[Scan]:
    yield from _in_rows(body.rows)


def _in_rows(rows: Select | Combined) -> Iterator[Scan]:
    if isinstance(rows, Combined):
        yield from _in_rows(rows.left)
        yield from _in_rows(rows.right)
        return
    for source in rows.sources:
        if isinstance(source, Nested):
            yield from scans_of(source.query)
        else:
            yield source
    for condition in (rows.where, rows.having):
        if condition is not None:
            yield from _in_condition(condition)


def _in_condition(condition: Condition) -> Iterator[Scan]:
    match condition:
        case Compare() | Holds() | IsNull():
            pass
        case Not(operand=operand):
            yield from _in_condition(operand)
        case And(operands=operands) | Or(operands=operands):
            for operand in operands:
                yield from _in_condition(operand)
        case Exists(query=query) | In(query=query):
            yield from scans_of(query)
        case _:
            assert_never(condition)
