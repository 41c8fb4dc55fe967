"""The tables of random CQL files: two streams and one or two relations with few different values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

LAST_TIME = 12
_VALUES = {
    "int": ("0", "1", "1", "2", "2", "3"),
    "double": ("0.5", "1", "0.1", "2.25"),
    "string": ("a", "b", "c"),
    "bool": ("true", "false"),
}


_LARGE = {
    "int": ("0", "1", "-1", "9223372036854775807", "-9223372036854775808", "9007199254740993"),
    "double": ("0.5", "-0.0", "1e308", "-1e308", "1e-308", "9007199254740993", "0.1"),
    "string": ("a", "b", '"ä, "', '"9"'),
    "bool": ("true", "false"),
}
_STARTS = (0, 10**9, 2**40, 1_700_000_000_000, 1_700_000_000_000_000, 2**62 - LAST_TIME - 2)


@dataclass(frozen=True)
class Scale:
    """What facts are made of: from which time on, of which values, and how many times more of them."""

    start: int = 0
    values: Mapping[str, Sequence[str]] = field(default_factory=lambda: _VALUES)
    times: int = 1


SMALL = Scale()


def random_scale(rng: Random) -> Scale:
    """Large times, large numbers, many rows."""
    return Scale(rng.choice(_STARTS), rng.choice((_VALUES, _LARGE)), rng.choice((1, 1, 4)))


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


def random_facts(
    rng: Random, tables: Sequence[Table], *, duplicates: bool, scale: Scale = SMALL
) -> str:
    """From 10 to 30 lines in no order, or so many times more."""
    numbers = {table.name: _number(rng, table) * scale.times for table in tables}
    lines = [_fact(rng, table, scale) for table in tables for _ in range(numbers[table.name])]
    lines += rng.sample(lines, rng.randint(1, 4))
    if not duplicates:
        lines = list(dict.fromkeys(lines))
    rng.shuffle(lines)
    return "".join(f"{line}\n" for line in lines)


def _number(rng: Random, table: Table) -> int:
    return rng.randint(5, 10) if table.is_stream else rng.randint(2, 5)


def _fact(rng: Random, table: Table, scale: Scale) -> str:
    values = ",".join(rng.choice(scale.values[column.type]) for column in table.columns)
    time = f"@{scale.start + rng.randint(0, LAST_TIME)}" if table.is_stream else ""
    return f"{table.name}({values}){time}"
