"""The text of a `.facts` file as columns: `p(a,7)@3`, `p(a)@[1,5/2)`, `p("x y")`.

Lines of these shapes are read all at once. First the places of brackets, commas, `@` and quotes are
found; their sequence in a line is its shape. Of the lines of one shape, the pieces between these places
are columns, of which each distinct text is understood once. All other lines (several facts on a line,
escapes, comments, mistakes) are left to a parser.

Facts have no variables, so a name in capitals is a constant here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from horae.data.clock import SECONDS, Clock
from horae.data.columns import Ints, Mask
from horae.data.constants import Value
from horae.data.formats.tokens import (
    PADDING,
    Bytes,
    Pieces,
    Words,
    distinct_words,
    trimmed,
    without_indent,
)
from horae.data.moments import MOMENT, is_moment, seconds_since_1970
from horae.data.predicate_facts import (
    Coded,
    Ends,
    PredicateFacts,
    are_empty,
    ends_of_fractions,
    no_ends,
)
from horae.data.rationals import is_readable, read_number
from horae.data.roll import note_time
from horae.data.times import note_times

NUMBER = r"[+-]?[0-9]+(?:\.[0-9]+)?(?:/[0-9]+)?"
NAME = r"[^\W\d]\w*(?::+\w+)*"
_NUMBER = re.compile(NUMBER)
_NAME = re.compile(NAME)
_TERM = re.compile(rf'{NAME}|{MOMENT}|{NUMBER}|"[^"\\\n\ufffd]*"')
_TIME = re.compile(rf"{NUMBER}|{MOMENT}")
_WHOLE = re.compile(r"-?[0-9]{1,18}")

_MARKS = b'()[],@"\n'
_QUOTE, _LINE_END = 7, 8
_KINDS = np.zeros(256, np.uint8)
_KINDS[list(_MARKS)] = np.arange(1, len(_MARKS) + 1)
_BLOCK = 1 << 21  # bytes
_MOST_MARKS = 16  # of four bits each
_SHAPE = re.compile(r"\((?P<commas>,*)\)(?P<at>@(?P<ends>[\[(],[\])])?)?\n")


class Lines(NamedTuple):
    """The facts of the common lines, their `numbers` the bytes where they begin; and all other lines."""

    facts: list[PredicateFacts]
    others: list[tuple[int, int]]


def read_lines(data: bytes, clock: Clock = SECONDS) -> Lines:
    """Lines end with a line feed; blank ones are none."""
    if b"\0" in data:
        return Lines([], list(_all_lines(data)))
    facts: list[PredicateFacts] = []
    others: list[tuple[int, int]] = []
    for start, end in _blocks(data):
        found = _read_block(data[start:end], clock)
        facts += [replace(part, counted=part.numbers + start) for part in found.facts]
        others += [(start + first, start + last) for first, last in found.others]
    return Lines(facts, others)


def _blocks(data: bytes) -> Iterator[tuple[int, int]]:
    """Lines that the memory near the processor holds together."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + _BLOCK) + 1 or len(data)
        yield start, end
        start = end


def _read_block(data: bytes, clock: Clock) -> Lines:
    text = np.frombuffer(data + b"\n" + bytes(PADDING), np.uint8)
    marks = _outside_quotes(_find_marks(text))
    facts: list[PredicateFacts] = []
    others: list[Pieces] = []
    for shape, group in _by_shape(text, marks):
        found, rest = group.read(shape, clock)
        facts += found
        others.append(rest)
    starts, ends = (np.concatenate([part[i] for part in others]) for i in (0, 1))
    order = np.argsort(starts)
    return Lines(facts, list(zip(starts[order].tolist(), ends[order].tolist(), strict=True)))


def _all_lines(data: bytes) -> Iterator[tuple[int, int]]:
    start = 0
    for line in data.split(b"\n"):
        if line.strip():
            yield start, start + len(line)
        start += len(line) + 1


# --- the shapes of lines


class _Marks(NamedTuple):
    """Places and kinds of all marks, and whether a line has a quote that is not closed."""

    places: Ints
    kinds: npt.NDArray[np.uint8]
    is_open: Mask


def _find_marks(text: Bytes) -> _Marks:
    places = np.flatnonzero(_KINDS[text])
    kinds = _KINDS[text[places]]
    return _Marks(places, kinds, np.zeros(int((kinds == _LINE_END).sum()), bool))


