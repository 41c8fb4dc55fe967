"""Programs of DatalogMTL with streams for them: random ones, and how they are run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

import pyarrow as pa
from tests.languages.datalogmtl.kernel.driving import grounded, prepared, runs_in_a_stream
from tests.languages.datalogmtl.kernel.past_programs import random_past_program
from tests.live.driving import Driver, Step, arrivals, cuts, never
from tests.strategies.datalogmtl_large import Stretched
from tests.strategies.datalogmtl_programs import HORIZON, random_facts, random_program

from horae.data.answer_times import AnswerTimes, AtTimes, answer_times, read_at
from horae.data.fact_columns import to_columns
from horae.data.ground_facts import GroundFact, times_of
from horae.data.predicate_facts import columns_of_facts
from horae.languages.datalogmtl.check.facts import ground
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.languages.datalogmtl.kernel.answers import interval_answers, point_answers
from horae.languages.datalogmtl.kernel.evaluate import evaluate
from horae.languages.datalogmtl.live import LiveDatalogMTL, live_datalogmtl
from horae.languages.datalogmtl.plan.make_stages import make_stages

Answers = list[dict[str, Any]]

SIXTHS = Fraction(1, 6)
KINDS = (
    "datalog",
    "mitl-fp",
    "mtl-fp",
    "full",
    "full",
    "past",
    "spread",
    "spread",
    "staged",
    "staged",
)


def in_batch(
    normal: NormalProgram,
    facts: Sequence[GroundFact],
    at: AnswerTimes | None = None,
    horizon: Fraction | None = None,
) -> Answers:
    if at is None:
        found = evaluate(normal, columns_of_facts(facts), horizon=horizon)
        return list(interval_answers(found.found, found.symbols, found.timeline))
    times = answer_times(at, times_of([*ground(normal.facts), *facts]), horizon)
    found = evaluate(normal, columns_of_facts(facts), horizon=horizon, at=times)
    points = [found.timeline.ticks(time) for time in times]
    return list(point_answers(found.found, found.symbols, found.timeline, points))


def rows_of(live: LiveDatalogMTL, facts: Sequence[GroundFact]) -> pa.Table:
    return live.read(pa.Table.from_batches([to_columns(facts)]))


def driver(
    live: LiveDatalogMTL, lateness: int = 0, restart: Callable[[int], bool] = never
) -> Driver:
    return Driver(live, lateness, restart)


def answers_of(steps: Iterable[Step]) -> Answers:
    """In no order, without the columns to sort by."""
    return [answer for step in steps for answer in plain(step.answers)]


def plain(answers: pa.Table) -> Answers:
    return [_answer(row) for row in answers.to_pylist()]


def _answer(row: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {
        name: row[name] for name in ("time", "predicate", "interval") if name in row
    }
    return {**kept, "args": json.loads(row["args"])}


def same(left: Answers, right: Answers) -> bool:
    """As bags: an answer that comes twice is one too many."""
    keys = (sorted(json.dumps(a, sort_keys=True) for a in side) for side in (left, right))
    return next(keys) == next(keys)


# --- one program and its stream, all that matters written out


@dataclass(frozen=True)
class Case:
    normal: NormalProgram
    given: tuple[GroundFact, ...]
    streamed: tuple[GroundFact, ...]
    at: AnswerTimes | None
    horizon: Fraction | None
    shards: int
    lateness: int

    @property
    def facts(self) -> tuple[GroundFact, ...]:
        return (*self.given, *self.streamed)

    def live(self) -> LiveDatalogMTL:
        return live_datalogmtl(
            self.normal,
            given=self.given,
            precision=SIXTHS,
            at=self.at,
            horizon=self.horizon,
            shards=self.shards,
        )

    def run(self, rng: Random) -> list[Step]:
        """Disorder, cuts and restarts are random."""
        live = self.live()
        rows = rows_of(live, self.streamed)
        lateness = self.lateness * live.resolution // 2
        order = arrivals(rng, rows.column("time").to_numpy().tolist(), lateness)
        often = rng.choice((0.0, 0.3, 1.0))
        restart: Callable[[int], bool] = lambda _: rng.random() < often  # noqa: E731
        return driver(live, lateness, restart).run(rows, cuts(rng, order))


def random_case(rng: Random) -> Case:
    normal = _random_program(rng)
    facts = grounded(random_facts(rng, normal.program, unbounded=rng.random() < 0.5))
    early = rng.choice((0.0, 0.0, 0.2))
    given = [f for f in facts if f.interval.low is None or rng.random() < early]
    streamed = [f for f in facts if f not in given]
    times = [Fraction(rng.randint(-6, 70), 6) for _ in range(8)]
    at = read_at(rng.choice((None, None, None, "events", f"every {rng.randint(1, 9)}/6", times)))
    horizon = rng.choice((None, HORIZON, HORIZON, Fraction(5)))
    shards, lateness = rng.randint(1, 4), rng.choice((0, 0, 1, 3, 7))
    case = Case(normal, tuple(given), tuple(streamed), at, horizon, shards, lateness)
    return _moved(case, Stretched(Fraction(1), rng.choice(_ORIGINS)))


# Seconds since 1970, and as far as sixths of them fit into 64 bits.
_ORIGINS = (0, 0, 0, 1_789_000_000, 3 * 10**17, -(3 * 10**17))


def _moved(case: Case, stretch: Stretched) -> Case:
    """The same at another time."""
    given, streamed = (
        tuple(replace(fact, interval=stretch.moved(fact.interval)) for fact in facts)
        for facts in (case.given, case.streamed)
    )
    at = case.at
    if isinstance(at, AtTimes):
        at = AtTimes(tuple(map(stretch.time, at.times)))
    horizon = None if case.horizon is None else stretch.time(case.horizon)
    normal = prepared(stretch.text(case.normal.program.source.text))
    return replace(case, normal=normal, given=given, streamed=streamed, at=at, horizon=horizon)


def _random_program(rng: Random) -> NormalProgram:
    """One that a stream need not wait for without end."""
    kind = rng.choice(KINDS)
    while True:
        normal = prepared(_random_text(rng, kind))
        if runs_in_a_stream(normal) and _is_of(kind, normal):
            return normal


def _random_text(rng: Random, kind: str) -> str:
    if kind == "past":
        return random_past_program(rng)
    return random_program(rng, rng.choice(("mtl-fp", "full")) if kind in _PLANS else kind)


_PLANS = ("spread", "staged")


def _is_of(kind: str, normal: NormalProgram) -> bool:
    return kind not in _PLANS or (is_spread(normal) and is_staged(normal) == (kind == "staged"))


def is_spread(normal: NormalProgram) -> bool:
    return any(stage.is_spread for stage in make_stages(normal).stages)


def is_staged(normal: NormalProgram) -> bool:
    return len(make_stages(normal).stages) > 1
