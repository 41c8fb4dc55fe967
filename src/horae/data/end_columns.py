"""Columns of beginnings and ends from the columns of a table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.clock import Clock, Problem, WrongTimeError
from horae.data.columns import Array, Mask
from horae.data.constant_columns import WrongValue, first_wrong
from horae.data.numbers import parse_bool
from horae.data.predicate_facts import Ends, reduced_ends
from horae.data.times import note_times, read_times, shown_value
from horae.data.typed_columns import Distinct, Given, plain_column
from horae.data.values import is_text

_FIRST_SECOND, _LAST_SECOND = -62_135_596_800, 253_402_300_799  # of the years 1 and 9999


def read_ends(given: Given, clock: Clock) -> tuple[Ends, WrongValue | None]:
    """Infinite where a cell is empty. Beside a wrong value, the ends are those of the rows before it."""
    column = _without_empty(plain_column(given))
    try:
        _check_years(column)
        times = read_times(column, clock)
    except WrongTimeError as error:
        before, _ = read_ends(column[: error.index], clock)
        return before, WrongValue(error.index, shown_value(column, error.index))
    ends = reduced_ends(times.counts, times.per, times.nulls)
    note_times(column, times.counts // times.per, clock)
    return ends, None


def _check_years(column: Array | list[object]) -> None:
    """Dates have the years 1 to 9999; Arrow counts further."""
    if not isinstance(column, pa.Array) or not pa.types.is_timestamp(column.type):
        return
    moments: Any = column
    seconds = pc.fill_null(moments.cast(pa.timestamp("s"), safe=False).cast(pa.int64()), 0)
    wrong = (seconds.to_numpy() < _FIRST_SECOND) | (seconds.to_numpy() > _LAST_SECOND)
    if wrong.any():
        raise WrongTimeError(Problem.TOO_LARGE, int(np.argmax(wrong)), None)


def _without_empty(column: Array | Any) -> Array | list[object]:
    """An empty text is no time, as a cell without any value."""
    if not isinstance(column, pa.Array):
        return [None if isinstance(value, str) and value == "" else value for value in column]
    if not is_text(column.type):
        return column
    texts: Any = column
    empty = pc.equal(texts, pa.scalar("", column.type))
    return pc.if_else(empty, pa.scalar(None, column.type), texts)  # type: ignore[no-any-return]


def read_flags(given: Given) -> tuple[Mask, WrongValue | None]:
    """Whether an end is open; an empty cell says no."""
    found = Distinct.of(plain_column(given))
    flags = [_flag(value) for value in found.values]
    mask = np.array([bool(flag) for flag in flags], bool)[found.places]
    return mask, first_wrong(found, [flag is None for flag in flags])


def _flag(value: object) -> bool | None:
    if value is None or isinstance(value, bool):
        return bool(value)
    return parse_bool(str(value))
