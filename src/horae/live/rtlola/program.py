"""A specification over live rows: its columns, how rows reach its shards, and how a shard starts.

A specification whose plan is one spread stage runs in many shards. All others run as a whole in one.

Whether a row that has a key has all other values that the plan assumes with it cannot be looked up
in a stream that is not over. With `whole_rows` the caller promises it, and a row that breaks the
promise is refused; without, a plan that assumes it is not used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.inputs.columns import DataType
from horae.kernels.rtlola.answers import ANSWERS
from horae.kernels.rtlola.options import Options
from horae.languages.rtlola.program import Program
from horae.live.contract import Wants
from horae.live.rtlola.catalogue import incomplete_row
from horae.live.rtlola.columns import TIME, input_columns, rows_schema
from horae.live.rtlola.homes import homes
from horae.live.rtlola.shard import LiveShard
from horae.plan.rtlola.spread import make_plan
from horae.plan.rtlola.stages import Shards


@dataclass(frozen=True)
class LiveRTLola:
    """`order` is the type of the order column, an int or text; None: there is none.

    `compiled=False` runs the loop as plain Python.
    """

    program: Program
    options: Options
    shards: int = 1
    order: DataType | None = None
    whole_rows: bool = False
    compiled: bool = True

    # --- what is known before the first row

    @property
    def rows(self) -> pa.Schema:
        return rows_schema(self.program.inputs, self.order)

    @property
    def answers(self) -> pa.Schema:
        return ANSWERS

    @property
    def wants(self) -> Wants:
        """Clocks tick from the first row of the whole stream to the last one."""
        return Wants.ENDS

    @property
    def spread(self) -> bool:
        return self.shards > 1 and self.stage is not None

    @cached_property
    def stage(self) -> Shards | None:
        """The stage that is the whole plan, if there is one and it can be used."""
        plan = make_plan(self.program)
        if len(plan.shards) != 1 or plan.join is not None or plan.single is not None:
            return None
        stage = plan.shards[0]
        return stage if self.whole_rows or not stage.present else None

    @property
    def fingerprint(self) -> str:
        """Two programs with the same one can go on with each other's state."""
        known = (self.program, self.options, self.shards, str(self.order), self.whole_rows)
        text = f"{self.program.source.text}\n{known!r}"
        return hashlib.sha256(text.encode()).hexdigest()

    # --- rows to shards

    def route(self, rows: pa.Table, shards: int) -> Iterator[tuple[int, pa.Table]]:
        """The rows of each shard; one with keys of two shards goes to both."""
        if self.stage is None or shards == 1:
            yield 0, rows
            return
        if shards != self.shards:
            raise ValueError(f"the program is made for {self.shards} shards, not {shards}")
        self._check(rows, self.stage)
        found = [home.fill_null(-1).to_numpy() for home in homes(rows, self._keys, shards)]
        for shard in range(shards):
            here = np.logical_or.reduce([home == shard for home in found])
            if here.any():
                yield shard, rows.filter(pa.array(here))

    @property
    def _keys(self) -> list[str]:
        columns = input_columns(self.program.inputs)
        return [columns[key] for key in self.stage.keys] if self.stage is not None else []

    def _check(self, rows: pa.Table, stage: Shards) -> None:
        columns = input_columns(self.program.inputs)
        for key, other in stage.present:
            given, missing = rows.column(columns[key]), rows.column(columns[other])
            lost = pc.and_(pc.is_valid(given), pc.is_null(missing))
            broken = np.flatnonzero(lost.to_numpy())
            if len(broken):
                time = int(rows.column(TIME)[int(broken[0])].as_py())
                raise incomplete_row(key, other, time, self.options.resolution)

    # --- shards

    def start(self, shard: int) -> LiveShard:
        stage = self.stage if self.spread else None
        program = self.program if stage is None else stage.program
        return LiveShard(self, program, shard, tuple(self._keys) if stage is not None else ())

    def restore(self, shard: int, chunks: Mapping[str, bytes]) -> LiveShard:
        started = self.start(shard)
        started.restore(chunks)
        return started
