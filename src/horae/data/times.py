"""The time column as int64 ticks, exactly: a time that would have to be rounded is refused.

Text and decimals are exact. A double is taken for the decimal number that it was written as: the
nearest one with the declared precision, if that is as near as a double can be (4 units in the
last place). So `0.1` is one tenth.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from horae.data import catalogue
from horae.data.columns import Array, Column, DataType
from horae.data.layout import DECIMALS, Layout, Place
from horae.data.time_text import seconds_of
from horae.data.values import decoded, describe, is_text

Ints = npt.NDArray[np.int64]

_UNIT_OF: dict[int, Any] = {decimals: unit for unit, decimals in DECIMALS.items()}
_EXACT = 2.0**53  # doubles hold all whole numbers up to here
_NEAR = 4
MOST_TICKS = 2**62
_LONGEST = 36  # characters; fewer than the digits of a decimal128


def to_ticks(column: Column, layout: Layout, place: Place) -> Ints:
    """Ticks of 1/`layout.resolution` s since time 0 (numbers) or the epoch (timestamps, dates)."""
    column = decoded(column)
    if column.null_count:
        index = int(np.argmax(column.is_null().to_numpy()))
        raise catalogue.no_time(place, index, layout.time)
    if len(column) == 0:
        return np.empty(0, np.int64)
    return _by_type(column, layout, place)


def _by_type(column: Column, layout: Layout, place: Place) -> Ints:
    found = column.type
    if not layout.counts_seconds and _counts(found):
        return _from_units(column, layout, place)
    if pa.types.is_integer(found):
        return _from_ints(column, layout, place)
    if pa.types.is_floating(found):
        return _from_doubles(column, layout, place)
    if pa.types.is_timestamp(found):
        return _from_timestamps(column, layout, place)
    if pa.types.is_date(found):
        return _from_timestamps(column.cast(pa.timestamp("s")), layout, place)
    if pa.types.is_decimal(found) or is_text(found):
        return _from_digits(column, layout, place)
    raise catalogue.wrong_time_column(place, layout.time, describe(found))


def _counts(found: DataType) -> bool:
    """Whether times of this type may be numbers."""
    is_number = pa.types.is_integer(found) or pa.types.is_floating(found)
    return is_number or pa.types.is_decimal(found) or is_text(found)


def _from_units(column: Column, layout: Layout, place: Place) -> Ints:
    """Whole numbers are as exact as timestamps of that unit; all else is read one by one."""
    if not pa.types.is_integer(column.type) or pa.types.is_uint64(column.type):
        return _one_by_one(column, layout, place)
    unit: Any = layout.unit
    return _from_timestamps(column.cast(pa.int64()).cast(pa.timestamp(unit)), layout, place)


def _from_ints(column: Column, layout: Layout, place: Place) -> Ints:
    if pa.types.is_uint64(column.type):
        return _one_by_one(column, layout, place)
    seconds = column.cast(pa.int64()).to_numpy()
    return _scaled(seconds, layout.resolution, column, layout, place)


def _from_doubles(column: Column, layout: Layout, place: Place) -> Ints:
    times = column.to_numpy()
    finite = np.isfinite(times)
    if not finite.all():
        index = int(np.argmin(finite))
        raise catalogue.not_finite(place, index, layout.time, float(times[index]))
    counts = np.rint(times.astype(np.float64) * 10.0**layout.decimals)
    _check_range(np.abs(times) <= float(_most(layout.resolution)), column, layout, place)
    _check_doubles(times, counts, layout, place)
    is_whole = np.rint(times) == times
    whole = np.where(is_whole, times, 0).astype(np.int64)
    parts = np.where(is_whole, 0, counts).astype(np.int64)
    ticks: Ints = whole * layout.resolution + parts
    return ticks


def _check_doubles(
    times: npt.NDArray[np.floating], counts: npt.NDArray[np.float64], layout: Layout, place: Place
) -> None:
    """Whole seconds are always exact. Other times must be near a decimal number, and near one only."""
    fraction = np.rint(times) != times
    distance = np.abs(counts / 10.0**layout.decimals - times)
    coarse = fraction & (np.abs(counts) > _EXACT)
    fine = fraction & ~coarse & (distance > _NEAR * np.spacing(np.abs(times)))
    for bad, error in ((fine, catalogue.too_fine), (coarse, catalogue.inexact_time)):
        if bad.any():
            index = int(np.argmax(bad))
            raise error(place, index, layout.time, float(times[index]), layout.decimals)


def _from_timestamps(column: Column, layout: Layout, place: Place) -> Ints:
    counts = column.cast(pa.int64()).to_numpy()
    unit = 10 ** DECIMALS[column.type.unit]
    precision = 10**layout.decimals
    if unit <= precision:
        return _scaled(counts, layout.resolution // unit, column, layout, place)
    whole, rest = np.divmod(counts, unit // precision)
    if rest.any():
        index = int(np.argmax(rest != 0))
        found = _show(column, index)
        raise catalogue.too_fine(place, index, layout.time, found, layout.decimals)
    return _scaled(whole, 1, column, layout, place)


def _from_digits(column: Column, layout: Layout, place: Place) -> Ints:
    """Numbers in digits, then ISO 8601 with and without zones; what Arrow refuses, one by one."""
    if is_text(column.type) and not _is_brief(column):
        return _one_by_one(column, layout, place)
    unit = _UNIT_OF[layout.decimals]
    for target in (
        pa.decimal128(38, layout.decimals),
        pa.timestamp(unit),
        pa.timestamp(unit, "UTC"),
    ):
        try:
            typed = column.cast(target)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            continue
        if pa.types.is_timestamp(target):
            return _from_timestamps(typed, layout, place)
        return _from_unscaled(typed, column, layout, place)
    return _one_by_one(column, layout, place)


def _is_brief(column: Column) -> bool:
    """Arrow wraps numbers of more digits than a decimal has, and drops what is finer, without a word."""
    longest = pc.max(pc.utf8_length(column)).as_py()
    has_exponent = pc.any(pc.match_substring(column, "e", ignore_case=True)).as_py()
    return longest <= _LONGEST and not has_exponent


def _from_unscaled(typed: Column, column: Column, layout: Layout, place: Place) -> Ints:
    """A decimal128 is an integer of two words, in units of its last digit."""
    words = np.concatenate([_words(chunk) for chunk in typed.chunks])
    low, high = words[:, 0], words[:, 1]
    _check_range(high == low >> 63, column, layout, place)
    return _scaled(low, 1, column, layout, place)


def _words(chunk: Array) -> Ints:
    buffer = chunk.buffers()[1]
    words: Ints = np.frombuffer(memoryview(buffer or b""), np.int64).reshape(-1, 2)
    return words[chunk.offset : chunk.offset + len(chunk)]


def _one_by_one(column: Column, layout: Layout, place: Place) -> Ints:
    """The slow way, which is right for every text and finds the row that is wrong."""
    ticks = np.empty(len(column), np.int64)
    for index, value in enumerate(column.to_pylist()):
        seconds = seconds_of(str(value), 10 ** DECIMALS[layout.unit or "s"])
        if seconds is None:
            raise catalogue.not_a_time(place, index, layout.time, value)
        if (seconds * 10**layout.decimals).denominator != 1:
            raise catalogue.too_fine(place, index, layout.time, str(value), layout.decimals)
        tick = int(seconds * layout.resolution)
        if abs(tick) > MOST_TICKS:
            raise catalogue.time_out_of_range(place, index, layout.time, str(value))
        ticks[index] = tick
    return ticks


def _scaled(counts: Ints, factor: int, column: Column, layout: Layout, place: Place) -> Ints:
    most = _most(factor)
    _check_range((counts <= most) & (counts >= -most), column, layout, place)
    return counts * np.int64(factor)


def _most(factor: int) -> int:
    """The greatest number whose product with the factor is a time."""
    return MOST_TICKS // factor


def _check_range(fits: npt.NDArray[np.bool_], column: Column, layout: Layout, place: Place) -> None:
    if not fits.all():
        index = int(np.argmin(fits))
        raise catalogue.time_out_of_range(place, index, layout.time, _show(column, index))


def _show(column: Column, index: int) -> object:
    """The value as a message shows it; nanoseconds have no Python object."""
    value = column[index]
    is_timestamp = pa.types.is_timestamp(column.type)
    return str(value.cast(pa.string())) if is_timestamp else value.as_py()
