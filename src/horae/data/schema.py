"""The tables that a program reads and gives: names and types of their columns. Data only."""

from __future__ import annotations

from dataclasses import dataclass

from horae.data.clock import TIME_POINTS, Clock
from horae.data.types import Type


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A table that a program or a stage of it reads or gives: its columns, besides those of time.

    The type of an argument that may be a number or text is `constant`.
    """

    name: str
    columns: tuple[tuple[str, str], ...]


def predicate_schema(name: str, arity: int) -> TableSchema:
    """The arguments of a predicate have places, not names."""
    return TableSchema(name, tuple((str(place + 1), "constant") for place in range(arity)))


@dataclass(frozen=True, slots=True)
class SchemaColumn:
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class RegisteredInput:
    """A registered stream or relation, and how the times of a stream are read."""

    name: str
    is_stream: bool
    columns: tuple[SchemaColumn, ...]
    clock: Clock = TIME_POINTS
