"""A run of a DatalogMTL program: facts come in, and what holds in which interval, or at which times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from horae.data.answer_times import AtFactEnds, answer_times, numbers_in_at
from horae.data.catalogue_roll import PREDICATES, Seconds
from horae.data.columns import DataType
from horae.data.fact_columns import SCHEMA, shown_fact, to_facts
from horae.data.facts import read_fact_files
from horae.data.input_types import InputTypes
from horae.data.predicate_facts import PredicateFacts, times_of_columns
from horae.data.python_inputs import read_given_facts
from horae.data.roll import Names
from horae.data.typed_times import time_type
from horae.engine.answers import Answers
from horae.engine.contract import Routed
from horae.engine.run import FactTables, Known, Run
from horae.languages.datalogmtl.batch import (
    WholeDatalogMTL,
    answers_of,
    held_answers,
    program_rows,
    shown_answers,
    survey_of,
    whole_program,
)
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.languages.datalogmtl.check.normalise import normalise
from horae.languages.datalogmtl.kernel.answers import (
    interval_answers,
    point_answers,
    sorted_answers,
)
from horae.languages.datalogmtl.kernel.evaluate import evaluate, program_facts, timeline_for
from horae.languages.datalogmtl.live.program import LiveDatalogMTL, live_datalogmtl
from horae.languages.datalogmtl.options import DatalogMTLOptions
from horae.languages.datalogmtl.program import Program
from horae.languages.datalogmtl.typed import flows, output_schemas, typed_output
from horae.rules.argument_types import argument_types, given_kinds, given_times


@dataclass(frozen=True)
class DatalogMTLRun(Run):
    """In process, facts are read as columns per predicate and evaluated to the fixpoint at once."""

    checked: Program
    options: DatalogMTLOptions

    records = SCHEMA
    has_names = True
    too_narrow = frozenset(("INP026", "RUN010", "RUN045"))  # times: of a fact, in ticks, derived

    @cached_property
    def normal(self) -> NormalProgram:
        return normalise(self.checked)

    @property
    def names(self) -> Names:
        said = {fact.atom.predicate for fact in self.checked.facts} | self.checked.derived
        arities = self.checked.arities
        return Names(arities, arities.keys() - said, PREDICATES, seconds=Seconds.BESIDE_DATES)

    @property
    def reads(self) -> FactTables:
        every = isinstance(self.options.at, AtFactEnds)
        checked = self.checked
        return FactTables(checked.arities, self._time, clock=checked.clock, every_time=every)

    @property
    def _time(self) -> str:
        return self.options.time or "time"

    # --- in process

    def read_values(self, inputs: object) -> list[PredicateFacts]:
        """The text of a `.facts` file, facts such as `("up", ["a"], "[1,5/2)")`, paths and tables."""
        arities, clock = self.checked.arities, self.checked.clock
        return read_given_facts(inputs, arities, time=self._time, clock=clock)

    def read_files(self, paths: Sequence[str]) -> list[PredicateFacts]:
        arities, clock = self.checked.arities, self.checked.clock
        return read_fact_files(paths, arities, time=self._time, clock=clock)

    def evaluate(self, records: Sequence[PredicateFacts]) -> Answers:
        """The answers, computed with integers of any size where 64 bits are too few."""
        at, horizon = self.options.at, self.options.horizon
        if at is None:
            found = evaluate(self.normal, records, horizon=horizon)
            answers = interval_answers(found.found, found.symbols, found.timeline)
            return answers.in_ticks(found.timeline.resolution)
        known = times_of_columns([*program_facts(self.normal), *records])
        times = answer_times(at, known, horizon)
        found = evaluate(self.normal, records, horizon=horizon, at=times)
        points = [found.timeline.ticks(time) for time in times]
        answers = point_answers(found.found, found.symbols, found.timeline, points)
        return answers.in_ticks(found.timeline.resolution)

    # --- as a kernel program

    def survey(self, records: pa.Table) -> pa.Table:
        return survey_of(records, self.options.at)

    def program(self, known: Known) -> Routed:
        at, horizon = self.options.at, self.options.horizon
        if not known.live:
            return whole_program(
                self.normal, known.survey, at=at, horizon=horizon, shards=known.shards
            )
        given = [fact for batch in known.static.to_batches() for fact in to_facts(batch)]
        return live_datalogmtl(
            self.normal,
            given=given,
            precision=self.options.precision,
            at=at,
            horizon=horizon,
            shards=known.shards,
        )

    def rows(self, program: Routed, records: pa.Table) -> pa.Table:
        if isinstance(program, LiveDatalogMTL):
            return program.read(records)
        return program_rows(records, _whole(program).timeline)

    def answers(self, program: Routed, table: pa.Table) -> Answers:
        """Of rows of answers, or of what kernels of a whole input gave."""
        has_rows = self.order_column in table.column_names and "interval" in table.column_names
        ticks = self.ticks(program)
        if isinstance(program, LiveDatalogMTL) or has_rows or "ticks" in table.column_names:
            return sorted_answers(table).in_ticks(ticks)
        return answers_of(_whole(program), table).in_ticks(ticks)

    @property
    def order_column(self) -> str:
        return "lo" if self.options.at is None else "ticks"

    def schemas(self, types: InputTypes, unknown: DataType) -> dict[str, pa.Schema]:
        checked = self.checked
        given = given_kinds(types, checked.arities, self._time, None)
        return output_schemas(
            checked,
            argument_types(flows(checked), given),
            self._time_type(given_times(types, checked.arities, self._time, None)),
            unknown,
            at_points=self.options.at is not None,
        )

    def _time_type(self, found: Iterable[DataType | None]) -> DataType:
        """Whole numbers, where all constants of the program and times that are asked for are such."""
        at, horizon = self.options.at, self.options.horizon
        more = [*([] if horizon is None else [horizon]), *numbers_in_at(at)]
        steps = timeline_for(self.normal, (), more).resolution
        unit = self.checked.clock.numbers_per_second
        return time_type(found, pa.float64(), whole=unit % steps == 0)

    def answer_rows(self, program: Routed, table: pa.Table) -> pa.Table:
        return (
            table if isinstance(program, LiveDatalogMTL) else shown_answers(_whole(program), table)
        )

    def typed_rows(self, program: Routed, table: pa.Table) -> pa.Table:
        live = isinstance(program, LiveDatalogMTL)
        return table if live else held_answers(_whole(program), table)

    def typed(self, rows: pa.Table, output: str, schema: pa.Schema, ticks: int) -> pa.Table:
        return typed_output(rows, output, schema, ticks, self.checked.clock.numbers_per_second)

    def resolution(self, program: Routed) -> int:
        return _timed(program).timeline.resolution

    def ticks(self, program: Routed) -> int:
        return self.resolution(program)

    def shown(self, row: dict[str, Any]) -> dict[str, Any] | None:
        return shown_fact(row)


def _whole(program: Routed) -> WholeDatalogMTL:
    assert isinstance(program, WholeDatalogMTL), "the run made it"
    return program


def _timed(program: Routed) -> WholeDatalogMTL | LiveDatalogMTL:
    return program if isinstance(program, LiveDatalogMTL) else _whole(program)
