"""Columns of times, exactly: as quotients, or as ticks of a clock.

Numbers and timestamps are read by arithmetic on columns, texts by Arrow's own parsers. What these refuse
is read value by value, each distinct one once; that finds the row that is wrong.

Text and decimals are exact. A double is taken for the decimal number that it was written as: where the
clock has a precision, the nearest one of that precision, if it is as near as a double can be (4 units in
the last place). So `0.1` is one tenth. Without a precision it is the shortest that names this double.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from math import lcm
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.clock import DECIMALS, LAST, Clock, Problem, WrongTimeError, is_count, written_time
from horae.data.columns import Array, Column, Ints
from horae.data.numbers import is_number
from horae.data.plain_times import plain_ticks
from horae.data.roll import YEAR_3000, note_date, note_time
from horae.data.values import decoded, describe_type, is_text

Values = Sequence[object] | Array | Column
"""A column, or Python's values."""

_EXACT = 2.0**53  # doubles hold all whole numbers up to here
_SAFE = 1e15  # of two decimals with at most 15 digits, no double is the nearest to both
_NEAR = 4
_FITS = 2**63 - 1
_TOO_LARGE = 2.0**63
_LONGEST = 36  # characters; fewer than the digits of a decimal128
_PLACES = (0, 3, 6, 9)
_TRIED = 100


@dataclass(frozen=True, slots=True)
class Times:
    """Exact times, `counts / per`, in the measure of the clock that read them: seconds or ticks.

    Counts are Python's own numbers (dtype object) where 64 bits are too few. Where there is no time,
    `nulls` is true and the count is 0; it is None if there is a time everywhere.
    """

    counts: npt.NDArray[Any]
    per: int = 1
    nulls: npt.NDArray[np.bool_] | None = None


def read_times(values: Values, clock: Clock) -> Times:
    """Raises `WrongTimeError` for the first value that is no time; nulls are left out.

    Times may lie between two ticks of the clock.
    """
    try:
        return _read(values, clock)
    except WrongTimeError as error:
        if error.problem is not Problem.TOO_FINE:
            raise
    times = _read(values, clock.without_precision)
    return Times(_scaled(times.counts, clock.per_second), times.per, times.nulls)


def _read(values: Values, clock: Clock) -> Times:
    """Refuses doubles that lie between two ticks."""
    column = _column(values)
    if not column.null_count:
        return _by_type(column, clock)
    nulls = column.is_null().to_numpy()
    rows = np.flatnonzero(~nulls)
    try:
        times = _by_type(column.drop_null(), clock)
    except WrongTimeError as error:
        raise WrongTimeError(error.problem, int(rows[error.index]), error.value) from None
    counts = np.zeros(len(column), times.counts.dtype)
    counts[rows] = times.counts
    return Times(counts, times.per, nulls)


def to_ticks(values: Values, clock: Clock) -> Ints:
    """The same as whole ticks; refuses what is missing, lies between two ticks or is out of range."""
    times = _of_plain_text(values, clock) or _read(values, clock)
    if times.nulls is not None:
        raise WrongTimeError(Problem.MISSING, int(np.argmax(times.nulls)), None)
    ticks = times.counts
    if times.per != 1:
        _check(ticks % times.per == 0, Problem.TOO_FINE, values)
        ticks = ticks // times.per
    if clock.natural:
        _check(ticks >= 0, Problem.BEFORE_ZERO, values)
    _check((ticks <= LAST) & (ticks >= -LAST), Problem.TOO_LARGE, values)
    return ticks.astype(np.int64, copy=False)


def note_times(values: Values, ticks: Ints, clock: Clock) -> None:
    """Dates, and the largest number for which `note_time` is true."""
    if isinstance(values, pa.Array | pa.ChunkedArray) and pa.types.is_temporal(values.type):
        note_date()
        return
    if len(ticks) and not is_count(shown_value(values, 0)):
        note_date()
    if clock.unit is not None or not ticks.max(initial=0) > YEAR_3000 * clock.per_second:
        return
    large = np.flatnonzero(ticks > YEAR_3000 * clock.per_second)
    for index in large[np.argsort(-ticks[large], kind="stable")].tolist():
        if note_time(shown_value(values, index), Fraction(int(ticks[index])), clock):
            return


def _check(fits: npt.NDArray[Any], problem: Problem, values: Values) -> None:
    if not np.all(fits):
        index = int(np.argmin(fits.astype(bool)))
        raise WrongTimeError(problem, index, shown_value(values, index))


