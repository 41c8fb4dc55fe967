"""The tables of random CQL files: two streams and one or two relations with few different values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

LAST_TIME = 12
_VALUES = {
    "int": ("0", "1", "1", "2", "2", "3"),
    "double": ("0.5", "1", "0.1", "2.25"),
    "string": ("a", "b", "c"),
    "bool": ("true", "false"),
}


@dataclass(frozen=True)
class Column:
    name: str
    type: str


@dataclass(frozen=True)
class Table:
    """What a FROM clause can name. An earlier query may be read with a window or without."""

    name: str
    columns: tuple[Column, ...]
    is_stream: bool = False
    is_query: bool = False


def random_tables(rng: Random, *, core: bool) -> list[Table]:
    """In the core all values are ints and text: rules have neither doubles nor truth values."""
    third = "string" if core else rng.choice(("string", "double", "bool", "string"))
    tables = [
        Table("s", (Column("A", "int"), Column("B", "int")), is_stream=True),
        Table("t", (Column("A", "int"), Column("C", third)), is_stream=True),
        Table("r", (Column("A", "int"), Column("D", "int"))),
    ]
    if rng.random() < 0.5:
        fourth = "string" if core else rng.choice(("string", "double", "int"))
        tables.append(Table("w", (Column("C", fourth), Column("E", "int"))))
    return tables


def declaration(table: Table) -> str:
    kind = "STREAM" if table.is_stream else "RELATION"
    columns = ", ".join(f"{column.name} {column.type}" for column in table.columns)
    return f"REGISTER {kind} {table.name}({columns});"


def random_facts(rng: Random, tables: Sequence[Table], *, duplicates: bool) -> str:
    """From 10 to 30 lines in no order."""
    lines = [_fact(rng, table) for table in tables for _ in range(_number(rng, table))]
    lines += rng.sample(lines, rng.randint(1, 4))
    if not duplicates:
        lines = list(dict.fromkeys(lines))
    rng.shuffle(lines)
    return "".join(f"{line}\n" for line in lines)


def _number(rng: Random, table: Table) -> int:
    return rng.randint(5, 10) if table.is_stream else rng.randint(2, 5)


def _fact(rng: Random, table: Table) -> str:
    values = ",".join(rng.choice(_VALUES[column.type]) for column in table.columns)
    time = f"@{rng.randint(0, LAST_TIME)}" if table.is_stream else ""
    return f"{table.name}({values}){time}"
