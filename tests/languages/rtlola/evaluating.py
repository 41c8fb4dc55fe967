"""A specification over events that are all here, in order of time: the kernel by itself."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from horae.data.layout import TIME
from horae.languages.rtlola.kernel.answers import answer_schema
from horae.languages.rtlola.kernel.kernel import RTLolaKernel
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.program import Program

_BATCH = 1 << 17


def evaluate_table(program: Program, events: pa.Table, options: Options) -> Iterator[pa.Table]:
    """Answers (times in ticks) of a time-ordered table of checked events, in parts."""
    yield answer_schema(program, options).empty_table()
    if not len(events):
        return
    end = int(events.column(TIME)[-1].as_py())
    kernel = RTLolaKernel(program, options)
    for batch in events.to_batches(max_chunksize=_BATCH):
        kernel.push(batch)
        yield pa.Table.from_batches([kernel.advance_to_rows()])
    yield pa.Table.from_batches([kernel.finish(end)])
