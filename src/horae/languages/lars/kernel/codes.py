"""Constants as integers that know numbers: times join with arguments, arithmetic needs no lookup.

A natural number up to `LAST` is its own code; every other constant has a negative code, from a
dictionary. -1 is no constant at all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from horae.data.columns import Array
from horae.data.constant_texts import json_texts
from horae.data.constants import Value
from horae.data.cuts import Rows
from horae.data.natural_times import LAST
from horae.data.symbols import Symbols

NOTHING = -1
_FIRST = -2  # the code of the first constant of the dictionary; the others go down from there


class Codes:
    """Codes never change."""

    def __init__(self, symbols: Symbols | None = None) -> None:
        self.symbols = Symbols() if symbols is None else symbols

    def code(self, value: Value) -> int:
        if isinstance(value, int) and 0 <= value <= LAST:
            return value
        return _FIRST - self.symbols.code(value)

    def value(self, code: int) -> Value:
        return code if code >= 0 else self.symbols.values[_FIRST - code]

    def encode(self, values: Sequence[Value]) -> Rows:
        return np.fromiter((self.code(v) for v in values), np.int64, len(values))

    def encode_numbers(self, numbers: Rows) -> Rows:
        """The codes of whole numbers."""
        own = (numbers >= 0) & (numbers <= LAST)
        if own.all():
            return numbers
        codes = numbers.copy()
        distinct, places = np.unique(numbers[~own], return_inverse=True)
        codes[~own] = self.encode(distinct.tolist())[places.reshape(-1)]
        return codes

    def json_texts(self, codes: Rows) -> Array:
        """The constants as JSON has them."""
        if are_time_points(codes).all():
            numbers: Array = pa.array(codes)
            return numbers.cast(pa.string())
        return json_texts(self.decode(codes))

    def decode(self, codes: Rows) -> list[Value]:
        return [self.value(code) for code in codes.tolist()]


def are_time_points(codes: Rows) -> npt.NDArray[np.bool_]:
    """Which codes are those of time points, and so the numbers themselves."""
    return np.asarray(codes >= 0)


def are_named(codes: Rows) -> npt.NDArray[np.bool_]:
    """Which codes are those of constants in the dictionary."""
    return np.asarray(codes <= _FIRST)


def dictionary_places(codes: Rows) -> Rows:
    """The places of constants in the dictionary, given their codes; and the other way round."""
    return _FIRST - codes
