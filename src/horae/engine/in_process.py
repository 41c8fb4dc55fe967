"""A kernel program over rows that are all here, in this process: one stage after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np
import pyarrow as pa

from horae.data.cuts import Cuts
from horae.engine.contract import (
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


def run_in_process(program: Routed, rows: pa.Table) -> pa.Table:
    """The answers to `rows`, which have the columns of the program."""
    points = wanted_points(np.asarray(rows.column("time"), np.int64), program.wants)
    answers: list[pa.Table] = []
    derived: list[pa.Table] = []
    for stage in stages_of(program):
        kernels = [start_whole(stage, shard) for shard in range(stage.width)]
        for kernel in kernels:
            kernel.see(points)
        for shard, own in stage.route(rows):
            kernels[shard].add(own)
        _add_derived(stage, kernels, derived)
        answers += [kernel.finish() for kernel in kernels]
        derived += _derived(stage, kernels)
    return pa.concat_tables([program.answers.empty_table(), *answers])


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
