"""A specification as a kernel program: its columns, how rows reach its shards, and how a shard starts.

Each stage of the plan has shards of its own. What operators over spread instances need comes to a
second stage, the join.

Some plans assume that a row which has a key has other values with it (`whole_rows`). Of an input that is
all there it can be looked up; of a stream the caller promises it, and a row that breaks the promise is
refused. Without it, such a plan is not used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Ints
from horae.engine.contract import Wants
from horae.languages.rtlola.catalogue import INCOMPLETE_ROW
from horae.languages.rtlola.kernel.answers import answer_schema
from horae.languages.rtlola.kernel.faults import time_text
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.live.columns import (
    TIME,
    input_columns,
    rows_schema,
)
from horae.languages.rtlola.live.join import LiveJoin
from horae.languages.rtlola.live.parts import Part, homes, parts_of
from horae.languages.rtlola.live.shard import LiveShard
from horae.languages.rtlola.plan.spread import make_partition, one_place
from horae.languages.rtlola.plan.stages import Partition
from horae.languages.rtlola.program import Program


@dataclass(frozen=True)
class LiveRTLola:
    """`order`: rows have an order column. `numbered`: rows come in order, and have numbers.

    `yes`: clocks may tick as often as they do.
    """

    program: Program
    options: Options
    shards: int = 1
    order: bool = False
    whole_rows: bool = False
    yes: bool = False
    numbered: bool = False

    # --- what is known before the first row

    @property
    def rows(self) -> pa.Schema:
        return rows_schema(self.program.inputs, order=self.order, numbered=self.numbered)

    @property
    def answers(self) -> pa.Schema:
        return answer_schema(self.program, self.options)

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

    @cached_property
    def later(self) -> LiveJoin | None:
        join = self.plan.join
        if join is None:
            return None
        return LiveJoin(join, self.options, self.answers, self.fingerprint)

    @cached_property
    def fingerprint(self) -> str:
        """Two programs with the same one can go on with each other's state."""
        known = (self.program, self.options, self.shards, self.order, self.whole_rows)
        text = f"{self.program.source.text}\n{known!r}"
        return hashlib.sha256(text.encode()).hexdigest()

    # --- rows to shards

    def route(self, rows: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        """The rows of each shard; one with keys of two shards goes to both.

        Rows that nobody reads go to the first shard: there they are known if they are late.
        """
        first, unread = 0, np.ones(len(rows), bool)
        for part in self.parts:
            if not part.keys:
                yield first, rows
                unread[:] = False
            for shard, places in self._within(part, rows):
                yield first + shard, rows.take(places)
                unread[places] = False
            first += part.shards
        if unread.any():
            yield 0, rows.filter(pa.array(unread))

    def _within(self, part: Part, rows: pa.Table) -> Iterator[tuple[int, Ints]]:
        """Shards, and the places of the rows that they read."""
        self._check(rows, part)
        found = [h.fill_null(-1).to_numpy() for h in homes(rows, self._keys(part), part.shards)]
        if len(found) == 1:
            yield from _by_home(found[0], part.shards)
            return
        for shard in range(part.shards if found else 0):
            here = np.logical_or.reduce([home == shard for home in found])
            if here.any():
                yield shard, np.flatnonzero(here)

    def _keys(self, part: Part) -> list[str]:
        columns = input_columns(self.program.inputs)
        return [columns[key] for key in part.keys]

    def _check(self, rows: pa.Table, part: Part) -> None:
        columns = input_columns(self.program.inputs)
        for key, other in part.present:
            broken = incomplete(rows, columns[key], columns[other])
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


def incomplete(rows: pa.Table, key: str, other: str) -> Ints:
    """The places of rows that have a key without the other value."""
    given, missing = pc.is_valid(rows.column(key)), pc.is_null(rows.column(other))
    return np.flatnonzero(pc.and_(given, missing).to_numpy())


def _by_home(home: Ints, shards: int) -> Iterator[tuple[int, Ints]]:
    """Shards with the places of their rows, in order; a row without a shard has the number -1."""
    narrow = home.astype(np.int16) if shards < 1 << 15 else home  # few values are sorted at once
    places = np.argsort(narrow, kind="stable")
    ends = np.searchsorted(home[places], np.arange(shards + 1))
    for shard, (start, stop) in enumerate(pairwise(ends.tolist())):
        if start < stop:
            yield shard, places[start:stop]
