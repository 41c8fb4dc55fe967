"""Programs of LARS with streams for them: random ones, and how they are run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

import pyarrow as pa
from tests.languages.lars.plan.simulated import as_a_whole, checked
from tests.languages.lars.plan.spreadable import spreadable_program
from tests.live.driving import Driver, Step, arrivals, cuts
from tests.strategies.lars_large import Sample, enlarged, random_beginning
from tests.strategies.lars_programs import KINDS, random_program

from horae.data.fact_columns import to_columns
from horae.data.facts import read_fact_text
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS
from horae.data.predicate_facts import columns_of_facts, ground_facts
from horae.data.time_points import EvaluationTimes, read_evaluation_times
from horae.engine.evaluation_times import find_times
from horae.languages.lars.analysis.reach import find_reach
from horae.languages.lars.answers import lars_answers
from horae.languages.lars.kernel.answers import no_answers
from horae.languages.lars.kernel.facts import time_points_of
from horae.languages.lars.live import LiveLARS, live_lars, program_facts, to_rows
from horae.languages.lars.options import AnswerCount, Consequences, LARSOptions, Mode
from horae.languages.lars.plan.route_program import route_program
from horae.languages.lars.program import Program

Answers = list[dict[str, Any]]
_COUNTS: tuple[AnswerCount, ...] = (None, 1, 2, "all")
At = str | Sequence[object] | None


def facts_of(program: Program, text: str) -> list[GroundFact]:
    return ground_facts(read_fact_text(text, program.arities, others=True))


def times_of(program: Program, facts: Sequence[GroundFact], at: EvaluationTimes) -> list[int]:
    every = [*ground_facts(program_facts(program)), *facts]
    points = [p for f in every if f.interval != ALWAYS for p in time_points_of(f)]
    return [*map(int, find_times(at, points))]


def in_batch(program: Program, facts: Sequence[GroundFact], options: LARSOptions) -> Answers:
    """At times that are found fact by fact."""
    return as_a_whole(program, facts, times_of(program, facts, options.at), options)


def rows_of(program: Program, facts: Sequence[GroundFact]) -> pa.Table:
    return to_rows(pa.Table.from_batches([to_columns(facts)]), program.derived)


def driver(live: LiveLARS, lateness: int, restart: Callable[[int], bool]) -> Driver:
    return Driver(live, lateness, restart)


def answers_of(steps: Sequence[Step]) -> Answers:
    return list(lars_answers(pa.concat_tables([no_answers(), *(step.answers for step in steps)])))


# --- one program and its stream, all that matters written out


@dataclass(frozen=True)
class Case:
    text: str
    program: Program
    given: tuple[GroundFact, ...]
    streamed: tuple[GroundFact, ...]
    options: LARSOptions
    shards: int
    lateness: int

    @property
    def facts(self) -> tuple[GroundFact, ...]:
        return (*self.given, *self.streamed)

    def run(self, rng: Random) -> list[Step]:
        """Disorder, cuts and restarts are random."""
        live = live_lars(
            route_program(self.program),
            self.options,
            shards=self.shards,
            given=columns_of_facts(self.given),
        )
        rows = rows_of(self.program, self.streamed)
        order = arrivals(rng, rows.column("time").to_numpy().tolist(), self.lateness)
        often = rng.choice((0.0, 0.3, 1.0))
        restart: Callable[[int], bool] = lambda _: rng.random() < often  # noqa: E731
        return driver(live, self.lateness, restart).run(rows, cuts(rng, order))


def random_case(rng: Random) -> Case:
    """A program that a stream need not wait for without end."""
    begin = random_beginning(rng) if rng.random() < 0.4 else 0
    while True:
        text, written, times = _random_text(rng, begin)
        program = checked(text)
        if find_reach(program).delay is not None:
            break
    given, streamed = _divided(rng, facts_of(program, written + _others(rng, begin)))
    at = read_evaluation_times(rng.choice((None, None, "all", f"every {rng.randint(2, 5)}", times)))
    horizon = rng.choice((None, None, begin + 9, begin + 15))
    consequences = rng.choice([*Consequences])
    answers = rng.choice(_COUNTS) if consequences is Consequences.ALL else None
    options = LARSOptions(
        at=at,
        mode=rng.choice([*Mode]),
        consequences=consequences,
        horizon=horizon,
        answers=answers,
    )
    shards, lateness = rng.randint(1, 4), rng.choice((0, 0, 1, 3, 6))
    return Case(text, program, given, streamed, options, shards, lateness)


def _random_text(rng: Random, begin: int) -> Sample:
    kind = rng.choice((*KINDS, "choices", "spread", "spread"))
    sample = spreadable_program(rng) if kind == "spread" else random_program(rng, kind=kind)
    return enlarged(rng, sample, begin) if begin else sample


def _others(rng: Random, begin: int) -> str:
    """Facts about predicates that the program does not have."""
    times = (begin + rng.randint(0, 14) for _ in range(2))
    return "".join(f"other(x,{rng.randint(0, 2)})@{time}\n" for time in times)


def _divided(
    rng: Random, facts: Sequence[GroundFact]
) -> tuple[tuple[GroundFact, ...], tuple[GroundFact, ...]]:
    """What is given before the stream starts: background data, sometimes more."""
    early = rng.choice((0.0, 0.0, 0.2))
    ordered = rng.random() < 0.3
    given, streamed = [], []
    for fact in facts:
        if fact.interval == ALWAYS or rng.random() < early:
            given.append(fact)
        else:
            order = rng.choice((None, rng.randint(0, 5), Fraction(1, 2), "z")) if ordered else None
            streamed.append(replace(fact, order=order))
    return tuple(given), tuple(streamed)
