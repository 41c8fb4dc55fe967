"""A kernel program over facts that are all there: each shard goes to its fixpoint at once.

Before facts are spread, a *survey* of them says how finely time is counted, and at which times answers
are asked for. Rows are facts whose ends are cuts of that timeline. So are answers; what they look like,
`answers_of` and `shown_answers` say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from math import lcm
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.answer_times import AnswerTimes, AtFactEnds, answer_times, numbers_in_at
from horae.data.cuts import FUTURE, PAST, Cuts
from horae.data.fact_columns import ARGS, PREDICATE, SCHEMA, rows_by_predicate, to_columns
from horae.data.symbols import Symbols
from horae.engine.answers import Answers
from horae.engine.contract import Kernel, StateSize, Wants
from horae.languages.datalogmtl.analysis.delays import Infeasible, find_delays
from horae.languages.datalogmtl.check.facts import ground
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.languages.datalogmtl.kernel.answers import (
    INTERVALS,
    POINTS,
    interval_answers,
    interval_table,
    point_answers,
    point_table,
    points_within,
)
from horae.languages.datalogmtl.kernel.evaluate import interest_in, timeline_for
from horae.languages.datalogmtl.kernel.fact_relations import (
    HI,
    LO,
    relation_batches,
    relations_of,
    to_relations,
)
from horae.languages.datalogmtl.kernel.materialise import (
    ALL_TIME,
    Interest,
    look_ahead,
    materialise,
    waits_for_ever,
)
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.languages.datalogmtl.live.route_rows import route_rows
from horae.languages.datalogmtl.live.rows import TIME, cuts_of_rows
from horae.languages.datalogmtl.plan.make_stages import make_one_stage, make_stages
from horae.languages.datalogmtl.plan.stages import RuleStage, StagedProgram
from horae.rules.intervals.relation import clip

_CUTS = [pa.field(LO, pa.int64()), pa.field(HI, pa.int64())]
HELD = pa.schema([SCHEMA.field(PREDICATE), SCHEMA.field(ARGS), *_CUTS])
"""What holds in which interval, in cuts."""
ROWS = HELD.append(pa.field(TIME, pa.int64()))
SURVEY = pa.schema([("count", pa.int64()), ("unit", pa.int64())])
"""Ends of facts, as quotients."""


# --- a first look at the facts


def survey_of(facts: pa.Table, at: AnswerTimes | None) -> pa.Table:
    """The ends that tell how finely time is counted: the first and the last of each unit, or all.

    The surveys of several parts together say as much as that of the whole.
    """
    pairs = [
        pa.table({"count": facts.column(end), "unit": facts.column(f"{end}_unit")})
        for end in ("low", "high")
    ]
    ends = pa.concat_tables(pairs).drop_null()
    if isinstance(at, AtFactEnds):
        return ends.group_by(["count", "unit"]).aggregate([]).cast(SURVEY)
    grouped = ends.group_by("unit").aggregate([("count", "min"), ("count", "max")])
    extremes = [
        pa.table({"count": grouped.column(name), "unit": grouped.column("unit")})
        for name in ("count_min", "count_max")
    ]
    return pa.concat_tables(extremes).cast(SURVEY)


def whole_program(
    normal: NormalProgram,
    survey: pa.Table,
    *,
    at: AnswerTimes | None = None,
    horizon: Fraction | None = None,
    shards: int = 1,
) -> WholeDatalogMTL:
    """Times that do not fit into 64 bits are an error now, not an overflow later."""
    own = to_columns(ground(normal.facts))
    ends = pa.concat_tables([survey, survey_of(pa.Table.from_batches([own]), at)])
    times = [
        Fraction(count, unit)
        for count, unit in zip(*(ends.column(n).to_pylist() for n in SURVEY.names), strict=True)
    ]
    asked = None if at is None else answer_times(at, times, horizon)
    more = [*([] if horizon is None else [horizon]), *numbers_in_at(at)]
    needed = timeline_for(normal, (), more).resolution
    timeline = Timeline(lcm(needed, *{time.denominator for time in times}))
    for time in times:
        timeline.ticks(time)
    interest = interest_in(horizon, asked)
    return WholeDatalogMTL(
        _stages_for(normal, interest),
        shards,
        timeline,
        interest,
        None if asked is None else tuple(map(timeline.ticks, asked)),
        program_rows(pa.Table.from_batches([own]), timeline),
    )


def _stages_for(normal: NormalProgram, interest: Interest) -> StagedProgram:
    """Where answers may depend on what never ends, no part of the program can stop by itself."""
    delays = None if interest.last is None else waits_for_ever(normal)
    return make_stages(normal) if delays is None else make_one_stage(normal, delays.path[0])


def program_rows(facts: pa.Table, timeline: Timeline) -> pa.Table:
    """Facts, with the columns of `data.fact_columns`, as rows of the program."""
    lo, hi = cuts_of_rows(facts, timeline)
    columns: list[Any] = [facts.column(PREDICATE), facts.column(ARGS), pa.array(lo), pa.array(hi)]
    return pa.Table.from_arrays([*columns, pa.array(lo >> 1)], schema=ROWS)


# --- the kernel program


@dataclass(frozen=True)
class WholeDatalogMTL:
    """The stage with this number; `own` are the facts of the program text.

    `points` are the ticks at which answers are asked for; None: everywhere.
    """

    plan: StagedProgram
    shards: int
    timeline: Timeline
    interest: Interest
    points: tuple[int, ...] | None
    own: pa.Table
    number: int = 0

    @property
    def rows(self) -> pa.Schema:
        return ROWS

    @property
    def answers(self) -> pa.Schema:
        return HELD

    @property
    def wants(self) -> Wants:
        return Wants.NOTHING

    @property
    def fingerprint(self) -> str:
        return ""  # nothing is ever saved

    @property
    def stage(self) -> RuleStage:
        return self.plan.stages[self.number]

    @property
    def later(self) -> WholeDatalogMTL | None:
        number = self.number + 1
        return replace(self, number=number) if number < len(self.plan.stages) else None

    @property
    def width(self) -> int:
        return self.shards if self.stage.is_spread else 1

    def route(self, rows: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        """Facts come once, to the stage that derives their predicate or first reads it."""
        earlier = {name for s in self.plan.stages[: self.number] for name in s.emits.values()}
        if earlier:
            known = pc.is_in(rows.column(PREDICATE), pa.array(sorted(earlier), pa.string()))
            rows = rows.filter(pc.invert(known))
        return route_rows(rows, self.stage, self.width)

    def route_derived(self, derived: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        return route_rows(derived, self.stage, self.width)

    def start_whole(self, shard: int) -> WholeShard:
        kernel = WholeShard(self)
        for number, rows in self.route(self.own):
            if number == shard:
                kernel.add(rows)
        return kernel

    def start(self, shard: int) -> Kernel:
        return self.start_whole(shard)

    def restore(self, shard: int, chunks: Mapping[str, bytes]) -> Kernel:
        raise AssertionError("a run whose whole input is there is not continued")

    @property
    def needed(self) -> Interest:
        """What the stage must be exact in: later ones may look ahead.

        Where they do so without end, all stages end by themselves, or there is only one.
        """
        last = self.interest.last
        if last is None or len(self.plan.stages) == 1:
            return self.interest
        if isinstance(find_delays(self.plan.whole), Infeasible):
            return ALL_TIME
        return Interest(last=last + look_ahead(self.plan.whole))


class WholeShard:
    """All facts of a shard, and what follows from them."""

    def __init__(self, program: WholeDatalogMTL) -> None:
        self._program = program
        self._held: dict[str, list[pa.Table]] = {}
        self._derived = HELD.empty_table()

    def see(self, points: Cuts) -> None:
        """Nothing to do: a shard of a whole input wants no time points."""

    def add(self, rows: pa.Table) -> None:
        for name, own in rows_by_predicate(rows):
            self._held.setdefault(name, []).append(own.select(HELD.names))

    add_derived = add

    def decide(self, until: int) -> pa.Table:
        raise AssertionError("all rows come before anything is decided")

    def finish(self) -> pa.Table:
        program = self._program
        stage, timeline = program.stage, program.timeline
        held, symbols = relations_of({n: pa.concat_tables(rows) for n, rows in self._held.items()})
        found = materialise(
            stage.program, held, symbols, timeline, program.needed, stage.emits.keys()
        )
        emitted = {shown: found[name] for name, shown in stage.emits.items() if name in found}
        if program.later is not None:
            self._derived = _table(relation_batches(emitted, symbols))
        last = program.interest.last
        end = FUTURE if last is None else 2 * timeline.ticks(last) + 1
        asked = program.plan.whole.program.queries
        answers = {name: clip(emitted[name], PAST, end) for name in asked if name in emitted}
        return _table(relation_batches(answers, symbols))

    def derived(self) -> pa.Table:
        return self._derived

    def save(self) -> Iterator[tuple[str, bytes]]:
        raise AssertionError("a run whose whole input is there is not continued")

    def state_size(self) -> StateSize:
        held = [*chain.from_iterable(self._held.values())]
        rows = sum(map(len, held))
        return StateSize(rows, rows, sum(table.nbytes for table in held))


def _table(batches: Iterator[pa.RecordBatch]) -> pa.Table:
    return pa.Table.from_batches([*batches], HELD)


# --- answers


def answers_of(program: WholeDatalogMTL, held: pa.Table) -> Answers:
    """What the kernels answered, sorted."""
    symbols = Symbols()
    found = to_relations(held, PREDICATE, symbols)
    if program.points is None:
        return interval_answers(found, symbols, program.timeline)
    return point_answers(found, symbols, program.timeline, program.points)


def held_answers(program: WholeDatalogMTL, held: pa.Table) -> pa.Table:
    """What holds where it is asked for, in no order: as it is held, or with the `ticks` of points."""
    if program.points is None:
        return held
    lo, hi = (held.column(end).to_numpy() for end in (LO, HI))
    each, places = points_within(lo, hi, [*program.points])
    ticks: Any = pa.array(np.array(program.points, np.int64)[places])
    return held.take(each).append_column("ticks", ticks)


def shown_answers(program: WholeDatalogMTL, held: pa.Table) -> pa.Table:
    """The same with the columns of DataFrames, in no order."""
    symbols = Symbols()
    found = to_relations(held, PREDICATE, symbols)
    if program.points is None:
        return interval_table(found, symbols, program.timeline).cast(INTERVALS)
    points = [*program.points]
    ticks = np.array(points, np.int64)
    shown: dict[str, Any] = {}
    for name, rows in found.items():
        each, places = points_within(rows.lo, rows.hi, points)
        shown[name] = rows.arguments[each], ticks[places]
    return point_table(shown, symbols, program.timeline).cast(POINTS)
