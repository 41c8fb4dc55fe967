"""Shards in one process: facts go by the routes of a plan, and each shard has a kernel of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa

from horae.data.constants import Value
from horae.data.fact_columns import coded_rows, to_columns
from horae.data.facts import read_fact_text
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS
from horae.data.predicate_facts import columns_of_facts, ground_facts
from horae.data.time_points import AtPoints, EvaluationTimes
from horae.languages.lars.answers import lars_answers
from horae.languages.lars.check.check import load
from horae.languages.lars.kernel.answers import no_answers
from horae.languages.lars.kernel.own_keys import OwnKeys
from horae.languages.lars.kernel.time_windows import FUTURE
from horae.languages.lars.live import program_facts, to_rows
from horae.languages.lars.live.shard import LiveShard, Setting
from horae.languages.lars.options import LARSOptions
from horae.languages.lars.plan.route_program import route_program
from horae.languages.lars.plan.routes import Route, RoutedProgram
from horae.languages.lars.program import Program
from horae.languages.lars.run import LARSRun
from horae.source.text import Source

Answers = list[dict[str, Any]]


def checked(text: str) -> Program:
    program, found = load(Source("spec.lars", text))
    assert program is not None, [d.message for d in found]
    return program


def plan_of(text: str) -> RoutedProgram:
    return route_program(checked(text))


def facts_of(program: Program, text: str) -> list[GroundFact]:
    read = read_fact_text(text, program.arities, others=True)
    return [*ground_facts(program_facts(program)), *ground_facts(read)]


def as_a_whole(
    program: Program, facts: Sequence[GroundFact], times: Sequence[int], options: LARSOptions
) -> Answers:
    return list(evaluate(program, facts, at_points(times), options))


def evaluate(
    program: Program, facts: Sequence[GroundFact], at: EvaluationTimes, options: LARSOptions
) -> Sequence[dict[str, Any]]:
    """In process, as users do it."""
    run = LARSRun(program, replace(options, at=at))
    return run.evaluate(coded_rows(columns_of_facts(facts)))


def at_points(times: Iterable[int]) -> AtPoints:
    return AtPoints(tuple(sorted(set(times))))


class Simulation:
    """A random shard for each constant, unless `homes` says where texts go."""

    def __init__(
        self, program: Program, shards: int, rng: Random, homes: Mapping[str, int] | None = None
    ) -> None:
        self.plan = route_program(program)
        self._shards = shards
        self._rng = rng
        self._homes: dict[tuple[bool, Value], int] = {
            (True, text): shard for text, shard in (homes or {}).items()
        }

    def answers(
        self, facts: Sequence[GroundFact], times: Sequence[int], options: LARSOptions
    ) -> Answers:
        assert self.plan.is_spread
        parts = [no_answers()]
        for shard in range(self._shards):
            parts.append(self._answers(shard, self._taken(facts, shard), times, options))
        return list(lars_answers(pa.concat_tables(parts)))

    def _answers(
        self, shard: int, facts: list[GroundFact], times: Sequence[int], options: LARSOptions
    ) -> pa.Table:
        program = self.plan.program
        own = OwnKeys(
            self.plan.pivots,
            lambda values: np.array([self._home(value) == shard for value in values]),
        )
        static = _rows([f for f in facts if f.interval == ALWAYS])
        at_times = replace(options, at=at_points(times))
        kernel = LiveShard(Setting(program, at_times, FUTURE, static, own))
        timed = _rows([f for f in facts if f.interval != ALWAYS])
        kernel.add(to_rows(timed, program.derived))
        return kernel.finish()

    def _taken(self, facts: Sequence[GroundFact], shard: int) -> list[GroundFact]:
        routes = {route.predicate: route for route in self.plan.routes}
        background = frozenset(f.predicate for f in facts if f.interval == ALWAYS)
        known = ((f, routes[f.predicate]) for f in facts if f.predicate in routes)
        return [f for f, r in known if self._goes(f, r, background, shard)]

    def _goes(self, fact: GroundFact, route: Route, background: frozenset[str], shard: int) -> bool:
        if route.place is None or route.unless & background:
            return True
        return self._home(fact.arguments[route.place]) == shard

    def _home(self, value: Value) -> int:
        key = (isinstance(value, str), value)
        return self._homes.setdefault(key, self._rng.randrange(self._shards))


def _rows(facts: Sequence[GroundFact]) -> pa.Table:
    return pa.Table.from_batches([to_columns(facts)])
