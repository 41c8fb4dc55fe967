"""The in-process engine: the same kernels without Spark."""

from __future__ import annotations

import pyarrow as pa

from horae.data.layout import TIME
from horae.languages.rtlola.kernel.answers import ANSWERS
from horae.languages.rtlola.kernel.compile import worth_compiling
from horae.languages.rtlola.kernel.kernel import RTLolaKernel
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.program import Program

_BATCH = 1 << 17


def evaluate_table(program: Program, events: pa.Table, options: Options) -> pa.Table:
    """Answers (times in ticks) of a time-ordered table of checked events."""
    if not len(events):
        return ANSWERS.empty_table()
    end = int(events.column(TIME)[-1].as_py())
    kernel = RTLolaKernel(program, options, compiled=worth_compiling(len(events)))
    parts = []
    for batch in events.combine_chunks().to_batches(max_chunksize=_BATCH):
        kernel.push(batch)
        parts.append(kernel.advance_to_rows())
    parts.append(kernel.finish(end))
    return pa.Table.from_batches(parts)
