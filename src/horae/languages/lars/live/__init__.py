"""LARS over its input, a whole one or a live one: shards of a kernel, and the rows that come to them."""

from horae.languages.lars.live.program import (
    LiveLARS,
    live_lars,
    program_facts,
    whole_lars,
)
from horae.languages.lars.live.rows import ROWS, to_rows

__all__ = [
    "ROWS",
    "LiveLARS",
    "live_lars",
    "program_facts",
    "to_rows",
    "whole_lars",
]
