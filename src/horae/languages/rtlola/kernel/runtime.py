"""What every generated loop calls: hash tables over instance keys, and checked integer arithmetic.

All functions are plain Python that numba compiles; the debuggable slow path calls them as they
are. They work on arrays that the caller owns. An integer is always a 64-bit one: in plain Python,
of NumPy, and `Int` stands for both.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from horae.engine.compiled import compiled as engine_compiled

F = TypeVar("F", bound=Callable[..., Any])
Int = Any

MAX_INT = np.iinfo(np.int64).max
MIN_INT = np.iinfo(np.int64).min

# Faults that stop a run: the generated loop reports one of these numbers.
DIVISION_BY_ZERO = 1
INTEGER_OVERFLOW = 2
NOT_FINITE = 3
CAST_FAILED = 4
NEGATIVE_EXPONENT = 5
BAD_PATTERN = 6


def compiled_unchecked(function: F) -> F:
    """As machine code; a division by zero is a fault that the loop looks for itself."""
    return engine_compiled(function, error_model="numpy")


# --- hash tables: `table[h]` holds slot + 1, 0 is free; the key of a slot is a row of `keys`


@compiled_unchecked
def hash_row(key: Any, width: int) -> Int:
    """A 64-bit mix of the key's words, never negative."""
    h = np.uint64(14695981039346656037)
    for i in range(width):
        h = h ^ np.uint64(key[i])
        h = h * np.uint64(0x9E3779B97F4A7C15)
        h = h ^ (h >> np.uint64(29))
    return np.int64(h >> np.uint64(1))


@compiled_unchecked
def find(table: Any, keys: Any, key: Any) -> Int:
    """The slot of a key, or -1."""
    width = keys.shape[1]
    mask = table.shape[0] - 1
    at = hash_row(key, width) & mask
    while table[at] != 0:
        slot = table[at] - 1
        same = True
        for i in range(width):
            if keys[slot, i] != key[i]:
                same = False
                break
        if same:
            return slot
        at = (at + 1) & mask
    return -1


@compiled_unchecked
def insert(table: Any, keys: Any, key: Any, slot: Int) -> None:
    """Enter a key that is not in the table."""
    width = keys.shape[1]
    mask = table.shape[0] - 1
    for i in range(width):
        keys[slot, i] = key[i]
    at = hash_row(key, width) & mask
    while table[at] != 0:
        at = (at + 1) & mask
    table[at] = slot + 1


@compiled_unchecked
def remove(table: Any, keys: Any, slot: Int) -> None:
    """Take a slot's key out and close the gap, so that probing stays short without tombstones."""
    width = keys.shape[1]
    mask = table.shape[0] - 1
    hole = hash_row(keys[slot], width) & mask
    while table[hole] != slot + 1:
        hole = (hole + 1) & mask
    at = (hole + 1) & mask
    while table[at] != 0:
        home = hash_row(keys[table[at] - 1], width) & mask
        if ((at - home) & mask) >= ((at - hole) & mask):
            table[hole] = table[at]
            hole = at
        at = (at + 1) & mask
    table[hole] = 0


@compiled_unchecked
def refill(old: Any, table: Any, keys: Any) -> None:
    """Enter all slots of `old` into the larger, empty `table`."""
    width = keys.shape[1]
    mask = table.shape[0] - 1
    for i in range(old.shape[0]):
        if old[i] != 0:
            at = hash_row(keys[old[i] - 1], width) & mask
            while table[at] != 0:
                at = (at + 1) & mask
            table[at] = old[i]


@compiled_unchecked
def enter(table: Any, keys: Any, in_use: Any) -> None:
    """Enter the slots in use into an empty table."""
    width = keys.shape[1]
    mask = table.shape[0] - 1
    for slot in range(in_use.shape[0]):
        if in_use[slot]:
            at = hash_row(keys[slot], width) & mask
            while table[at] != 0:
                at = (at + 1) & mask
            table[at] = slot + 1


@compiled_unchecked
def unmark(links: Any, first: Int, in_use: Any) -> None:
    """The slots that are linked from `first` on are free."""
    at = first
    while at >= 0:
        in_use[at] = False
        at = links[at]


# --- integer arithmetic that tells an overflow before it happens


