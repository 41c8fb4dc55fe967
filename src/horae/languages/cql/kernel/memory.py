"""What goes from an evaluation to later ones, beside the rows of the input.

That are the rows of a query at the last evaluation time, for ISTREAM and DSTREAM, and those of its
answers that are still in the window of a later query.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
import pyarrow as pa

from horae.data.columns import Mask
from horae.data.rows_of_inputs import TIME, place_name
from horae.data.values import ARROW_TYPES
from horae.engine.chunks import part
from horae.languages.cql.kernel.kept_rows import KeptRows, table_from_bytes, table_to_bytes
from horae.languages.cql.kernel.streams import RANK, QueryRows
from horae.languages.cql.kernel.windows import FOREVER, lifetimes
from horae.languages.cql.plan.algebra import Algebra, QueryPlan, Read, TableScan
from horae.languages.cql.plan.walk import table_scans
from horae.languages.cql.syntax.tree import StreamOperator

_ENTRIES = 4096


@dataclass
class Memory:
    """By the names of queries: all of them in `before`, those that are read as streams in `given`."""

    plan: Algebra
    before: dict[str, pa.Table]
    given: dict[str, KeptRows]

    @classmethod
    def empty(cls, plan: Algebra) -> Self:
        return cls.load(plan, {})

    def copy(self) -> Memory:
        given = {name: KeptRows(kept.rows, kept.numbers) for name, kept in self.given.items()}
        return Memory(self.plan, dict(self.before), given)

    def become(self, other: Memory) -> None:
        """Take over what `other` was when it was copied."""
        self.before, self.given = dict(other.before), other.copy().given

    def give(self, query: QueryPlan, given: pa.Table) -> None:
        """Answers of a query, in case another one reads them."""
        if query.name in self.given:
            self.given[query.name].add(given)

    def remember(self, query: QueryPlan, rows: QueryRows) -> None:
        """The rows of a query at the last of its evaluation times."""
        if query.stream is not StreamOperator.RSTREAM:
            self.before[query.name] = rows.last()

    def forget(self, following: int) -> None:
        """Keep only the answers that an evaluation at `following` or later may see."""
        for name, kept in self.given.items():
            scans = scans_reading(self.plan, Read.ANSWERS_OF_QUERY, name)
            kept.keep(seen_later(scans, kept.rows, following))

    # --- as chunks

    def save(self) -> Iterator[tuple[str, bytes]]:
        """Queries are named by their places: a name may have any characters."""
        for place, query in enumerate(self.plan.queries):
            yield from _save_before(f"before/{place}", self.before[query.name])
            if query.name in self.given:
                yield from self.given[query.name].save(f"given/{place}")

    @classmethod
    def load(cls, plan: Algebra, chunks: Mapping[str, bytes]) -> Self:
        before, given = {}, {}
        for place, query in enumerate(plan.queries):
            before[query.name] = _load_before(f"before/{place}", query, chunks)
            if scans_reading(plan, Read.ANSWERS_OF_QUERY, query.name):
                given[query.name] = KeptRows.load(f"given/{place}", _outputs(query), chunks)
        return cls(plan, before, given)


def scans_reading(plan: Algebra, read: Read, name: str) -> tuple[TableScan, ...]:
    return tuple(scan for scan in table_scans(plan) if scan.read is read and scan.name == name)


def seen_later(scans: Iterable[TableScan], rows: pa.Table, following: int) -> Mask:
    """Which rows of a stream are in the window of a scan at `following` or later."""
    needed = np.zeros(rows.num_rows, bool)
    for scan in scans if following < FOREVER else ():
        assert scan.window is not None, "a stream is read with a window"
        start, until = lifetimes(scan.window, scan.window_places, rows)
        needed |= (until > following) & (until > start)
    return needed


def _save_before(name: str, rows: pa.Table) -> Iterator[tuple[str, bytes]]:
    """Without the time, which does not matter: a result that stays the same is not written again."""
    values = [name for name in rows.column_names if name not in (TIME, RANK)]
    ordered = rows.drop_columns(TIME).sort_by([(n, "ascending") for n in (RANK, *values)])
    for start in range(0, rows.num_rows, _ENTRIES):
        yield f"{name}/{start}", table_to_bytes(ordered.slice(start, _ENTRIES))


def _load_before(name: str, query: QueryPlan, chunks: Mapping[str, bytes]) -> pa.Table:
    own = part(f"{name}/", chunks)
    schema = _outputs(query).append(pa.field(RANK, pa.int64()))
    tables = [table_from_bytes(own[key]) for key in sorted(own, key=int)]
    rows = pa.concat_tables([schema.empty_table().drop_columns(TIME), *tables])
    times = pa.array(np.zeros(rows.num_rows, np.int64))
    return rows.add_column(0, TIME, times)


def _outputs(query: QueryPlan) -> pa.Schema:
    outputs = [(place_name(i), ARROW_TYPES[ref.type]) for i, ref in enumerate(query.outputs)]
    return pa.schema([(TIME, pa.int64()), *outputs])