def shown_value(values: Values, index: int) -> object:
    """A value as a message shows it; nanoseconds have no Python object."""
    if not isinstance(values, pa.Array | pa.ChunkedArray):
        return values[index]
    value: Any = values[index]
    is_plain = not pa.types.is_timestamp(value.type) and not pa.types.is_decimal(value.type)
    return value.as_py() if is_plain else str(value.cast(pa.string()))


# --- columns


def _column(values: Values) -> Column:
    if isinstance(values, pa.ChunkedArray):
        return decoded(values)
    array = values if isinstance(values, pa.Array) else column_of(values)
    return decoded(pa.chunked_array([array]))


def column_of(values: Sequence[object]) -> Array:
    """Python's values as a column of the same times: numbers, timestamps, or text if they are mixed."""
    kinds = set(map(type, values)) - {type(None)}
    try:
        if kinds in ({int}, {float}) or (kinds == {datetime} and not any(map(_zone, values))):
            return cast(Array, pa.array(list[Any](values)))
        if kinds == {int, float} and max(abs(v) for v in values if isinstance(v, int)) <= _EXACT:
            return pa.array([None if v is None else float(v) for v in values], pa.float64())  # type: ignore[arg-type]
    except (pa.ArrowException, OverflowError):
        pass  # a whole number of more than 64 bits
    return pa.array([_text(value, index) for index, value in enumerate(values)], pa.string())


def _zone(value: object) -> object:
    return value.tzinfo if isinstance(value, datetime) else None


def _text(value: object, index: int) -> str | None:
    text = written_time(value)
    if text is None and value is not None:
        raise WrongTimeError(Problem.NO_TIME, index, value)
    return text


def _by_type(column: Column, clock: Clock) -> Times:
    kind = column.type
    if len(column) == 0:
        return Times(np.empty(0, np.int64))
    if pa.types.is_integer(kind) and not pa.types.is_uint64(kind):
        return _measured(column.cast(pa.int64()).to_numpy(), clock.numbers_per_second, clock)
    if pa.types.is_floating(kind):
        return _of_doubles(column, clock)
    if pa.types.is_timestamp(kind):
        return _of_timestamps(column, clock)
    if pa.types.is_date(kind):
        return _of_timestamps(column.cast(pa.timestamp("s")), clock)
    if pa.types.is_decimal(kind) or is_text(kind):
        return _of_digits(column, clock)
    if pa.types.is_uint64(kind):
        return _by_distinct(column, clock)
    raise WrongTimeError(Problem.WRONG_TYPE, 0, describe_type(kind))


def _measured(counts: npt.NDArray[Any], per_second: int, clock: Clock) -> Times:
    """Counts of which so many are a second, in the clock's own measure."""
    factor = Fraction(clock.per_second, per_second)
    return Times(_scaled(counts, factor.numerator), factor.denominator)


def _scaled(counts: npt.NDArray[Any], factor: int) -> npt.NDArray[Any]:
    most = _FITS // factor
    if counts.dtype != object and np.any((counts > most) | (counts < -most)):
        counts = counts.astype(object)
    return counts if factor == 1 else counts * factor


def _of_timestamps(column: Column, clock: Clock) -> Times:
    counts = column.cast(pa.int64()).to_numpy()
    return _measured(counts, 10 ** DECIMALS[column.type.unit], clock)


# --- doubles


def _of_doubles(column: Column, clock: Clock) -> Times:
    times = column.to_numpy()
    _check(np.isfinite(times), Problem.NOT_FINITE, column)
    is_whole = np.rint(times) == times
    if np.any(np.abs(times) >= (_EXACT if clock.precision is None else _TOO_LARGE)):
        return _by_distinct(column, clock)
    if np.all(is_whole):
        return _measured(times.astype(np.int64), clock.numbers_per_second, clock)
    places = 9 if clock.precision is None else _places(clock)
    parts = np.where(is_whole, 0, np.rint(times.astype(np.float64) * 10.0**places))
    if clock.precision is not None:
        _check_doubles(times, parts, is_whole, places, column)
    elif not _are_shortest(times, parts, is_whole, places):
        return _by_distinct(column, clock)
    whole = _scaled(np.where(is_whole, times, 0).astype(np.int64), 10**places)
    return _measured(whole + parts.astype(np.int64), clock.numbers_per_second * 10**places, clock)


def _places(clock: Clock) -> int:
    """The decimal places of a number that is as fine as the clock."""
    return max(0, DECIMALS[clock.precision or "s"] - DECIMALS[clock.number_unit])


