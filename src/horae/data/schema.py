"""The tables that a program reads: names and types of their columns. Data only."""

from __future__ import annotations

from dataclasses import dataclass

from horae.data.clock import TIME_POINTS, Clock
from horae.data.types import Type


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
