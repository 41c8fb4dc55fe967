"""Typed columns of tables in which nothing can be wrong, told by a condition on their values.

Whoever stores a table can ask for such conditions in one aggregate, at a fraction of what reading every
row costs. They are sufficient, not necessary: where one does not hold, or a column has none, rows are
read (`validate`), which finds what is wrong, if anything is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import pyarrow as pa

from horae.data.clock import DECIMALS, LAST, Clock
from horae.data.columns import DataType
from horae.data.fact_tables import FactTable
from horae.data.layout import Layout
from horae.data.rows_of_inputs import InputLayout
from horae.data.types import Type
from horae.data.values import is_text


@dataclass(frozen=True, slots=True)
class Anything:
    """Any value, or none."""


@dataclass(frozen=True, slots=True)
class Given:
    """Some value everywhere."""


@dataclass(frozen=True, slots=True)
class Finite:
    """Doubles that are numbers, or none."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Multiples of `step` from `-most` to `most`, or from 0 on, everywhere."""

    step: int
    most: int
    is_natural: bool = False


@dataclass(frozen=True, slots=True)
class Moments:
    """Timestamps everywhere, whose microseconds are such counts."""

    micros: Counts


@dataclass(frozen=True, slots=True)
class NearDecimals:
    """Doubles everywhere, each as near as a double can be to a number with so many decimal places.

    That number has at most `DIGITS` units of its last place.
    """

    places: int


_LONG = 2**63 - 1
DIGITS = 2**53  # doubles hold all whole numbers up to here
_DAYS = 2 * 86_400 * 10**6  # in microseconds: time zones differ by less

Condition = Anything | Given | Finite | Counts | Moments | NearDecimals


@dataclass(frozen=True, slots=True)
class SoundTable:
    """A table in which nothing is wrong if these conditions hold; a column may have several."""

    time: str
    conditions: tuple[tuple[str, Condition], ...]

    @property
    def others(self) -> list[str]:
        """All columns but the time, which is never missing."""
        return [name for name in dict(self.conditions) if name != self.time]


def sound_events(found: pa.Schema, layout: Layout) -> SoundTable | None:
    """Of a table with columns of these types; None where some column has no condition."""
    types: dict[str, DataType] = dict(zip(found.names, found.types, strict=True))
    conditions: list[tuple[str, Condition | None]] = [
        (layout.time, _sound_times(types[layout.time], layout.clock))
    ]
    for name, type in layout.inputs:
        is_time = name == layout.time
        own = _sound_clock(types[name], type) if is_time else sound_values(types[name], type)
        conditions.append((name, own))
    if layout.order is not None:
        conditions.append((layout.order, _sound_order(types[layout.order])))
    return _sound_table(layout.time, conditions)


def sound_facts(found: pa.Schema, table: FactTable) -> SoundTable | None:
    """Of a table of facts, each at one time, whose numbers need not be reduced to whole ticks."""
    if table.time is None:
        return None
    types: dict[str, DataType] = dict(zip(found.names, found.types, strict=True))
    conditions = [(table.time, _sound_points(types[table.time], table.clock))]
    conditions += [(name, _sound_constants(types[name])) for name in table.arguments]
    if table.order is not None:
        conditions.append((table.order, _sound_order(types[table.order])))
    return _sound_table(table.time, conditions)


def sound_rows(found: pa.Schema, layout: InputLayout) -> SoundTable | None:
    """Of a table of a stream; relations must be read in any case."""
    if layout.time is None:
        return None
    types: dict[str, DataType] = dict(zip(found.names, found.types, strict=True))
    conditions = [(layout.time, _sound_times(types[layout.time], layout.item.clock))]
    for name, column in zip(layout.columns, layout.item.columns, strict=True):
        is_wide = column.type is Type.DOUBLE and pa.types.is_integer(types[name])
        own = Counts(1, DIGITS) if is_wide else sound_values(types[name], column.type)
        conditions += [(name, Given()), (name, own)]
    if layout.order is not None:
        conditions.append((layout.order, _sound_order(types[layout.order])))
    return _sound_table(layout.time, conditions)


def _sound_table(
    time: str, conditions: Sequence[tuple[str, Condition | None]]
) -> SoundTable | None:
    known = tuple((name, how) for name, how in conditions if how is not None)
    return SoundTable(time, known) if len(known) == len(conditions) else None


def sound_values(found: DataType, type: Type) -> Condition | None:
    """Of an input of this type."""
    match type:
        case Type.INT if pa.types.is_integer(found):
            return Anything()
        case Type.DOUBLE if pa.types.is_floating(found):
            return Finite()
        case Type.DOUBLE if pa.types.is_integer(found):
            return Anything()
        case Type.BOOL if pa.types.is_boolean(found):
            return Anything()
        case Type.STRING if is_text(found):
            return Anything()
        case _:
            return None


def _sound_clock(found: DataType, type: Type) -> Condition | None:
    """Of an input that is the time too: its doubles are finite already."""
    return Anything() if type is Type.DOUBLE and pa.types.is_float64(found) else None


def _sound_constants(found: DataType) -> Condition | None:
    """Of arguments of facts."""
    is_whole = pa.types.is_integer(found) and not pa.types.is_uint64(found)
    return Given() if is_whole or is_text(found) or pa.types.is_boolean(found) else None


def _sound_points(found: DataType, clock: Clock) -> Condition | None:
    """Of whole numbers that are the times they count; of moments, where they become whole ticks."""
    if pa.types.is_signed_integer(found):
        return Given() if clock.numbers_are_measures else None
    return None if clock.precision is None else _sound_moments(found, clock)


def _sound_order(found: DataType) -> Condition | None:
    return Anything() if is_text(found) or pa.types.is_signed_integer(found) else None


def _sound_times(found: DataType, clock: Clock) -> Condition | None:
    if clock.precision is None:
        return None
    if pa.types.is_signed_integer(found):
        return _counts(clock.numbers_per_second, clock)
    if pa.types.is_float64(found) and not clock.natural:
        places = DECIMALS[clock.precision] - DECIMALS[clock.number_unit]
        return NearDecimals(places) if places >= 0 else None
    return _sound_moments(found, clock)


def _sound_moments(found: DataType, clock: Clock) -> Condition | None:
    if pa.types.is_timestamp(found) and found.unit == "us":
        micros = _counts(10 ** DECIMALS["us"], clock)
        return Moments(replace(micros, most=micros.most - _DAYS))
    return None


def _counts(per_second: int, clock: Clock) -> Counts:
    """Of which so many are a second."""
    ticks = Fraction(clock.per_second, per_second)
    return Counts(ticks.denominator, min(int(LAST / ticks), _LONG), clock.natural)
