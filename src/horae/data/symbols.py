"""Constants as integers: one dictionary for the constants of program and data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import count, filterfalse

import numpy as np
import numpy.typing as npt

from horae.data.constants import Value


class Symbols:
    """Codes count up from 0 and never change. 1 and the name "1" are different constants."""

    def __init__(self) -> None:
        self.values: list[Value] = []
        self._names: dict[Value, int] = {}
        self._numbers: dict[Value, int] = {}

    def __len__(self) -> int:
        return len(self.values)

    def code(self, value: Value) -> int:
        known = self._names if isinstance(value, str) else self._numbers
        found = known.get(value)
        if found is None:
            found = known[value] = len(self.values)
            self.values.append(value)
        return found

    def encode(self, values: Sequence[Value]) -> npt.NDArray[np.int64]:
        kinds = {*map(type, values)}
        if str in kinds and len(kinds) > 1:
            return np.fromiter(map(self.code, values), np.int64, len(values))
        known = self._names if str in kinds else self._numbers
        first = len(self.values)
        fresh = [*filterfalse(known.__contains__, dict.fromkeys(values))]
        known.update(zip(fresh, count(first), strict=False))
        self.values += fresh
        if len(fresh) == len(values):
            return np.arange(first, len(self.values))
        return np.fromiter(map(known.__getitem__, values), np.int64, len(values))

    def keep(self, places: Sequence[int]) -> None:
        """Only these codes, in this order; they count up from 0 again."""
        kept = [self.values[place] for place in places]
        self.values, self._names, self._numbers = [], {}, {}
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
