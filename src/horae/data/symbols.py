"""Constants as integers: one dictionary for the constants of program and data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from horae.data.constants import Value


class Symbols:
    """Codes count up from 0 and never change. 1 and the name "1" are different constants."""

    def __init__(self) -> None:
        self.values: list[Value] = []
        self._codes: dict[tuple[bool, Value], int] = {}

    def __len__(self) -> int:
        return len(self.values)

    def code(self, value: Value) -> int:
        key = (isinstance(value, str), value)
        found = self._codes.get(key)
        if found is None:
            found = self._codes[key] = len(self.values)
            self.values.append(value)
        return found

    def encode(self, values: Sequence[Value]) -> npt.NDArray[np.int64]:
        known = self._codes.get
        keys = [(isinstance(value, str), value) for value in values]
        codes = (self.code(key[1]) if (code := known(key)) is None else code for key in keys)
        return np.fromiter(codes, np.int64, len(keys))

    def keep(self, places: Sequence[int]) -> None:
        """Only these codes, in this order; they count up from 0 again."""
        kept = [self.values[place] for place in places]
        self.values, self._codes = [], {}
        for value in kept:
            self.code(value)

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
