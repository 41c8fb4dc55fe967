"""Facts as columns: per predicate the constants of each argument, and the ends of each fact's time.

No row is a Python object. Constants are dictionary codes, or whole numbers that need no dictionary;
ends are integers over a common denominator, exact at any size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from horae.data.columns import Mask
from horae.data.constants import Value
from horae.data.cuts import Rows
from horae.data.ground_facts import GroundFact
from horae.data.intervals import Interval

Encode = Callable[[Sequence[Value]], Rows]
"""Codes of constants, such as those of `Symbols`."""

MISSING = -1
"""The code of a constant that is not there, in a column that orders facts."""
_LARGEST = 2**63 - 1


# --- constants


@dataclass(frozen=True, slots=True, eq=False)
class Integers:
    """A column of whole numbers, all of them there."""

    numbers: Rows

    def __len__(self) -> int:
        return len(self.numbers)

    def take(self, rows: Rows | Mask | slice) -> Integers:
        return Integers(self.numbers[rows])

    def coded(self) -> Coded:
        encoded: Any = pa.array(self.numbers).dictionary_encode()
        return Coded(encoded.indices.to_numpy(), encoded.dictionary.to_pylist())

    def encoded(self, encode: Encode) -> Rows:
        return self.coded().encoded(encode)


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column of constants: row i has `values[codes[i]]`. A value may be there more than once."""

    codes: Rows
    values: Sequence[Value]

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, rows: Rows | Mask | slice) -> Coded:
        return Coded(self.codes[rows], self.values)

    def coded(self) -> Coded:
        return self

    def encoded(self, encode: Encode) -> Rows:
        """The codes of all rows in another dictionary; what is missing stays so."""
        codes = np.append(encode(self.values), MISSING)
        return codes[self.codes]


Constants = Integers | Coded


def coded_constants(values: Sequence[Value | None]) -> Coded:
    """Constants that are here one by one; None is one that is missing."""
    known: dict[tuple[bool, Value], int] = {}
    codes = [
        MISSING if value is None else known.setdefault((isinstance(value, str), value), len(known))
        for value in values
    ]
    return Coded(np.array(codes, np.int64), [value for _, value in known])


def _joined_constants(parts: Sequence[Constants]) -> Constants:
    numbers = [part.numbers for part in parts if isinstance(part, Integers)]
    if len(numbers) == len(parts):
        return Integers(np.concatenate(numbers))
    codes, values = list[Rows](), list[Value]()
    for part in map(_as_coded, parts):
        codes.append(np.where(part.codes == MISSING, MISSING, part.codes + len(values)))
        values += part.values
    return Coded(np.concatenate(codes), values)


def _as_coded(part: Constants) -> Coded:
    return part.coded()


# --- ends


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """A column of beginnings or ends: `numerators` over one `denominator`, as small as can be.

    Numerators are int64, or objects where one of them is larger; 0 where there is no end. None instead
    of a mask: no end is infinite, or open. Infinite ends are open, whatever `is_open` says.
    """

    numerators: npt.NDArray[Any]
    denominator: int
    is_infinite: Mask | None = None
    is_open: Mask | None = None

    def __len__(self) -> int:
        return len(self.numerators)

    def take(self, rows: Rows | Mask | slice) -> Ends:
        infinite = None if self.is_infinite is None else self.is_infinite[rows]
        opened = None if self.is_open is None else self.is_open[rows]
        return Ends(self.numerators[rows], self.denominator, infinite, opened)

    def reduced(self) -> Ends:
        """The same ends with the denominator as small as can be."""
        if self.denominator == 1:
            return self
        ends = reduced_ends(self.numerators, self.denominator, self.is_infinite)
        return replace(ends, is_open=self.is_open)

    def over(self, denominator: int) -> npt.NDArray[Any]:
        """The numerators over a multiple of the denominator."""
        factor = denominator // self.denominator
        if factor == 1:
            return self.numerators
        if self.numerators.dtype != object and max(self.largest, 1) * factor > _LARGEST:
            return self.numerators.astype(object) * factor
        return self.numerators * factor

    @property
    def largest(self) -> int:
        """The greatest numerator, without its sign."""
        if len(self.numerators) == 0:
            return 0
        return max(abs(int(self.numerators.max())), abs(int(self.numerators.min())))

    def finite(self) -> Ends:
        """The ends that there are."""
        return self if self.is_infinite is None else self.take(~self.is_infinite)

    def distinct(self) -> list[Fraction]:
        """Every finite end once, in order."""
        return [
            Fraction(int(number), self.denominator)
            for number in sorted(set(self.finite().numerators.tolist()))
        ]

    def fractions(self) -> Iterator[Fraction | None]:
        """One by one; None where there is no end."""
        known: dict[int, Fraction] = {}
        infinite = np.zeros(len(self), bool) if self.is_infinite is None else self.is_infinite
        for number, is_infinite in zip(self.numerators.tolist(), infinite.tolist(), strict=True):
            if is_infinite:
                yield None
                continue
            if number not in known:
                known[number] = Fraction(number, self.denominator)
            yield known[number]

    def opens(self) -> list[bool]:
        return [False] * len(self) if self.is_open is None else self.is_open.tolist()


