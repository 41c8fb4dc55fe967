"""A specification over live rows: its columns, how rows reach its shards, and how a shard starts.

Each stage of the plan has shards of its own. What operators over spread instances need comes to a
second stage, the join.

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
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import DataType
from horae.engine.contract import Wants
from horae.languages.rtlola.catalogue import INCOMPLETE_ROW
from horae.languages.rtlola.kernel.answers import ANSWERS
from horae.languages.rtlola.kernel.faults import time_text
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.live.columns import TIME, input_columns, rows_schema
from horae.languages.rtlola.live.join import LiveJoin
from horae.languages.rtlola.live.parts import Part, homes, parts_of
from horae.languages.rtlola.live.shard import LiveShard
from horae.languages.rtlola.plan.spread import make_partition, one_place
from horae.languages.rtlola.plan.stages import Partition
from horae.languages.rtlola.program import Program

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class LiveRTLola:
    """`order` is the type of the order column, an int or text; None: there is none.

    `compiled=False` runs the loop as plain Python. `yes`: clocks may tick as often as they do.
    """

    program: Program
    options: Options
    shards: int = 1
    order: DataType | None = None
    whole_rows: bool = False
    compiled: bool = True
    yes: bool = False

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
    def width(self) -> int:
        return sum(part.shards for part in self.parts)

    @cached_property
    def plan(self) -> Partition:
        plan = make_partition(self.program)
        usable = self.whole_rows or not any(stage.present for stage in plan.shards)
        return plan if usable and self.shards > 1 else one_place(self.program, ())

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        return tuple(parts_of(self.plan, self.options, self.shards))

    @property
    def later(self) -> LiveJoin | None:
        join = self.plan.join
        if join is None:
            return None
        return LiveJoin(join, self.options, self.fingerprint, self.compiled)

    @property
    def fingerprint(self) -> str:
        """Two programs with the same one can go on with each other's state."""
        known = (self.program, self.options, self.shards, str(self.order), self.whole_rows)
        text = f"{self.program.source.text}\n{known!r}"
        return hashlib.sha256(text.encode()).hexdigest()

    # --- rows to shards

    def route(self, rows: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        """The rows of each shard; one with keys of two shards goes to both.

        Rows that nobody reads go to the first shard: there they are known if they are late.
        """
        first, read = 0, np.zeros(len(rows), bool)
        for part in self.parts:
            for shard, here in self._within(part, rows):
                yield first + shard, rows.filter(pa.array(here))
                read |= here
            first += part.shards
        if not read.all():
            yield 0, rows.filter(pa.array(~read))

    def _within(self, part: Part, rows: pa.Table) -> Iterator[tuple[int, Flags]]:
        """Shards, and which rows they read."""
        if not part.keys:
            yield 0, np.ones(len(rows), bool)
            return
        self._check(rows, part)
        found = [h.fill_null(-1).to_numpy() for h in homes(rows, self._keys(part), part.shards)]
        for shard in range(part.shards):
            here = np.logical_or.reduce([home == shard for home in found])
            if here.any():
                yield shard, here

    def _keys(self, part: Part) -> list[str]:
        columns = input_columns(self.program.inputs)
        return [columns[key] for key in part.keys]

    def _check(self, rows: pa.Table, part: Part) -> None:
        columns = input_columns(self.program.inputs)
        for key, other in part.present:
            given, missing = rows.column(columns[key]), rows.column(columns[other])
            lost = pc.and_(pc.is_valid(given), pc.is_null(missing))
            broken = np.flatnonzero(lost.to_numpy())
            if len(broken):
                time = int(rows.column(TIME)[int(broken[0])].as_py())
                when = time_text(time, self.options.row_resolution)
                raise INCOMPLETE_ROW(key=key, other=other, time=when)

    # --- shards

    def start(self, shard: int) -> LiveShard:
        part, number = self._place(shard)
        return LiveShard(self, part, number, tuple(self._keys(part)))

    def restore(self, shard: int, chunks: Mapping[str, bytes]) -> LiveShard:
        started = self.start(shard)
        started.restore(chunks)
        return started

    def _place(self, shard: int) -> tuple[Part, int]:
        """The part of a shard, and its number there."""
        for part in self.parts:
            if shard < part.shards:
                return part, shard
            shard -= part.shards
        raise ValueError(f"there are {self.width} shards")
