"""A run of a LARS program over facts; background data is known before they are spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from horae.data.catalogue_roll import PREDICATES, Seconds
from horae.data.columns import DataType
from horae.data.fact_columns import (
    SCHEMA,
    background_rows,
    coded_rows,
    facts_of_rows,
    shown_fact,
    timed_rows,
)
from horae.data.facts import fact_parts
from horae.data.input_types import InputTypes
from horae.data.python_inputs import read_given_facts
from horae.data.roll import Names
from horae.data.typed_times import point_type
from horae.engine.answers import Answers
from horae.engine.contract import Routed
from horae.engine.run import FactTables, Known, Run
from horae.languages.lars.answers import lars_answers
from horae.languages.lars.kernel.facts import StreamCheck
from horae.languages.lars.live.program import LiveLARS, live_lars, whole_lars
from horae.languages.lars.live.rows import to_rows
from horae.languages.lars.options import LARSOptions
from horae.languages.lars.plan.route_program import route_program
from horae.languages.lars.plan.routes import RoutedProgram
from horae.languages.lars.program import Program
from horae.languages.lars.typed import flows, output_schemas, typed_output
from horae.rules.argument_types import argument_types, given_kinds, given_times


@dataclass(frozen=True)
class LARSRun(Run):
    """A checked program and its options."""

    checked: Program
    options: LARSOptions

    records = SCHEMA
    has_names = True

    @cached_property
    def plan(self) -> RoutedProgram:
        return route_program(self.checked)

    @property
    def names(self) -> Names:
        """The predicates that facts may be about."""
        said = {fact.atom.predicate for fact in self.checked.facts} | self.checked.derived
        awaited = self.checked.arities.keys() - said
        seconds = Seconds.OF_WINDOWS if self.checked.counts_seconds else None
        return Names(self.checked.arities, awaited, PREDICATES, seconds=seconds)

    # --- from input to records

    @property
    def reads(self) -> FactTables:
        """Windows count atoms of any predicate."""
        return FactTables(
            self.checked.arities,
            self.options.time_column,
            self.options.order,
            others=True,
            clock=self.checked.clock,
        )

    def read_values(self, inputs: object) -> pa.Table:
        return coded_rows(read_given_facts(inputs, self.checked.arities, **self._reading))

    def read_files(self, paths: Sequence[str]) -> pa.Table:
        return coded_rows(fact_parts(paths, self.checked.arities, **self._reading))

    @property
    def _reading(self) -> dict[str, Any]:
        return {
            "time": self.reads.time,
            "order": self.reads.order,
            "others": self.reads.others,
            "clock": self.reads.clock,
            "check": StreamCheck(self.checked.derived),
        }

    # --- from records to answers

    def survey(self, records: pa.Table) -> pa.Table:
        """Background data."""
        return background_rows(records).cast(SCHEMA)

    def program(self, known: Known) -> LiveLARS:
        make, given = (live_lars, known.static) if known.live else (whole_lars, known.survey)
        return make(self.plan, self.options, shards=known.shards, given=facts_of_rows(given))

    def rows(self, program: Routed, records: pa.Table) -> pa.Table:
        """Of a whole input, background data is known already; in a stream it is refused."""
        assert isinstance(program, LiveLARS), "it is made above"
        facts = timed_rows(records) if program.is_whole else records
        return to_rows(facts, self.checked.derived)

    def answers(self, program: Routed, table: pa.Table) -> Answers:
        return lars_answers(table).in_ticks(self.ticks(program))

    def schemas(self, types: InputTypes, unknown: DataType) -> dict[str, pa.Schema]:
        checked, clock = self.checked, self.options.clock
        names = checked.arities, self.reads.time, self.reads.order
        given, time = given_kinds(types, *names), point_type(given_times(types, *names), clock)
        return output_schemas(checked, argument_types(flows(checked), given), time, unknown)

    def typed(self, rows: pa.Table, output: str, schema: pa.Schema, ticks: int) -> pa.Table:
        numbers = self.options.clock.numbers_per_second
        return typed_output(rows, self.checked, output, schema, ticks, numbers)

    def ticks(self, program: Routed) -> int:
        return self.options.clock.per_second

    def shown(self, row: dict[str, Any]) -> dict[str, Any] | None:
        return shown_fact(row)
