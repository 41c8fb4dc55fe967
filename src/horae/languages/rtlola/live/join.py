"""The stage that joins shards: it reads nothing but operators over their instances.

What shards export in a micro-batch is decided, so nothing waits here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa

from horae.data import layout
from horae.engine.contract import Wants
from horae.languages.rtlola.kernel.kernel import RTLolaKernel
from horae.languages.rtlola.kernel.options import Options, QuantifiedMode
from horae.languages.rtlola.live.clocked import Clocked
from horae.languages.rtlola.live.records import merged
from horae.languages.rtlola.plan.stages import Join


@dataclass(frozen=True)
class LiveJoin:
    """`whole`, `answers` and `fingerprint` are those of the whole specification."""

    join: Join
    whole: Options
    answers: pa.Schema
    fingerprint: str

    @property
    def rows(self) -> pa.Schema:
        """No rows of the stream come here."""
        return pa.schema({"time": pa.int64()})

    @property
    def wants(self) -> Wants:
        return Wants.ENDS

    @property
    def width(self) -> int:
        return 1

    @property
    def later(self) -> None:
        return None

    @cached_property
    def options(self) -> Options:
        return replace(self.whole, quantified=QuantifiedMode.IMPORT, joined=self.join.imported)

    def route(self, rows: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        yield from ()

    def route_derived(self, derived: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        yield 0, derived

    def start(self, shard: int) -> JoinShard:
        return JoinShard(self)

    def restore(self, shard: int, chunks: Mapping[str, bytes]) -> JoinShard:
        started = JoinShard(self)
        started.restore(chunks)
        return started


class JoinShard(Clocked):
    def __init__(self, live: LiveJoin) -> None:
        kernel = RTLolaKernel(live.join.program, live.options)
        super().__init__(kernel, live.answers)
        self._live = live
        self._records: list[pa.Table] = []

    def add(self, rows: pa.Table) -> None:
        assert not len(rows), "rows go to the shards before"

    def add_derived(self, rows: pa.Table) -> None:
        self._records.append(rows)

    def _decide(self, until: int, last: int) -> pa.Table:
        self._push()
        return self._answers(lambda: self._kernel.advance(until, last))

    def _finish(self, end: int) -> pa.Table:
        self._push()
        return self._answers(lambda: self._kernel.finish(end))

    def _push(self) -> None:
        records, self._records = self._records, []
        found = pa.concat_tables(records) if records else pa.table({})
        if len(found):
            batch = merged(found, len(self._live.join.imported))
            numbers = pa.array(np.zeros(batch.num_rows, np.int64))
            self._kernel.push(batch.append_column(layout.ROW, numbers))

    def restore(self, chunks: Mapping[str, bytes]) -> None:
        live = self._live
        self._restore(chunks, live.join.program, live.options)
