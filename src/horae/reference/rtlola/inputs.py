"""An input column as the only life of its stream."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from horae.data.types import Type
from horae.languages.rtlola.program import Input, StreamValue
from horae.reference.rtlola.failures import FAILED_CAST
from horae.reference.rtlola.history import Entry, Life
from horae.reference.rtlola.positions import Position
from horae.source.errors import InputError


def read_input(stream: Input, positions: Sequence[Position]) -> Life:
    life = Life(0)
    for position in positions:
        value = _value(stream, position)
        if value is not None:
            life.entries.append(Entry(position.index, position.time, value))
    return life


def _value(stream: Input, position: Position) -> StreamValue | None:
    """The value of the column; the clock's is the time where the row does not name it."""
    if position.row is None:
        return None
    value = position.row.get(stream.name)
    if value is None and stream.is_clock:
        value = position.time
    if value is None:
        return None
    typed = _typed(value, stream.type)
    if typed is None:
        message = f"{value!r} is not a value of {stream.name}: {stream.type}"
        raise InputError(FAILED_CAST, message, row=position.number, time=str(position.time))
    return typed


def _typed(value: object, type: Type) -> StreamValue | None:
    """A number may be written in another form of the same value; None if it does not fit."""
    if type is Type.BOOL:
        return value if isinstance(value, bool) else None
    if type is Type.STRING:
        return value if isinstance(value, str) else None
    number = _number(value)
    if type is Type.DOUBLE or number is None:
        return None if number is None else float(number)
    return int(number) if number.denominator == 1 else None


def _number(value: object) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        return None
    return Fraction(value)