def _outside_quotes(marks: _Marks) -> _Marks:
    """Without the quotes and what stands within them."""
    quotes = marks.kinds == _QUOTE
    if not quotes.any():
        return marks
    line_ends = marks.kinds == _LINE_END
    before = np.cumsum(quotes) - quotes
    totals = before[line_ends]
    starts = np.concatenate([[0], totals[:-1]])
    lines = np.cumsum(line_ends) - line_ends
    is_inside = ((before - starts[lines]) & 1).astype(bool)
    kept = line_ends | ~(quotes | is_inside)
    return _Marks(marks.places[kept], marks.kinds[kept], ((totals - starts) & 1).astype(bool))


def _by_shape(text: Bytes, marks: _Marks) -> Iterator[tuple[str | None, _Group]]:
    """Lines with the same sequence of marks; None for sequences that are not looked at."""
    ends = np.flatnonzero(marks.kinds == _LINE_END)
    first = np.concatenate([[0], ends[:-1] + 1])
    counts = ends - first + 1
    within = np.arange(len(marks.kinds)) - np.repeat(first, counts)
    bits = marks.kinds.astype(np.uint64) << (4 * (within % _MOST_MARKS)).astype(np.uint64)
    shapes = np.add.reduceat(bits, first)
    shapes[(counts > _MOST_MARKS) | marks.is_open] = 0
    encoded: Any = pa.array(shapes).dictionary_encode()
    codes = encoded.indices.to_numpy()
    line_starts = np.concatenate([[0], marks.places[ends[:-1]] + 1])
    for code, shape in enumerate(encoded.dictionary.to_pylist()):
        lines = np.flatnonzero(codes == code) if len(encoded.dictionary) > 1 else slice(None)
        yield (
            _spelt(shape),
            _Group(text, marks.places, first[lines], line_starts[lines], ends[lines]),
        )


def _spelt(shape: int) -> str | None:
    kinds = [shape >> place & 15 for place in range(0, 64, 4)]
    return "".join(chr(_MARKS[kind - 1]) for kind in kinds if kind) if shape else None


# --- lines of one shape


@dataclass(frozen=True)
class _Group:
    """Lines with the same marks: `first` counts the first mark of each line among all `places`."""

    text: Bytes
    places: Ints
    first: Ints
    line_starts: Ints
    last: Ints

    @property
    def lines(self) -> Pieces:
        return Pieces(self.line_starts, self.places[self.last])

    def read(self, shape: str | None, clock: Clock) -> tuple[list[PredicateFacts], Pieces]:
        """The facts, and the lines that are none; blank ones are left out."""
        common = _SHAPE.fullmatch(shape) if shape is not None else None
        if common is None:
            lines = trimmed(self.text, self.lines) if shape == "\n" else self.lines
            filled = lines.starts < lines.ends
            return [], self.lines.take(filled)
        width, is_timed = len(common["commas"]) + 1, common["at"] is not None
        return self._facts(width, is_timed, common["ends"], clock)

    def _facts(
        self, width: int, is_timed: bool, brackets: str | None, clock: Clock
    ) -> tuple[list[PredicateFacts], Pieces]:
        predicate = without_indent(self.text, Pieces(self.line_starts, self._mark(0)))
        names = distinct_words(self.text, predicate)
        good = _all_match(names, _NAME)
        arguments = []
        for place in range(width):
            column, known = _constants(distinct_words(self.text, self._piece(place)))
            arguments.append(column)
            good &= known
        low, high, known = self._times(width + 1, is_timed, brackets, clock)
        good &= known
        whole = _Columns(names, tuple(arguments), low, high, predicate.starts)
        return list(whole.by_predicate(good)), self.lines.take(~good)

    def _times(
        self, mark: int, is_timed: bool, brackets: str | None, clock: Clock
    ) -> tuple[Ends, Ends, Mask]:
        """`mark` is the one behind the arguments: an `@`, or the end of the line."""
        count = len(self.first)
        if not is_timed:
            return no_ends(count), no_ends(count), self._is_blank(mark - 1, dot=True)
        good = self._is_blank(mark - 1)
        if brackets is None:
            points, known = _times(distinct_words(self.text, self._piece(mark, dot=True)), clock)
            return points, points, good & known & ~_are_infinite(points)
        good &= self._is_blank(mark) & self._is_blank(mark + 3, dot=True)
        low, is_low = _times(distinct_words(self.text, self._piece(mark + 1)), clock, "-inf")
        high, is_high = _times(distinct_words(self.text, self._piece(mark + 2)), clock, "inf")
        low = Ends(
            low.numerators, low.denominator, low.is_infinite, _flag(brackets[0] == "(", count)
        )
        high = Ends(
            high.numerators, high.denominator, high.is_infinite, _flag(brackets[2] == ")", count)
        )
        return low, high, good & is_low & is_high & ~are_empty(low, high)

    def _mark(self, number: int) -> Ints:
        return self.places[self.first + number]

    def _piece(self, number: int, dot: bool = False) -> Pieces:
        """Between a mark and the next one; a fact may end with a `dot`."""
        found = trimmed(self.text, Pieces(self._mark(number) + 1, self._mark(number + 1)))
        if not dot:
            return found
        ends = found.ends - ((self.text[found.ends - 1] == ord(".")) & (found.starts < found.ends))
        return trimmed(self.text, Pieces(found.starts, ends))

    def _is_blank(self, number: int, dot: bool = False) -> Mask:
        found = self._piece(number, dot)
        return np.asarray(found.starts >= found.ends)


