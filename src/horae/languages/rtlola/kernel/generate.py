"""From a checked program to the source of one loop over columns.

The loop takes time-ordered rows and walks through the positions: rows and ticks. Its state is a set
of arrays that the caller owns (`layout.py`). It returns when the rows are used up, when a fault
stopped it, or when an array has to grow: the caller then grows it and calls again.
"""

from __future__ import annotations

from horae.languages.rtlola.kernel.declare import declare
from horae.languages.rtlola.kernel.frame import growing, write_loop
from horae.languages.rtlola.kernel.generator import Generator
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.kernel.source import LoopSource
from horae.languages.rtlola.kernel.strings import Strings
from horae.languages.rtlola.program import Program


def generate(program: Program, options: Options, strings: Strings | None = None) -> LoopSource:
    """The source of the loop of a program."""
    generator = Generator(program, options, strings if strings is not None else Strings())
    declare(generator)
    text, emitted = write_loop(generator)
    return LoopSource(
        text,
        generator.layout,
        generator.model,
        options,
        tuple(generator.sites),
        tuple(generator.tables.values()),
        generator.strings,
        generator.interpreted,
        tuple(generator.ahead.inputs()),
        emitted,
        generator.rates,
        generator.exports,
        growing(generator),
    )
