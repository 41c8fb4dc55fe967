"""A run of CQL queries: what it reads, its kernel program, and its answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from horae.data.catalogue_roll import INPUTS, Seconds
from horae.data.input_files import RowTables
from horae.data.python_inputs import read_given_rows
from horae.data.roll import Names
from horae.data.row_layout import rows_of
from horae.data.rows_of_inputs import TIME
from horae.engine.answers import Answers
from horae.engine.contract import Routed
from horae.engine.run import Known, Run
from horae.languages.cql.kernel.answers import sorted_answers
from horae.languages.cql.kernel.streams import RANK
from horae.languages.cql.live.program import LiveCQL
from horae.languages.cql.options import CQLOptions
from horae.languages.cql.plan.algebra import Algebra
from horae.languages.cql.plan.make_algebra import make_algebra
from horae.languages.cql.program import Program

_COLUMNS = [TIME, "query", "row", "kind", RANK]
"""Of DataFrames of answers."""


@dataclass(frozen=True)
class CQLRun(Run):
    """Records are the rows of all streams and relations; all shards know those of relations."""

    checked: Program
    options: CQLOptions
    has_names = True

    @cached_property
    def _plan(self) -> Algebra:
        return make_algebra(self.checked)

    @property
    def names(self) -> Names:
        registered = [item.name for item in self.checked.inputs]
        seconds = Seconds.OF_WINDOWS if self.checked.counts_seconds else None
        return Names(registered, registered, INPUTS, any_case=True, seconds=seconds)

    # --- input

    @cached_property
    def reads(self) -> RowTables:
        inputs = {item.name.lower(): item for item in self.checked.inputs}
        return RowTables(inputs, self.options.time_column, self.options.order)

    @property
    def records(self) -> pa.Schema:  # type: ignore[override]
        return self.reads.layout.schema

    def read_values(self, inputs: object) -> pa.Table:
        return self._packed(read_given_rows(inputs, self.reads))

    def read_files(self, paths: Sequence[str]) -> pa.Table:
        return self._packed(self.reads.read_files(paths))

    def _packed(self, rows: Mapping[str, pa.Table]) -> pa.Table:
        return self.reads.layout.pack_all(rows)

    # --- the program

    def survey(self, records: pa.Table) -> pa.Table:
        """The rows of relations."""
        relations = self.reads.layout.relations
        return rows_of(records, relations) if relations else pa.table({})

    def program(self, known: Known) -> LiveCQL:
        layout = self.reads.layout
        found = layout.unpack(known.survey) if layout.relations else {}
        relations = {item.name: found[item.name] for item in layout.relations}
        return LiveCQL(self._plan, self.options.at, relations, known.shards)

    def rows(self, program: Routed, records: pa.Table) -> pa.Table:
        return rows_of(records, self.reads.layout.streams).select(program.rows.names)

    # --- answers

    def answers(self, program: Routed, table: pa.Table) -> Answers:
        return sorted_answers(table)

    def shape(self, program: Routed, table: pa.Table, output: str | None = None) -> pa.Table:
        return table.select(_COLUMNS)

    def shown(self, row: dict[str, Any]) -> dict[str, Any]:
        return self.reads.layout.shown(row)