def _check_doubles(
    times: npt.NDArray[Any],
    parts: npt.NDArray[Any],
    is_whole: npt.NDArray[np.bool_],
    places: int,
    column: Column,
) -> None:
    """Whole numbers are always exact. Others must be near a decimal number, and near one only."""
    is_coarse = ~is_whole & (np.abs(parts) > _EXACT)
    distance = np.abs(parts / 10.0**places - times)
    is_fine = ~is_whole & ~is_coarse & (distance > _NEAR * np.spacing(np.abs(times)))
    _check(~is_fine, Problem.TOO_FINE, column)
    _check(~is_coarse, Problem.INEXACT, column)


def _are_shortest(
    times: npt.NDArray[Any], parts: npt.NDArray[Any], is_whole: npt.NDArray[np.bool_], places: int
) -> bool:
    """Whether each double is the nearest to a decimal number with few digits, which is then its name."""
    if times.dtype != np.float64:
        return False
    near = (np.abs(parts) < _SAFE) & (parts / 10.0**places == times)
    return bool(np.all(near | is_whole))


# --- digits


def _of_digits(column: Column, clock: Clock) -> Times:
    """Numbers in digits, then ISO 8601 with and without zones; what Arrow refuses, value by value."""
    if is_text(column.type) and not _is_brief(column):
        return _by_distinct(column, clock)
    if not is_text(column.type) or _begins_with_number(column):
        return _of_numbers(column, clock)
    for unit in ("s", "us", "ns"):
        for zone in (None, "UTC"):
            typed = _cast(column, pa.timestamp(unit, zone))
            if typed is not None:
                return _of_timestamps(typed, clock)
    return _by_distinct(column, clock)


def _of_plain_text(values: Values, clock: Clock) -> Times | None:
    """Numbers that can be counted in the smallest unit that the clock has, where most of them are so."""
    places = _places(clock)
    if clock.numbers_per_second * 10**places != clock.per_second:
        return None
    ticks = plain_ticks(values, places) if isinstance(values, pa.ChunkedArray) else None
    return None if ticks is None else Times(ticks)


def _of_numbers(column: Column, clock: Clock) -> Times:
    for places in _PLACES:
        typed = _cast(column, pa.decimal128(38, places))
        if typed is None:
            continue
        words = np.concatenate([_words(chunk) for chunk in typed.chunks])
        low, high = words[:, 0], words[:, 1]
        if np.all(high == low >> 63):
            return _measured(low, clock.numbers_per_second * 10**places, clock)
    return _by_distinct(column, clock)


def _cast(column: Column, target: Any) -> Column | None:
    """None where Arrow refuses a value; it takes its time for that, so a few values are tried first."""
    try:
        column.slice(0, _TRIED).cast(target)
        return column.cast(target)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None


def _words(chunk: Array) -> Ints:
    """A decimal128 is an integer of two words, in units of its last digit."""
    buffer = chunk.buffers()[1]
    words: Ints = np.frombuffer(memoryview(buffer or b""), np.int64).reshape(-1, 2)
    return words[chunk.offset : chunk.offset + len(chunk)]


def _is_brief(column: Column) -> bool:
    """Arrow wraps numbers of more digits than a decimal has, and drops what is finer, without a word."""
    longest = pc.max(pc.utf8_length(column)).as_py()
    return longest <= _LONGEST and not any(
        pc.any(pc.match_substring(column, letter)).as_py() for letter in "eE"
    )


def _begins_with_number(column: Column) -> bool:
    return is_number(str(column[0]))


# --- value by value


def _by_distinct(column: Column, clock: Clock) -> Times:
    """Each distinct value of a column is read once."""
    if pa.types.is_floating(column.type):
        distinct, places = np.unique(column.to_numpy(), return_inverse=True)
        return _quotients([clock.exact(str(value)) for value in distinct], places, column)
    encoded: Any = column.combine_chunks().dictionary_encode()
    distinct = encoded.dictionary.to_pylist()
    return _quotients(list(map(clock.exact, distinct)), encoded.indices.to_numpy(), column)


def _quotients(distinct: list[Fraction | None], places: npt.NDArray[Any], values: Values) -> Times:
    """Times of distinct values with one denominator, each at its places."""
    known = [time for time in distinct if time is not None]
    if len(known) < len(distinct):
        index = int(np.argmax(places == distinct.index(None)))
        raise WrongTimeError(Problem.NO_TIME, index, shown_value(values, index))
    per = lcm(*(time.denominator for time in known))
    counts = [time.numerator * (per // time.denominator) for time in known]
    fits = all(-_FITS <= number <= _FITS for number in [per, *counts])
    return Times(np.array(counts, np.int64 if fits else object)[places], per)