def no_ends(count: int) -> Ends:
    """Infinite ends: of facts that have always held, or will hold for ever."""
    return Ends(np.zeros(count, np.int64), 1, np.ones(count, bool))


def reduced_ends(numerators: npt.NDArray[Any], denominator: int, is_infinite: Mask | None) -> Ends:
    """Ends with the denominator as small as can be."""
    if is_infinite is not None and not is_infinite.any():
        is_infinite = None
    share = gcd(denominator, *(int(n) for n in numerators[:16]))
    if share > 1 and numerators.dtype != object:
        share = gcd(share, int(np.gcd.reduce(numerators)))
    elif share > 1:
        share = gcd(share, *map(int, numerators))
    return Ends(numerators // share if share > 1 else numerators, denominator // share, is_infinite)


def ends_of_fractions(codes: Rows, values: Sequence[Fraction | None]) -> Ends:
    """The ends `values[codes[i]]`; None is no end."""
    denominator = lcm(1, *{value.denominator for value in values if value is not None})
    numerators = [
        0 if value is None else value.numerator * (denominator // value.denominator)
        for value in values
    ]
    fits = all(-_LARGEST <= number <= _LARGEST for number in numerators)
    column = np.array(numerators, np.int64 if fits else object)
    infinite = np.array([value is None for value in values], bool)[codes]
    return Ends(column[codes], denominator, infinite if infinite.any() else None)


def aligned(parts: Sequence[Ends]) -> tuple[int, list[npt.NDArray[Any]]]:
    """A common denominator, and the numerators of each part over it."""
    denominator = lcm(*(part.denominator for part in parts))
    return denominator, [part.over(denominator) for part in parts]


def are_empty(low: Ends, high: Ends) -> Mask:
    """Which intervals have no time: they end before they begin, or where they begin, and are open."""
    _, (first, last) = aligned([low, high])
    empty = np.asarray(first == last, bool) & _any_of(low.is_open, high.is_open, len(low))
    empty |= np.asarray(first > last, bool)
    return empty & ~_any_of(low.is_infinite, high.is_infinite, len(low))


def _any_of(left: Mask | None, right: Mask | None, count: int) -> Mask:
    found = np.zeros(count, bool)
    for mask in (left, right):
        if mask is not None:
            found |= mask
    return found


def interval_at(low: Ends, high: Ends, row: int) -> Interval:
    rows = np.array([row])
    first, last = (next(end.take(rows).fractions()) for end in (low, high))
    return Interval(first, last, low.take(rows).opens()[0], high.take(rows).opens()[0])


def _joined_ends(parts: Sequence[Ends]) -> Ends:
    denominator, numerators = aligned(parts)
    infinite = _joined_masks([part.is_infinite for part in parts], parts)
    opened = _joined_masks([part.is_open for part in parts], parts)
    return Ends(np.concatenate(numerators), denominator, infinite, opened)


def _joined_masks(masks: Sequence[Mask | None], parts: Sequence[Ends]) -> Mask | None:
    if all(mask is None for mask in masks):
        return None
    return np.concatenate(
        [
            np.zeros(len(part), bool) if mask is None else mask
            for mask, part in zip(masks, parts, strict=True)
        ]
    )


# --- facts


@dataclass(frozen=True, slots=True, eq=False)
class PredicateFacts:
    """Facts about one predicate.

    `counted` are their numbers: they count the facts of an input in their order, from 0; facts about
    other predicates may stand between. `order` is the column that tells ties apart, where there is one.
    """

    predicate: str
    arguments: tuple[Constants, ...]
    low: Ends
    high: Ends
    counted: Rows | range
    order: Coded | None = None

    def __len__(self) -> int:
        return len(self.counted)

    @property
    def numbers(self) -> Rows:
        counted = self.counted
        return np.arange(counted.start, counted.stop) if isinstance(counted, range) else counted

    @property
    def width(self) -> int:
        return len(self.arguments)

    def take(self, rows: Rows | Mask | slice) -> PredicateFacts:
        low = self.low.take(rows)
        return PredicateFacts(
            self.predicate,
            tuple(column.take(rows) for column in self.arguments),
            low,
            low if self.high is self.low else self.high.take(rows),
            self.counted[rows] if isinstance(rows, slice) else self.numbers[rows],
            None if self.order is None else self.order.take(rows),
        )

    def with_beginning(self) -> PredicateFacts:
        """The facts that did not always hold."""
        infinite = self.low.is_infinite
        return self if infinite is None else self.take(~infinite)

    def codes(self, encode: Encode) -> Rows:
        """A row per fact, a column per argument."""
        table = np.empty((len(self), self.width), np.int64)
        for place, column in enumerate(self.arguments):
            table[:, place] = column.encoded(encode)
        return table


def pieces_of_facts(part: PredicateFacts, size: int) -> Iterator[PredicateFacts]:
    """The facts in pieces of at most so many, which share their memory with the part."""
    if len(part) <= size:
        yield part
        return
    for start in range(0, len(part), size):
        yield part.take(slice(start, start + size))


def facts_by_predicate(parts: Iterable[PredicateFacts]) -> dict[str, PredicateFacts]:
    """All facts about each predicate together, in the order of the parts."""
    found: dict[str, list[PredicateFacts]] = {}
    for part in parts:
        found.setdefault(part.predicate, []).append(part)
    return {name: _joined(same) for name, same in found.items()}


def _joined(parts: Sequence[PredicateFacts]) -> PredicateFacts:
    if len(parts) == 1:
        return parts[0]
    return PredicateFacts(
        parts[0].predicate,
        tuple(
            _joined_constants(columns)
            for columns in zip(*(part.arguments for part in parts), strict=True)
        ),
        _joined_ends([part.low for part in parts]),
        _joined_ends([part.high for part in parts]),
        np.concatenate([part.numbers for part in parts]),
        _joined_orders(parts),
    )


def _joined_orders(parts: Sequence[PredicateFacts]) -> Coded | None:
    if all(part.order is None for part in parts):
        return None
    columns = [part.order or Coded(np.full(len(part), MISSING), ()) for part in parts]
    return _joined_constants(columns).coded()


def count_facts(parts: Iterable[PredicateFacts]) -> int:
    return sum(map(len, parts))


def numbered_from(parts: Sequence[PredicateFacts], first: int) -> list[PredicateFacts]:
    """The facts of one input, counted on from those of others."""
    return [replace(part, counted=_counted_on(part.counted, first)) for part in parts]


def _counted_on(numbers: Rows | range, first: int) -> Rows | range:
    if isinstance(numbers, range):
        return range(numbers.start + first, numbers.stop + first)
    return numbers + first


# --- one by one: facts of a program text, and whoever needs a single one


def columns_of_facts(facts: Iterable[GroundFact]) -> list[PredicateFacts]:
    """The columns of facts that are here one by one."""
    found: dict[tuple[str, int], list[tuple[int, GroundFact]]] = {}
    for number, fact in enumerate(facts):
        found.setdefault((fact.predicate, len(fact.arguments)), []).append((number, fact))
    return [_columns(name, width, rows) for (name, width), rows in found.items()]


def _columns(name: str, width: int, rows: Sequence[tuple[int, GroundFact]]) -> PredicateFacts:
    facts = [fact for _, fact in rows]
    orders = [fact.order for fact in facts]
    intervals = [fact.interval for fact in facts]
    low, high = _ends([i.low for i in intervals]), _ends([i.high for i in intervals])
    return PredicateFacts(
        name,
        tuple(coded_constants([fact.arguments[place] for fact in facts]) for place in range(width)),
        replace(low, is_open=_mask([i.low_open for i in intervals])),
        replace(high, is_open=_mask([i.high_open for i in intervals])),
        np.array([number for number, _ in rows], np.int64),
        None if all(order is None for order in orders) else coded_constants(orders),
    )


def _ends(values: Sequence[Fraction | None]) -> Ends:
    return ends_of_fractions(np.arange(len(values)), values)


def _mask(flags: Sequence[bool]) -> Mask | None:
    return np.array(flags, bool) if any(flags) else None


def ground_facts(parts: Iterable[PredicateFacts]) -> list[GroundFact]:
    """The facts of one input one by one, in its order."""
    numbered: list[tuple[int, GroundFact]] = []
    for part in parts:
        numbered += zip(part.numbers.tolist(), _ground(part), strict=True)
    numbered.sort(key=lambda pair: pair[0])
    return [fact for _, fact in numbered]


def _ground(part: PredicateFacts) -> Iterator[GroundFact]:
    columns = [_values(column.coded()) for column in part.arguments]
    tuples: Iterable[tuple[Any, ...]] = zip(*columns, strict=True) if columns else [()] * len(part)
    orders = [None] * len(part) if part.order is None else _values(part.order)
    intervals = map(
        Interval, part.low.fractions(), part.high.fractions(), part.low.opens(), part.high.opens()
    )
    for arguments, interval, order in zip(tuples, intervals, orders, strict=True):
        yield GroundFact(part.predicate, arguments, interval, order)


def _values(column: Coded) -> list[Value | None]:
    values = [*column.values, None]
    return [values[code] for code in column.codes.tolist()]


def times_of_columns(parts: Iterable[PredicateFacts]) -> list[Fraction]:
    """Every finite end once, in order."""
    found: set[Fraction] = set()
    for part in parts:
        found.update(part.low.distinct())
        if part.high is not part.low:
            found.update(part.high.distinct())
    return sorted(found)


def common_denominator(parts: Iterable[PredicateFacts]) -> int:
    """A denominator that all ends of all facts can be written with."""
    return lcm(1, *(end.denominator for part in parts for end in (part.low, part.high)))


def widths_of(parts: Mapping[str, PredicateFacts]) -> dict[str, int]:
    return {name: part.width for name, part in parts.items()}
