"""Columns of constants from the columns of a table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array
from horae.data.constants import Value
from horae.data.fact_values import constant, constant_of_text
from horae.data.predicate_facts import MISSING, Coded, Constants, Integers
from horae.data.typed_columns import Distinct, Given, plain_column


class WrongValue(NamedTuple):
    """The first row with a value that cannot be understood."""

    row: int
    value: object


def read_constants(given: Given, typed: bool) -> tuple[Constants, WrongValue | None]:
    """Text is what it says where values are `typed`; else it may be a number.

    Beside a wrong value, the constants are of no use.
    """
    column = plain_column(given)
    if isinstance(column, pa.Array) and _are_integers(column):
        return Integers(column.cast(pa.int64()).to_numpy()), None
    found = Distinct.of(column)
    values = [None if value is None else _constant(value, typed) for value in found.values]
    return _coded(found, values), first_wrong(found, [value is None for value in values])


def _are_integers(column: Array) -> bool:
    if not pa.types.is_integer(column.type) or column.null_count:
        return False
    return not pa.types.is_uint64(column.type) or _fits(column)


def _fits(column: Array) -> bool:
    largest = pc.max(column).as_py()
    return largest is None or largest < 2**63


def _constant(value: object, typed: bool) -> Value | None:
    return constant_of_text(value) if isinstance(value, str) and not typed else constant(value)


def _coded(found: Distinct, values: list[Value | None]) -> Coded:
    """The codes of values that there are count up from 0."""
    known = np.array([value is not None for value in values], bool)
    codes = np.where(known, np.cumsum(known) - 1, MISSING)
    return Coded(codes[found.places], [value for value in values if value is not None])


def first_wrong(found: Distinct, wrong: list[bool]) -> WrongValue | None:
    """The first row whose value is wrong, not counting those that have none."""
    places = [
        place for place, value in enumerate(found.values) if value is not None and wrong[place]
    ]
    rows = np.flatnonzero(_are_in(found.places, places))
    if len(rows) == 0:
        return None
    return WrongValue(int(rows[0]), found.values[found.places[rows[0]]])


def _are_in(column: npt.NDArray[np.int64], places: list[int]) -> npt.NDArray[np.bool_]:
    return np.isin(column, places) if places else np.zeros(len(column), bool)


def first_missing(column: Constants) -> int | None:
    """The first row without a constant."""
    match column:
        case Integers():
            return None
        case Coded(codes):
            missing = codes == MISSING
            return int(np.argmax(missing)) if missing.any() else None
