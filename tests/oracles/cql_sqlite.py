"""The relational part of CQL by SQLite: a second opinion on what SQL means.

A checked query is printed as SQL over tables `w0`, `w1`, …, one per scan, which hold the rows of the
windows. Nothing is left to how SQLite reads names, precedence or ties: every column is qualified, every
operand in parentheses, and rows are ordered to the end.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from itertools import count
from typing import assert_never

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
    FromElement,
    Holds,
    In,
    IsNull,
    Literal,
    Not,
    Or,
    Scan,
    Select,
)
from horae.languages.cql.syntax.tree import SetOperator
from horae.rules.arithmetic import Sign

Scopes = tuple[tuple[str, ...], ...]
"""The aliases of each FROM clause, from the innermost outwards."""


def rows_by_sqlite(
    body: Body, read: Callable[[Scan], Sequence[tuple[object, ...]]]
) -> list[tuple[object, ...]] | None:
    """In the order of the query, truth values as 0 and 1. None if the text is nested too deeply."""
    printer = _Printer()
    text = printer.body(body, ())
    connection = sqlite3.connect(":memory:")
    try:
        for name, scan in printer.scans.items():
            _fill(connection, name, len(scan.columns), read(scan))
        return connection.execute(text).fetchall()
    except sqlite3.OperationalError as error:
        if "parser stack overflow" in str(error):
            return None
        raise
    finally:
        connection.close()


def _fill(
    connection: sqlite3.Connection, name: str, width: int, rows: Sequence[tuple[object, ...]]
) -> None:
    connection.execute(f"CREATE TABLE {name} ({_columns(width)})")
    marks = ", ".join("?" * width)
    connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)


def _columns(width: int) -> str:
    return ", ".join(f"c{place}" for place in range(width))


class _Printer:
    def __init__(self) -> None:
        self.scans: dict[str, Scan] = {}
        self._numbers = count()

    # --- queries

    def body(self, body: Body, around: Scopes) -> str:
        """Ties are decided by all outputs; hidden values are dropped at the end.

        SQLite reads nothing that is nested deeply, so only what needs a query of its own gets one.
        """
        width = len(body.outputs)
        text = self._rows(body.rows, around)
        if body.limit is not None or not around:
            text += self._order(body, width)
        has_hidden = isinstance(body.rows, Select) and len(body.rows.values) > width
        return f"SELECT {_columns(width)} FROM ({text})" if has_hidden else text

    def _order(self, body: Body, width: int) -> str:
        keys = [
            f"{order.place + 1} {'DESC' if order.descending else 'ASC'}" for order in body.order
        ]
        keys += [str(place + 1) for place in range(width)]
        limit = "" if body.limit is None else f" LIMIT {body.limit}"
        return f" ORDER BY {', '.join(keys)}{limit}"

    def _rows(self, rows: Select | Combined, around: Scopes) -> str:
        match rows:
            case Select():
                return self._select(rows, around)
            case Combined():
                return self._combined(rows, around)
            case _:
                assert_never(rows)

    def _combined(self, combined: Combined, around: Scopes) -> str:
        """SQLite has no EXCEPT ALL and INTERSECT ALL: equal rows are numbered instead."""
        left, right = (self._rows(side, around) for side in (combined.left, combined.right))
        columns = _columns(len(combined.outputs))
        if combined.operator is SetOperator.UNION:
            word = "UNION ALL" if combined.all else "UNION"
            right = right if isinstance(combined.right, Select) else f"SELECT * FROM ({right})"
            return f"{left} {word} {right}"
        number = f"row_number() OVER (PARTITION BY {columns})" if combined.all else "0"
        left, right = (f"SELECT *, {number} AS n FROM ({side})" for side in (left, right))
        return f"SELECT {columns} FROM ({left} {combined.operator.value} {right})"

    def _select(self, select: Select, around: Scopes) -> str:
        """SQLite knows that there is one group only by an aggregate among the outputs."""
        aliases = tuple(f"x{next(self._numbers)}" for _ in select.sources)
        scopes = (aliases, *around)
        sources = [
            f"{self._source(element, around)} AS {alias}"
            for element, alias in zip(select.sources, aliases, strict=True)
        ]
        values = [
            f"{self._value(value, scopes)} AS c{place}" for place, value in enumerate(select.values)
        ]
        distinct = "DISTINCT " if select.distinct else ""
        is_one_group = select.is_grouped and not select.group_by
        values += ["COUNT(*)"] if is_one_group else []
        text = f"SELECT {distinct}{', '.join(values)} FROM {', '.join(sources)}"
        text += self._conditions(select, scopes)
        return f"SELECT {_columns(len(select.values))} FROM ({text})" if is_one_group else text

    def _conditions(self, select: Select, scopes: Scopes) -> str:
        text = "" if select.where is None else f" WHERE {self._truth(select.where, scopes)}"
        if select.group_by:
            keys = (f"+{self._value(value, scopes)}" for value in select.group_by)
            text += f" GROUP BY {', '.join(keys)}"
        if select.having is not None:
            text += f" HAVING {self._truth(select.having, scopes)}"
        return text

    def _source(self, element: FromElement, around: Scopes) -> str:
        if not isinstance(element, Scan):
            return f"({self.body(element.query, around)})"
        name = f"w{len(self.scans)}"
        self.scans[name] = element
        return name

    # --- values and conditions

    def _value(self, value: Expression, scopes: Scopes) -> str:
        match value:
            case ColumnOf(depth=depth, source=source, place=place):
                return f"{scopes[depth][source]}.c{place}"
            case Literal(value=constant):
                return _literal(constant)
            case Arithmetic(sign=sign, left=left, right=right):
                first, second = self._value(left, scopes), self._value(right, scopes)
                first = f"CAST({first} AS REAL)" if sign is Sign.DIVIDED else first
                return f"({first} {sign.value} {second})"
            case Aggregate(function=function, argument=argument, distinct=distinct):
                inner = "*" if argument is None else self._value(argument, scopes)
                return f"{function.value}({'DISTINCT ' if distinct else ''}{inner})"
            case _:
                assert_never(value)

    def _truth(self, condition: Condition, scopes: Scopes) -> str:
        match condition:
            case Compare(comparator=comparator, left=left, right=right):
                return f"({self._value(left, scopes)} {comparator} {self._value(right, scopes)})"
            case Holds(value=value):
                return self._value(value, scopes)
            case IsNull(value=value):
                return f"({self._value(value, scopes)} IS NULL)"
            case Not(operand=operand):
                return f"(NOT {self._truth(operand, scopes)})"
            case And(operands=operands):
                return f"({' AND '.join(self._truth(operand, scopes) for operand in operands)})"
            case Or(operands=operands):
                return f"({' OR '.join(self._truth(operand, scopes) for operand in operands)})"
            case Exists(query=query):
                return f"EXISTS ({self.body(query, scopes)})"
            case In(values=values, query=query):
                left_side = ", ".join(self._value(value, scopes) for value in values)
                return f"(({left_side}) IN ({self.body(query, scopes)}))"
            case _:
                assert_never(condition)


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return (
        repr(value)
        if isinstance(value, int | float)
        else "'{}'".format(str(value).replace("'", "''"))
    )
