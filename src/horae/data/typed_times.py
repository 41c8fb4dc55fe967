"""Times of answers, in the type that the times of the input have.

Timestamps come out as timestamps, whole numbers as whole numbers, others as doubles or decimals. A time
that its type cannot hold exactly becomes the nearest that it can, the even one of two; whole numbers are
only chosen where the program makes no others of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal, localcontext
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data import catalogue
from horae.data.clock import Clock
from horae.data.columns import Array, DataType, Ints
from horae.data.numbers import show_exact

_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_EXACT = 2**53
_SAFE = 2**62


# --- which type


def time_type(found: Iterable[DataType | None], default: DataType, *, whole: bool) -> DataType:
    """That of times that answers have, given those of the input; None is a column without a type.

    `whole`: of whole numbers the program makes whole numbers.
    """
    given = [*found]
    known = [type for type in given if type is not None and _is_time(type)]
    if known and all(map(_is_moment, known)):
        return _moments(known)
    if not known or any(map(_is_moment, known)):
        return default
    if all(map(pa.types.is_integer, known)) and (None not in given or default == pa.int64()):
        return pa.int64() if whole else pa.float64()
    is_one = len(set(known)) == 1 and None not in given
    return known[0] if is_one and pa.types.is_decimal(known[0]) else pa.float64()


def point_type(found: Iterable[DataType | None], clock: Clock) -> DataType:
    """That of time points: whole numbers, unless the input counts in units that are coarser."""
    whole = clock.numbers_per_second % clock.per_second == 0
    return time_type(found, pa.int64() if whole else pa.float64(), whole=whole)


def _is_time(type: DataType) -> bool:
    is_number = pa.types.is_integer(type) or pa.types.is_floating(type) or pa.types.is_decimal(type)
    return is_number or _is_moment(type)


def _is_moment(type: DataType) -> bool:
    return pa.types.is_timestamp(type) or pa.types.is_date(type)


def _moments(types: list[DataType]) -> DataType:
    """As fine as the finest of them; a date has no hours, so it becomes a timestamp."""
    stamps = [type for type in types if pa.types.is_timestamp(type)]
    unit = max((type.unit for type in stamps), key=_PER_SECOND.__getitem__, default="us")
    zones = [type.tz for type in stamps if type.tz is not None]
    return pa.timestamp(unit if unit == "ns" else "us", zones[0] if zones else None)


# --- the times themselves


def times_of_ticks(ticks: Any, per_second: int, type: DataType, unit: int = 1) -> Array:
    """A column of times; null stays null. Numbers count `unit` to the second."""
    whole = ticks.combine_chunks() if isinstance(ticks, pa.ChunkedArray) else ticks
    if pa.types.is_timestamp(type):
        counted = _whole_numbers(whole, _PER_SECOND[type.unit], per_second)
        found: Array = counted.cast(pa.timestamp(type.unit)).cast(type)
        return found
    if pa.types.is_integer(type):
        return _whole_numbers(whole, unit, per_second)
    if pa.types.is_decimal(type):
        return _of_distinct(whole, lambda n: _decimal(Fraction(n * unit, per_second), type), type)
    return _doubles(whole, unit, per_second)


def _whole_numbers(ticks: Array, above: int, below: int) -> Array:
    """The whole numbers nearest to `ticks * above / below`."""
    above, below = above // gcd(above, below), below // gcd(above, below)
    small = _small(ticks, _SAFE // above)
    if small is None:
        return _of_distinct(ticks, lambda n: _whole(round(Fraction(n * above, below))), pa.int64())
    return pa.array(_nearest(small * above, below), mask=_nulls(ticks))


def _nearest(numbers: Ints, divisor: int) -> Ints:
    if divisor == 1:
        return numbers
    if divisor >= _SAFE:
        return np.array([round(Fraction(n, divisor)) for n in numbers.tolist()], np.int64)
    quotients, rests = np.divmod(numbers, np.int64(divisor))
    twice = 2 * rests
    up = (twice > divisor) | ((twice == divisor) & (quotients % 2 == 1))
    found: Ints = quotients + up
    return found


def _whole(number: int) -> int:
    if abs(number) >= 2**63:
        raise catalogue.TIME_TOO_LARGE(found=show_exact(number))
    return number


def _doubles(ticks: Array, above: int, below: int) -> Array:
    above, below = above // gcd(above, below), below // gcd(above, below)
    small = _small(ticks, _EXACT // above) if below <= _EXACT and above <= _EXACT else None
    if small is None:
        return _of_distinct(ticks, lambda n: _double(Fraction(n * above, below)), pa.float64())
    return pa.array(small * above / below, mask=_nulls(ticks))


def _double(time: Fraction) -> float:
    try:
        return float(time)
    except OverflowError:
        raise catalogue.TIME_TOO_LARGE(found=show_exact(time)) from None


def _decimal(time: Fraction, type: DataType) -> Decimal:
    """Rounded once: a quotient of decimals would be rounded before it has its places."""
    counted = round(time * Fraction(10) ** type.scale)
    if abs(counted) >= 10**type.precision:
        raise catalogue.TIME_TOO_LARGE(found=show_exact(time))
    with localcontext() as context:
        context.prec = type.precision
        return Decimal(counted).scaleb(-type.scale)


def _small(ticks: Array, most: int) -> Ints | None:
    """As numbers of 64 bits, 0 for null, if none is larger than `most`."""
    if ticks.type != pa.int64():
        return None
    filled: Any = ticks.fill_null(0) if ticks.null_count else ticks
    numbers: Ints = filled.to_numpy()
    if len(numbers) and (int(numbers.max()) > most or int(numbers.min()) < -most):
        return None
    return numbers


def _nulls(ticks: Array) -> Any:
    return pc.is_null(ticks).to_numpy(zero_copy_only=False) if ticks.null_count else None


def _of_distinct(ticks: Array, make: Callable[[int], object], type: DataType) -> Array:
    """One by one, each distinct one once; ticks may be decimals or text, at any size."""
    encoded: Any = ticks.dictionary_encode()
    known = [make(int(tick)) for tick in encoded.dictionary.to_pylist()]
    found: Array = pa.array(known, type).take(encoded.indices)
    return found