@dataclass(frozen=True)
class _Columns:
    names: Words
    arguments: tuple[Coded, ...]
    low: Ends
    high: Ends
    starts: Ints

    def by_predicate(self, good: Mask) -> Iterator[PredicateFacts]:
        is_all = bool(good.all())
        for code, name in enumerate(self.names.texts):
            if len(self.names.texts) == 1 and is_all:
                yield PredicateFacts(name, self.arguments, self.low, self.high, self.starts)
                return
            rows = np.flatnonzero(good & (self.names.codes == code))
            if len(rows):
                yield PredicateFacts(
                    name,
                    tuple(column.take(rows) for column in self.arguments),
                    self.low.take(rows).reduced(),
                    self.high.take(rows).reduced(),
                    self.starts[rows],
                )


def _flag(value: bool, count: int) -> Mask | None:
    return np.ones(count, bool) if value else None


def _are_infinite(ends: Ends) -> Mask:
    return np.zeros(len(ends), bool) if ends.is_infinite is None else ends.is_infinite


# --- distinct texts


def _all_match(words: Words, pattern: re.Pattern[str]) -> Mask:
    known = np.array([pattern.fullmatch(text) is not None for text in words.texts], bool)
    return known[words.codes]


def _constants(words: Words) -> tuple[Coded, Mask]:
    """And which rows have one."""
    values = [constant_of(text) for text in words.texts]
    known = np.array([value is not None for value in values], bool)
    return Coded(words.codes, [0 if v is None else v for v in values]), known[words.codes]


def constant_of(text: str) -> Value | None:
    """A constant as it is written; None where only a parser could tell."""
    if _WHOLE.fullmatch(text):
        return int(text)
    if not _TERM.fullmatch(text):
        return None
    if text[0] == '"':
        return text[1:-1]
    if _NUMBER.fullmatch(text):
        number = rational_of(text)
        return number if number is None or number.denominator != 1 else number.numerator
    return None if text[0] == "_" else text


def _times(words: Words, clock: Clock, infinite: str | None = None) -> tuple[Ends, Mask]:
    """And which rows have one; `infinite` is the word for none."""
    if clock.numbers_are_measures and all(map(_WHOLE.fullmatch, words.texts)):
        numbers = np.array([*map(int, words.texts)], np.int64)
        note_times(pa.array(numbers), numbers, clock)
        return Ends(numbers[words.codes], 1), np.ones(len(words.codes), bool)
    times = [None if text == infinite else _time(text, clock) for text in words.texts]
    known = np.array(
        [t is not None or text == infinite for t, text in zip(times, words.texts, strict=True)],
        bool,
    )
    return ends_of_fractions(words.codes, times), known[words.codes]


def _time(text: str, clock: Clock) -> Fraction | None:
    number = rational_of(text) if _TIME.fullmatch(text) else None
    if number is None:
        return None
    time = clock.of_seconds(number) if is_moment(text) else clock.of_number(number)
    note_time(text, time, clock)
    return time


def rational_of(text: str) -> Fraction | None:
    """A number or a moment; None for one that cannot be read, such as the 30th of February."""
    if is_moment(text):
        return seconds_since_1970(text)
    return read_number(text) if is_readable(text) else None
