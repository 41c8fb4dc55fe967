"""A run of CQL queries: what it reads, its kernel program, and its answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from horae.data.bind_columns import read_table_name
from horae.data.catalogue_roll import INPUTS, Seconds
from horae.data.columns import DataType
from horae.data.input_files import RowTables
from horae.data.input_types import InputTypes
from horae.data.python_inputs import read_given_rows
from horae.data.roll import Names
from horae.data.row_layout import rows_of
from horae.data.typed_times import point_type
from horae.engine.answers import Answers
from horae.engine.contract import Routed
from horae.engine.options import asked
from horae.engine.run import Known, Run
from horae.languages.cql.kernel.answers import sorted_answers
from horae.languages.cql.live.program import LiveCQL
from horae.languages.cql.options import CQLOptions
from horae.languages.cql.plan.algebra import Algebra
from horae.languages.cql.plan.asked import only_asked
from horae.languages.cql.plan.make_algebra import make_algebra
from horae.languages.cql.program import Program
from horae.languages.cql.typed import output_schemas, typed_output


@dataclass(frozen=True)
class CQLRun(Run):
    """Records are the rows of all streams and relations; all shards know those of relations.

    `tells_rows`: in one process, the first of the faults of all shards is told.
    """

    checked: Program
    options: CQLOptions
    has_names = True
    tells_rows = True

    @cached_property
    def _plan(self) -> Algebra:
        return only_asked(make_algebra(self.checked), self.options.only)

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
        named = self.options.named_rows
        return sorted_answers(table, self.checked, named=named).in_ticks(self.ticks(program))

    def schemas(self, types: InputTypes, unknown: DataType) -> dict[str, pa.Schema]:
        streams = {item.name.lower() for item in self.checked.inputs if item.is_stream}
        timed = [
            columns
            for table, columns in types.tables.items()
            if read_table_name(table).name.lower() in streams
        ]
        found = [columns.get(self.reads.time) for columns in timed]
        found += [None] * types.has_facts
        found_schemas = output_schemas(self.checked, point_type(found, self.options.clock))
        return {name: found_schemas[name] for name in asked([*found_schemas], self.options.only)}

    def typed(self, rows: pa.Table, output: str, schema: pa.Schema, ticks: int) -> pa.Table:
        query = next(query for query in self.checked.queries if query.name == output)
        return typed_output(rows, query, schema, ticks, self.options.clock.numbers_per_second)

    def ticks(self, program: Routed) -> int:
        return self.options.clock.per_second

    def shown(self, row: dict[str, Any]) -> dict[str, Any]:
        return self.reads.layout.shown(row)
