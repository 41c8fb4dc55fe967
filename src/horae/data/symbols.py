"""Constants as integers: one dictionary for the constants of program and data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import count, filterfalse
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from horae.data.columns import Array
from horae.data.constant_texts import read_constants, write_constants
from horae.data.constants import Value
from horae.data.cuts import Rows


class Symbols:
    """Codes count up from 0 and never change. 1 and the name "1" are different constants.

    The first ones may be given as `texts`, all different, which are read if somebody asks for a value.
    """

    def __init__(self, texts: Array | None = None) -> None:
        self._unread = texts
        self._values: list[Value] = []
        self._names: dict[Value, int] = {}
        self._numbers: dict[Value, int] = {}

    def __len__(self) -> int:
        return len(self._values if self._unread is None else self._unread)

    @property
    def values(self) -> list[Value]:
        self._read()
        return self._values

    def texts(self, codes: Rows) -> Array:
        """The texts of constants, as `fact_values.write_constant` makes them."""
        if self._unread is not None:
            chosen: Any = pa.array(codes)
            texts: Array = self._unread.take(chosen)
            return texts
        return write_constants([self._values[code] for code in codes.tolist()])

    def _read(self) -> None:
        if self._unread is not None:
            texts, self._unread = self._unread, None
            self.encode(read_constants(texts))

    def code(self, value: Value) -> int:
        self._read()
        known = self._names if isinstance(value, str) else self._numbers
        found = known.get(value)
        if found is None:
            found = known[value] = len(self._values)
            self._values.append(value)
        return found

    def encode(self, values: Sequence[Value]) -> npt.NDArray[np.int64]:
        self._read()
        kinds = {*map(type, values)}
        if str in kinds and len(kinds) > 1:
            return np.fromiter(map(self.code, values), np.int64, len(values))
        known = self._names if str in kinds else self._numbers
        first = len(self._values)
        fresh = [*filterfalse(known.__contains__, dict.fromkeys(values))]
        known.update(zip(fresh, count(first), strict=False))
        self._values += fresh
        if len(fresh) == len(values):
            return np.arange(first, len(self._values))
        return np.fromiter(map(known.__getitem__, values), np.int64, len(values))

    def keep(self, places: Sequence[int]) -> None:
        """Only these codes, in this order; they count up from 0 again."""
        kept = [self.values[place] for place in places]
        self._values, self._names, self._numbers = [], {}, {}
        self.encode(kept)

    # --- snapshots

    def to_texts(self) -> list[str]:
        """The constants in the order of their codes; text and numbers are marked."""
        return [f"'{v}" if isinstance(v, str) else f"#{v}" for v in self.values]

    @classmethod
    def from_texts(cls, texts: Sequence[str]) -> Symbols:
        symbols = cls()
        for text in texts:
            symbols.code(text[1:] if text[0] == "'" else _number(text[1:]))
        return symbols


def _number(text: str) -> Value:
    return Fraction(text) if "/" in text else int(text)
