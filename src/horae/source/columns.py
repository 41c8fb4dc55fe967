"""Source lines as a terminal shows them: where each character starts and how wide it is.

A caret must stand under the character it means, also behind tabs, Chinese and accents.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_TAB = 4


@dataclass(frozen=True, slots=True)
class DisplayLine:
    """`starts[i]` is the screen column (from 0) of character i; one more entry is the end."""

    text: str
    starts: tuple[int, ...]

    def column(self, index: int) -> int:
        """Past the end of the line every further character would be one column wide."""
        beyond = max(0, index - (len(self.starts) - 1))
        return self.starts[min(index, len(self.starts) - 1)] + beyond


def display(line: str) -> DisplayLine:
    """Replace tabs and control characters by what can be shown, and measure."""
    shown: list[str] = []
    starts = [0]
    for char in line:
        text = _visible(char)
        shown.append(text)
        starts.append(starts[-1] + sum(width_of(c) for c in text))
    return DisplayLine("".join(shown), tuple(starts))


def _visible(char: str) -> str:
    if char == "\t":
        return " " * _TAB
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) in ("Cc", "Cs") else char


def width_of(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
