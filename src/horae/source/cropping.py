"""Very long lines, cut to the part that matters: generated specifications should not fill the screen."""

from __future__ import annotations

from dataclasses import dataclass

from horae.source.columns import DisplayLine, width_of

_WIDEST = 120
_MARGIN = 30
_CUT = "…"


@dataclass(frozen=True, slots=True)
class Cropped:
    """What is shown of a line; `shift` is how far it has moved to the left."""

    text: str
    shift: int


def crop(line: DisplayLine, first: int = 0, last: int = 0) -> Cropped:
    """The columns from `first` to `last` and what is around them."""
    width = line.starts[-1]
    start = max(0, min(first - _MARGIN, width - _WIDEST))
    end = max(start + _WIDEST, last + _MARGIN)
    if width <= _WIDEST or (start == 0 and end >= width):
        return Cropped(line.text, 0)
    return _cut(line.text, start, end)


def _cut(text: str, start: int, end: int) -> Cropped:
    kept: list[str] = []
    column, begin = 0, 0
    for char in text:
        if start <= column < end:
            begin = column if not kept else begin
            kept.append(char)
        column += width_of(char)
    shown = "".join(kept) + (_CUT if column > end else "")
    return Cropped(_CUT + shown, begin - len(_CUT)) if start > 0 else Cropped(shown, 0)
