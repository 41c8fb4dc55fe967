"""Constants as integers that know numbers: times join with arguments, arithmetic needs no lookup.

A natural number n below 2⁴⁰ has the code 2n; every other constant has an odd code, from a dictionary.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from horae.kernels.datalogmtl.symbols import Symbols
from horae.kernels.intervals.cuts import Rows
from horae.languages.rules.terms import Value

LARGEST = 2**40


class Codes:
    """Codes never change."""

    def __init__(self, symbols: Symbols | None = None) -> None:
        self.symbols = Symbols() if symbols is None else symbols

    def code(self, value: Value) -> int:
        if isinstance(value, int) and 0 <= value < LARGEST:
            return 2 * value
        return 2 * self.symbols.code(value) + 1

    def value(self, code: int) -> Value:
        return self.symbols.values[code >> 1] if code & 1 else code >> 1

    def encode(self, values: Sequence[Value]) -> Rows:
        return np.fromiter((self.code(v) for v in values), np.int64, len(values))

    def decode(self, codes: Rows) -> list[Value]:
        return [self.value(code) for code in codes.tolist()]


def are_natural(codes: Rows) -> bool:
    """Whether all of them are natural numbers, so that `codes >> 1` are their values."""
    return not bool((codes & 1).any())
