"""A run of a DatalogMTL program: facts come in, and what holds in which interval, or at which times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from horae.data.answer_times import answer_times
from horae.data.catalogue_roll import PREDICATES, Seconds
from horae.data.fact_columns import SCHEMA, shown_fact, to_facts
from horae.data.facts import read_fact_files
from horae.data.predicate_facts import PredicateFacts, times_of_columns
from horae.data.python_inputs import read_given_facts
from horae.data.roll import Names
from horae.engine.answers import Answers
from horae.engine.contract import Routed
from horae.engine.run import FactTables, Known, Run
from horae.languages.datalogmtl.batch import (
    WholeDatalogMTL,
    answers_of,
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
from horae.languages.datalogmtl.kernel.evaluate import evaluate, program_facts
from horae.languages.datalogmtl.live.program import LiveDatalogMTL, live_datalogmtl
from horae.languages.datalogmtl.options import DatalogMTLOptions
from horae.languages.datalogmtl.program import Program


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
        return FactTables(self.checked.arities, self._time, clock=self.checked.clock)

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
            return interval_answers(found.found, found.symbols, found.timeline)
        known = times_of_columns([*program_facts(self.normal), *records])
        times = answer_times(at, known, horizon)
        found = evaluate(self.normal, records, horizon=horizon, at=times)
        points = [found.timeline.ticks(time) for time in times]
        return point_answers(found.found, found.symbols, found.timeline, points)

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
        if isinstance(program, LiveDatalogMTL):
            return sorted_answers(table)
        return answers_of(_whole(program), table)

    def shape(self, program: Routed, table: pa.Table, output: str | None = None) -> pa.Table:
        if isinstance(program, LiveDatalogMTL):
            return table
        return shown_answers(_whole(program), table)

    def resolution(self, program: Routed) -> int:
        return _timed(program).timeline.resolution

    def shown(self, row: dict[str, Any]) -> dict[str, Any] | None:
        return shown_fact(row)


def _whole(program: Routed) -> WholeDatalogMTL:
    assert isinstance(program, WholeDatalogMTL), "the run made it"
    return program


def _timed(program: Routed) -> WholeDatalogMTL | LiveDatalogMTL:
    return program if isinstance(program, LiveDatalogMTL) else _whole(program)
