"""The marks under source lines: carets, dashes, and what is written beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from horae.source.columns import display
from horae.source.cropping import crop
from horae.source.text import Source, Span

_SHOWN_LINES = 6  # a longer span shows its first and last lines only
_WIDEST_FOOT = 120
_RESET = "\x1b[0m"


@dataclass(frozen=True)
class Paint:
    """Wraps text in the escape code of a style; styles without a code stay plain."""

    codes: Mapping[str, str]

    def __call__(self, style: str, text: str) -> str:
        code = self.codes.get(style)
        return f"{code}{text}{_RESET}" if code and text.strip() else text


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """One printed row: a source line (with its number), marks below one, or a gap."""

    number: int | None
    text: str
    is_gap: bool = False

    @staticmethod
    def source_line(source: Source, number: int) -> PrintedRow:
        return PrintedRow(number, crop(display(source.line(number))).text)

    @staticmethod
    def gap() -> PrintedRow:
        return PrintedRow(None, "", is_gap=True)


@dataclass(frozen=True, slots=True)
class Annotation:
    """A span on the screen: lines `first` to `last`, columns `start` to `end` (from 0)."""

    first: int
    last: int
    start: int
    end: int
    text: str
    mark: str
    style: str

    @property
    def is_multiline(self) -> bool:
        return self.first != self.last

    @staticmethod
    def of(source: Source, span: Span, text: str, mark: str, style: str) -> Annotation:
        """An empty span still gets one mark, at the place where something is missing."""
        first = source.position(span.start)
        last = source.position(max(span.start, _visible_end(source, span)))
        start = display(source.line(first.line)).column(first.column - 1)
        end = display(source.line(last.line)).column(last.column - 1)
        if first.line == last.line:
            end = max(end, start + 1)
        return Annotation(first.line, last.line, start, end, text, mark, style)


def _visible_end(source: Source, span: Span) -> int:
    """Line ends at the end of a span would mark a line on which nothing is meant."""
    return span.start + len(source.snippet(span).rstrip("\r\n"))


# --- spans within one line


def mark_line(
    source: Source, number: int, marks: list[Annotation], paint: Paint
) -> list[PrintedRow]:
    """The line, then marks; the text of the rightmost mark stands beside it, others below.

    3 | output int x := y + z
      |                 -   ^ a string
      |                 |
      |                 an int
    """
    first, last = min(m.start for m in marks), max(m.end for m in marks)
    shown = crop(display(source.line(number)), first, last)
    moved = [replace(m, start=m.start - shown.shift, end=m.end - shown.shift) for m in marks]
    rows = [PrintedRow(number, shown.text)]
    for layer in _layers(moved):
        rows += _layer_rows(layer, paint)
    return rows


def _layers(marks: list[Annotation]) -> list[list[Annotation]]:
    """Marks that overlap go to separate layers, the main one (a caret) first."""
    layers: list[list[Annotation]] = []
    for mark in sorted(marks, key=lambda a: (a.mark != "^", a.start)):
        for layer in layers:
            if all(mark.end <= other.start or other.end <= mark.start for other in layer):
                layer.append(mark)
                break
        else:
            layers.append([mark])
    return [sorted(layer, key=lambda a: a.start) for layer in layers]


def _layer_rows(layer: list[Annotation], paint: Paint) -> list[PrintedRow]:
    *others, last = layer
    underline = _placed([(a.start, a.mark * (a.end - a.start), a.style) for a in layer], paint)
    rows = [PrintedRow(None, underline + (" " + paint(last.style, last.text) if last.text else ""))]
    captioned = [a for a in others if a.text]
    if captioned:
        rows.append(PrintedRow(None, _placed([(a.start, "|", a.style) for a in captioned], paint)))
    while captioned:
        *captioned, current = captioned
        pieces = [(a.start, "|", a.style) for a in captioned]
        rows.append(
            PrintedRow(
                None, _placed([*pieces, (current.start, current.text, current.style)], paint)
            )
        )
    return rows


def _placed(pieces: list[tuple[int, str, str]], paint: Paint) -> str:
    """Write each piece at its column."""
    text, column = "", 0
    for start, piece, style in pieces:
        text += " " * (start - column) + paint(style, piece)
        column = start + len(piece)
    return text


# --- spans over several lines


def mark_lines(source: Source, span: Annotation, paint: Paint) -> list[PrintedRow]:
    """The lines with a bar at their left that ends in the mark.

    3 | / output int x
    4 | |     extend: 1Hz
      | |_______________^ no definition
    """
    rows = [_barred(source, number, span, paint) for number in _shown(span)]
    if len(rows) < span.last - span.first + 1:
        rows.insert(len(rows) // 2, PrintedRow.gap())
    foot = "|" + "_" * min(max(span.end, 1), _WIDEST_FOOT) + span.mark
    caption = " " + span.text if span.text else ""
    return [*rows, PrintedRow(None, paint(span.style, foot + caption))]


def _shown(span: Annotation) -> list[int]:
    numbers = list(range(span.first, span.last + 1))
    if len(numbers) <= _SHOWN_LINES:
        return numbers
    return numbers[: _SHOWN_LINES // 2] + numbers[-_SHOWN_LINES // 2 :]


def _barred(source: Source, number: int, span: Annotation, paint: Paint) -> PrintedRow:
    bar = paint(span.style, "/" if number == span.first else "|")
    return PrintedRow(number, f"{bar} {crop(display(source.line(number))).text}")
