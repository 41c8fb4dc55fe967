"""A generated loop as text, with all that is needed to call it. Data only."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from horae.languages.rtlola.kernel.layout import StateLayout
from horae.languages.rtlola.kernel.model import Model
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.kernel.strings import Strings, StringTable
from horae.languages.rtlola.program import Output, Trigger
from horae.source.text import Span

# What the loop returns.
DONE, FAULT, GROW = 0, 1, 2

# What the loop can ask to grow, besides the pools.
BUFFERS = "buffers"


@dataclass(frozen=True, slots=True)
class Site:
    """Where in the program a fault can happen."""

    stream: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class LoopSource:
    text: str
    layout: StateLayout
    model: Model
    options: Options
    sites: tuple[Site, ...]
    string_tables: tuple[StringTable, ...]
    strings: Strings
    interpreted: str | None  # why the loop cannot be compiled, if so
    ahead: tuple[str, ...]  # arrays of the loop in front that this one reads
    emitted: tuple[Output | Trigger, ...]
    rates: tuple[Fraction, ...]
    exports: bool
    growing: tuple[str, ...]  # what the numbers mean that the loop asks to grow