@compiled_unchecked
def add_overflows(a: Int, b: Int) -> bool:
    if b > 0:
        return bool(a > MAX_INT - b)
    return bool(a < MIN_INT - b)


@compiled_unchecked
def subtract_overflows(a: Int, b: Int) -> bool:
    if b > 0:
        return bool(a < MIN_INT + b)
    return bool(a > MAX_INT + b)


@compiled_unchecked
def multiply_overflows(a: Int, b: Int) -> bool:
    if a == 0 or b == 0:
        return False
    if a == MIN_INT or b == MIN_INT:
        return not (a == 1 or b == 1)
    if (a > 0) == (b > 0):
        return bool(abs(a) > MAX_INT // abs(b))
    return abs(a) > MAX_INT // abs(b) and not (
        MAX_INT % abs(b) == abs(b) - 1 and abs(a) == MAX_INT // abs(b) + 1
    )


@compiled_unchecked
def wrap_add(a: Int, b: Int) -> Int:
    """Modulo 2⁶⁴."""
    return np.int64(a) + np.int64(b)


@compiled_unchecked
def wrap_subtract(a: Int, b: Int) -> Int:
    """Modulo 2⁶⁴."""
    return np.int64(a) - np.int64(b)


@compiled_unchecked
def multiply_sizes(a: Int, b: Int) -> Int:
    """Of two sizes, given as numbers ≤ 0, minus their product; 1 where that is too large."""
    if a == 0 or b == 0:
        return 0
    if a > 0 or b > 0:
        return 1
    if a == -1 or b == -1:
        return min(a, b)
    if a == MIN_INT or b == MIN_INT or multiply_overflows(a, -b):
        return 1
    return a * -b


@compiled_unchecked
def divide(a: Int, b: Int) -> Int:
    """Toward zero. The caller has excluded b = 0 and MIN / -1."""
    q = a // b
    if q < 0 and q * b != a:
        return q + 1
    return q


@compiled_unchecked
def remainder(a: Int, b: Int) -> Int:
    """The remainder with the sign of the dividend."""
    if b == -1:
        return 0
    return a - divide(a, b) * b


@compiled_unchecked
def power_overflows(a: Int, n: Int) -> bool:
    if a == 0 or a == 1 or a == -1:
        return False
    result = np.int64(1)
    for _ in range(min(n, 64)):
        if multiply_overflows(result, a):
            return True
        result = result * a
    return bool(n > 64)


@compiled_unchecked
def power(a: Int, n: Int) -> Int:
    if n > 64:  # only 0, 1 and -1 reach this without an overflow
        n = 2 + n % 2
    result = np.int64(1)
    for _ in range(n):
        result = result * a
    return result


@compiled_unchecked
def fits_int(x: float) -> bool:
    """False for what is not a number, too."""
    return -9223372036854775808.0 <= x < 9223372036854775808.0


@compiled_unchecked
def round_half_away(x: float) -> float:
    if x >= 0:
        whole = math.floor(x)
        return whole + (1.0 if x - whole >= 0.5 else 0.0)
    whole = math.ceil(x)
    return whole - (1.0 if whole - x >= 0.5 else 0.0)


# --- doubles: by the rules of IEEE where Python would raise an exception


@compiled_unchecked
def real_power(a: float, b: float) -> float:
    return np.float64(a) ** np.float64(b)


@compiled_unchecked
def real_remainder(a: float, b: float) -> float:
    """With the sign of the dividend. The caller has excluded b = 0."""
    return float(np.fmod(a, b))


@compiled_unchecked
def exponential(x: float) -> float:
    return math.inf if x > 709.782712893384 else math.exp(x)


@compiled_unchecked
def sine(x: float) -> float:
    return math.nan if math.isinf(x) else math.sin(x)


@compiled_unchecked
def cosine(x: float) -> float:
    return math.nan if math.isinf(x) else math.cos(x)


@compiled_unchecked
def tangent(x: float) -> float:
    return math.nan if math.isinf(x) else math.tan(x)


@compiled_unchecked
def double_bits(x: float, bits_f: Any, bits_i: Any) -> Int:
    """The bits of a double as an integer; both zeros give the same."""
    bits_f[0] = x + 0.0
    return bits_i[0]
