"""A kernel program over rows that are all here, in this process: one stage after the other.

Rows come to the kernels of the first stage in blocks that follow each other in time, and what no later
block can change is decided before the next one comes. So kernels hold some rows, not all, and what they
compute fits into memory that is in use already: new memory costs more than the work on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import cast

import numpy as np
import pyarrow as pa

from horae.data.columns import Column, are_in_order
from horae.data.cuts import Cuts
from horae.data.table_blocks import BLOCK, keep_freed_memory
from horae.engine.contract import (
    AtOnce,
    Earlier,
    Kernel,
    Later,
    LaterKernel,
    Routed,
    Wants,
    stages_of,
    start_whole,
)
from horae.engine.evaluation_times import distinct_points


def run_in_process(program: Routed, rows: pa.Table, block: int = BLOCK) -> pa.Table:
    """The answers to `rows`, which have the columns of the program; a block has so many at least."""
    parts = answers_in_process(program, rows, block)
    return pa.concat_tables([program.answers.empty_table(), *parts])


def answers_in_process(program: Routed, rows: pa.Table, block: int = BLOCK) -> Iterator[pa.Table]:
    """The same as they are decided: the memory of a part that is let go is that of the next one."""
    derived: list[pa.Table] = []
    for number, stage in enumerate(stages_of(program)):
        kernels = [start_whole(stage, shard) for shard in range(stage.width)]
        waits = number > 0 or isinstance(stage, AtOnce)
        yield from _add(stage, kernels, rows, len(rows) if waits else block)
        _add_derived(stage, kernels, derived)
        yield from (kernel.finish() for kernel in kernels)
        derived += _derived(stage, kernels)


def _add(
    stage: Routed, kernels: Sequence[Kernel], rows: pa.Table, block: int
) -> Iterator[pa.Table]:
    """All rows to their kernels; what these answer before the last rows come.

    Kernels look at all that they hold when they decide. So a block has as many rows as they hold: then
    rows are looked at about twice, however long they are held.
    """
    keep_freed_memory()
    for own, until in blocks_in_time(rows, lambda: max([block, *map(_held, kernels)])):
        times = own.column("time").to_numpy()
        for kernel in kernels:
            kernel.see(wanted_points(times, stage.wants))
        for shard, part in stage.route(own):
            kernels[shard].add(part)
        if until is not None:
            yield from (kernel.decide(until) for kernel in kernels)


def _held(kernel: Kernel) -> int:
    return kernel.state_size().values


def blocks_in_time(
    rows: pa.Table, size: Callable[[], int]
) -> Iterator[tuple[pa.Table, int | None]]:
    """All rows by time, in blocks of about the size that is asked for before each.

    With a block comes the time up to which no more rows come; None at the end. Rows of one time are in
    one block. Where the first block has room for all rows, they are in it as they are.
    """
    if len(rows) <= size():
        yield rows, None
        return
    if not are_in_order(rows.column("time")):
        rows = rows.take(np.argsort(rows.column("time").to_numpy(), kind="stable"))
    times, begin = rows.column("time"), 0
    while begin < len(rows):
        end = _end_of_block(times, begin, size())
        until = times[end - 1].as_py() if end < len(rows) else None
        yield rows.slice(begin, end - begin), until
        begin = end


def _end_of_block(times: Column, begin: int, size: int) -> int:
    """Where another time begins, before the row that would be one too many."""
    while begin + size < len(times):
        own = times.slice(begin, size + 1).to_numpy()
        end = int(np.searchsorted(own, own[-1]))
        if end:
            return begin + end
        size *= 2
    return len(times)


def wanted_points(times: Cuts, wants: Wants) -> Cuts:
    """Those of the time points of an input that all shards must see, in their order, each once."""
    match wants:
        case Wants.NOTHING:
            return np.empty(0, np.int64)
        case Wants.ALL:
            return distinct_points(times)
        case Wants.FIRST | Wants.ENDS:
            ends = [times.min(), times.max()] if len(times) else []
            return np.unique(np.array(ends[:1] if wants is Wants.FIRST else ends, np.int64))


def _add_derived(stage: Routed, kernels: list[Kernel], derived: list[pa.Table]) -> None:
    for table in derived:
        for shard, own in cast("Later", stage).route_derived(table):
            cast("LaterKernel", kernels[shard]).add_derived(own)


def _derived(stage: Routed, kernels: list[Kernel]) -> Iterator[pa.Table]:
    if stage.later is not None:
        found = (cast("Earlier", kernel).derived() for kernel in kernels)
        yield from (table for table in found if len(table))
