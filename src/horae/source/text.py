"""Program text and places in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

_SURROGATE = re.compile("[\ud800-\udfff]")


def find_surrogate(text: str) -> int | None:
    """Where half of a character stands: Python's text may have such, UTF-8 has no bytes for it."""
    found = None if text.isascii() else _SURROGATE.search(text)
    return None if found is None else found.start()


def is_unicode(text: str) -> bool:
    """Whether all of it are characters, so that it can be written as UTF-8."""
    return find_surrogate(text) is None


@dataclass(frozen=True, slots=True)
class Span:
    """The half-open range of character offsets `[start, end)` in a source."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """The smallest span that covers both."""
        return Span(min(self.start, other.start), max(self.end, other.end))


@dataclass(frozen=True, slots=True)
class Position:
    """A place as people count it: line and column start at 1."""

    line: int
    column: int


@dataclass(frozen=True)
class Source:
    """A program text with the name that its diagnostics show."""

    name: str
    text: str
    _line_starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = [0]
        starts.extend(i + 1 for i, char in enumerate(self.text) if char == "\n")
        object.__setattr__(self, "_line_starts", tuple(starts))

    def position(self, offset: int) -> Position:
        line = bisect_right(self._line_starts, offset)
        return Position(line, offset - self._line_starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """The text of a line, without its end."""
        start = self._line_starts[number - 1]
        end = self._line_starts[number] - 1 if number < len(self._line_starts) else len(self.text)
        return self.text[start:end].removesuffix("\r")

    def snippet(self, span: Span) -> str:
        return self.text[span.start : span.end]


def span_field() -> Span:
    """The field for the place of a node, `span: Span = span_field()`; comparison passes it over."""
    return field(compare=False, repr=False, kw_only=True)  # type: ignore[no-any-return]
