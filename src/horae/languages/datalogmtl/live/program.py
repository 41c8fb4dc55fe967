"""A DatalogMTL program over a stream, as it travels to the workers.

Time is counted in ticks that divide every number of the program, every time that is known before the
stream starts, and the declared precision of the input.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.answer_times import AnswerTimes, AtFactEnds, AtMultiples, numbers_in_at
from horae.data.fact_columns import PREDICATE, to_columns
from horae.data.ground_facts import GroundFact
from horae.data.layout import Place
from horae.data.predicate_facts import columns_of_facts
from horae.engine.contract import Wants
from horae.languages.datalogmtl.check.facts import ground
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.languages.datalogmtl.kernel.answers import INTERVALS, POINTS
from horae.languages.datalogmtl.kernel.evaluate import numbers_of, timeline_for
from horae.languages.datalogmtl.kernel.forward import bounded_delays
from horae.languages.datalogmtl.kernel.materialise import look_ahead
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.languages.datalogmtl.live.route_rows import marks, route_rows
from horae.languages.datalogmtl.live.rows import ROWS, finite_ends, to_rows
from horae.languages.datalogmtl.live.shard import LiveShard, Setting
from horae.languages.datalogmtl.plan.make_stages import make_stages
from horae.languages.datalogmtl.plan.stages import RuleStage

MICROSECONDS = Fraction(1, 10**6)
_LAYOUT = 1  # of the state


def live_datalogmtl(
    normal: NormalProgram,
    *,
    given: Sequence[GroundFact] = (),
    precision: Fraction = MICROSECONDS,
    at: AnswerTimes | None = None,
    horizon: Fraction | None = None,
    shards: int = 1,
) -> LiveDatalogMTL:
    """`given`: facts that are there before the stream starts, all static ones among them.

    Times of the input are multiples of `precision`. Refuses a program that would have to wait for
    ever.
    """
    if precision <= 0:
        raise ValueError(f"precision: `{precision}` must be greater than 0, such as 1/1000")
    bounded_delays(normal)
    facts = [*ground(normal.facts), *given]
    ends = () if horizon is None else (horizon,)
    timeline = timeline_for(normal, columns_of_facts(facts), (precision, *ends, *numbers_in_at(at)))
    for number in (*numbers_of(normal), *ends, *numbers_in_at(at)):
        timeline.ticks(number)  # refused now, not in a worker
    stages = make_stages(normal).stages if shards > 1 else ()
    return LiveDatalogMTL(
        normal=normal,
        stages=stages if any(stage.is_spread for stage in stages) else (),
        shards=shards,
        timeline=timeline,
        at=at,
        horizon=horizon,
        given=pa.Table.from_batches([to_columns(facts)]),
    )


@dataclass(frozen=True)
class LiveDatalogMTL:
    """One of the stages, the one with this number; no stages: the program runs in one shard.

    `given` are the facts that are there before the stream starts, those of the program text too.
    """

    normal: NormalProgram
    stages: tuple[RuleStage, ...]
    shards: int
    timeline: Timeline
    at: AnswerTimes | None
    horizon: Fraction | None
    given: pa.Table
    number: int = 0

    @property
    def rows(self) -> pa.Schema:
        return ROWS

    @property
    def answers(self) -> pa.Schema:
        return INTERVALS if self.at is None else POINTS

    @property
    def wants(self) -> Wants:
        match self.at:
            case AtFactEnds():
                return Wants.ALL
            case AtMultiples():
                return Wants.ENDS
            case _:
                return Wants.NOTHING

    @property
    def resolution(self) -> int:
        """Ticks of one unit of time."""
        return self.timeline.resolution

    @property
    def fingerprint(self) -> str:
        """Equal for programs that can go on with each other's state."""
        asked = self.normal.program.queries
        options = (_LAYOUT, self.shards, self.resolution, self.at, self.horizon, asked)
        digest = hashlib.blake2b(self.normal.program.source.text.encode(), digest_size=16)
        digest.update(repr((*options, self.given.to_pylist())).encode())
        return digest.hexdigest()

    def read(self, facts: pa.Table, place: Place | None = None) -> pa.Table:
        """Facts as rows; a time that the ticks do not hold is an error of its row."""
        return to_rows(facts, self.timeline, place)

    # --- stages

    @property
    def stage(self) -> RuleStage | None:
        return self.stages[self.number] if self.stages else None

    @property
    def later(self) -> LiveDatalogMTL | None:
        number = self.number + 1
        return replace(self, number=number) if number < len(self.stages) else None

    @property
    def _earlier(self) -> frozenset[str]:
        """What stages before this one hand on."""
        return frozenset(name for s in self.stages[: self.number] for name in s.emits.values())

    @property
    def _known(self) -> frozenset[str]:
        """What is first read by its name; marks of the first stage come before rows of later ones."""
        stages = self.stages if self.wants is Wants.NOTHING else self.stages[:1]
        names: dict[str, str] = {}
        for route in (route for stage in stages for route in stage.routes):
            names.setdefault(route.predicate, route.name)
        return frozenset(predicate for predicate, name in names.items() if predicate == name)

    # --- shards

    @property
    def width(self) -> int:
        return self.shards if self.stage is not None and self.stage.is_spread else 1

    def route(self, rows: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        """The rows of each shard; a row may go to several."""
        return ((shard, part) for shard, part in self._routed(rows) if len(part))

    def _routed(self, rows: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        """Facts come once, to the stage that derives their predicate or first reads it.

        Those that no stage reads by their name go to the first shard: there they are known if they
        are late.
        """
        if self.stage is None:
            yield 0, rows
            return
        if self.number == 0:
            yield 0, _without(rows, self._known)
        yield from route_rows(_without(rows, self._earlier), self.stage, self.width)
        if self.wants is not Wants.NOTHING:
            ends = marks(rows)
            yield from ((shard, ends) for shard in range(self.width))

    def route_derived(self, derived: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        assert self.stage is not None, "only stages read what others derive"
        return route_rows(derived, self.stage, self.width)

    def start(self, shard: int) -> LiveShard:
        kernel = LiveShard(self._setting())
        for number, rows in self.route(self.given):
            if number == shard:
                kernel.add(rows)
        kernel.see(finite_ends(self.given, self.timeline))
        return kernel

    def restore(self, shard: int, chunks: Mapping[str, bytes]) -> LiveShard:
        return LiveShard.restored(self._setting(), chunks)

    def _setting(self) -> Setting:
        """The same for every shard."""
        end = None if self.horizon is None else self.timeline.ticks(self.horizon)
        asked, delays = frozenset(self.normal.program.queries), bounded_delays(self.normal)
        if self.stage is None:
            emits = {name: name for name in asked}
            return Setting(self.normal, emits, asked, delays, self.timeline, end, end, self.at)
        emits = self.stage.emits
        program = replace(self.normal.program, queries=tuple(emits))
        return Setting(
            replace(self.stage.program, program=program),
            emits,
            asked,
            self._delays(self.stage, delays),
            self.timeline,
            end,
            self._reach(),
            self.at,
        )

    def _delays(self, stage: RuleStage, delays: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """By the names of the stage. What it reads is delayed as much as it was where it was derived."""
        named = {route.name: route.predicate for route in stage.routes}
        named |= {name: name for name in stage.derives}
        return {n: delays[predicate] for n, predicate in named.items() if predicate in delays}

    def _reach(self) -> int | None:
        """Later stages may look ahead: earlier ones must be exact as far as that."""
        if self.horizon is None:
            return None
        more = Fraction(0) if self.later is None else look_ahead(self.normal)
        return self.timeline.ticks(self.horizon + more)


def _without(rows: pa.Table, predicates: frozenset[str]) -> pa.Table:
    named = pc.is_in(rows.column(PREDICATE), pa.array(sorted(predicates), pa.string()))
    return rows.filter(pc.invert(named))
