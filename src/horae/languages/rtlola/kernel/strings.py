"""Strings as integers: a dictionary at the door, and tables for what is asked of strings.

Kernels see codes. A function of a string with a constant argument becomes an array indexed by code,
filled here for the strings that are new, so that the compiled loop never touches text.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from horae.engine.chunks import ENTRIES, save_block
from horae.languages.rtlola.kernel.layout import StateArray
from horae.source import patterns


class Strings:
    """The dictionary of one kernel; codes count up from 0, the empty text.

    A code never changes while it is in use. One that is forgotten is given to another text later;
    `stamp` counts how often that happened.
    """

    def __init__(self, texts: list[str] | None = None) -> None:
        self.texts: list[str] = []
        self._codes: dict[str, int] = {}
        self.free: list[int] = []
        self.stamp = 0
        self._changed: set[int] = set()  # first codes of chunks
        self.code("")
        for text in texts or ():
            self.code(text)

    def __len__(self) -> int:
        return len(self.texts)

    def code(self, text: str) -> int:
        found = self._codes.get(text)
        if found is None:
            found = self._codes[text] = self._enter(text)
        return found

    def _enter(self, text: str) -> int:
        if not self.free:
            self.texts.append(text)
            return self._mark(len(self.texts) - 1)
        code = self._mark(self.free.pop())
        self.texts[code] = text
        self.stamp += 1
        return code

    # --- forgetting

    def forget(self, in_use: StateArray) -> None:
        """Give up the codes that are not marked."""
        fresh = np.ones(len(self.texts), bool)
        fresh[self.free] = False
        for code in np.flatnonzero(fresh & ~in_use)[::-1]:
            del self._codes[self.texts[code]]
            self.texts[self._mark(code)] = ""
            self.free.append(int(code))

    def restore(self, texts: list[str], free: list[int]) -> None:
        """The dictionary as it was saved."""
        self.texts, self.free = texts, free
        unused = set(free)
        self._codes = {text: i for i, text in enumerate(texts) if i not in unused}
        self._changed = set()

    # --- what is to be stored

    def _mark(self, code: int) -> int:
        self._changed.add(code - code % ENTRIES)
        return code

    def changes(self) -> Iterator[tuple[str, bytes]]:
        """The chunks that changed since the last call, or since the texts were restored."""
        changed, self._changed = self._changed, set()
        return ((str(start), save_block(self.texts, start)) for start in sorted(changed))

    # --- from columns

    def encode(self, column: pa.StringArray) -> StateArray:
        """Codes of a string column; what stands for null has no meaning."""
        encoded = column.dictionary_encode()
        texts = encoded.dictionary.to_pylist()
        codes = np.array([self.code(str(t)) for t in texts] or [0], np.int64)
        indices = encoded.indices.fill_null(0).to_numpy(zero_copy_only=False)
        return codes[indices.astype(np.int64)]

    # --- what only the interpreted loop can do

    def text_of(self, value: object, kind: str) -> int:
        return self.code(text_of(value, kind))

    def contains(self, code: int, part: int) -> bool:
        return self.texts[part] in self.texts[code]

    def is_pattern(self, code: int) -> bool:
        return patterns.mistake_in(self.texts[code]) is None

    def matches(self, code: int, pattern: int) -> bool:
        return patterns.matches(self.texts[code], self.texts[pattern])


def mark_codes(numbers: StateArray, in_use: StateArray) -> None:
    """Mark the numbers that are codes, and those that only look so: it does no harm to keep a text."""
    if numbers.dtype == np.int64:
        flat = numbers.ravel()
        in_use[flat[(flat >= 0) & (flat < len(in_use))]] = True


def json_string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


_INTEGER = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def text_of(value: object, kind: str) -> str:
    """`string()` of a value: as it would be written in a specification."""
    if kind == "bool":
        return "true" if value else "false"
    return repr(float(value)) if kind == "double" else str(int(value))  # type: ignore[call-overload,arg-type]


@dataclass(frozen=True, slots=True)
class StringTable:
    """`name[code]` is `function(text, argument)`."""

    name: str
    function: str
    argument: str

    def fill(self, strings: Strings, known: StateArray | None) -> StateArray:
        """The table for all strings so far; `known` is the table for an earlier part of them."""
        if self.function == "rank":
            return self._ranks(strings)
        start = 0 if known is None else len(known)
        if known is not None and start == len(strings):
            return known
        more = np.array(self._values(strings.texts[start:]), dtype=self._dtype)
        return more if known is None else np.concatenate([known, more])

    def _values(self, texts: list[str]) -> list[Any]:
        if self.function == "matches":
            return patterns.matching(texts, self.argument)
        return [self.value_of(text) for text in texts]

    def _ranks(self, strings: Strings) -> StateArray:
        ranks = np.empty(len(strings), np.int64)
        order = sorted(range(len(strings)), key=strings.texts.__getitem__)
        ranks[order] = np.arange(len(strings))
        return ranks

    @property
    def _dtype(self) -> str:
        kinds = {"length": "int64", "int": "int64", "double": "float64"}
        return kinds.get(self.function, "bool")

    def value_of(self, text: str) -> object:
        match self.function:
            case "length":
                return len(text)
            case "contains":
                return self.argument in text
            case "matches":
                return patterns.matches(text, self.argument)
            case "int" | "double":
                return parse_number(text, self.function) or 0
            case "int_ok" | "double_ok":
                return parse_number(text, self.function.removesuffix("_ok")) is not None
            case _:
                raise AssertionError(self.function)


class LiveTable:
    """The same, asked one by one: for the interpreted loop, which makes new strings as it runs."""

    def __init__(self, table: StringTable, strings: Strings) -> None:
        self._table = table
        self._strings = strings

    def __getitem__(self, code: int) -> object:
        if self._table.function == "rank":
            return self._strings.texts[code]
        return self._table.value_of(self._strings.texts[code])


def parse_number(text: str, kind: str) -> int | float | None:
    """`int(text)` and `double(text)`; None where the text is no such number."""
    if kind == "int":
        found = int(text) if _INTEGER.fullmatch(text) else None
        return found if found is not None and -(2**63) <= found < 2**63 else None
    number = float(text) if _NUMBER.fullmatch(text) else math.inf
    return number if math.isfinite(number) else None
