"""The law for CQL: whatever the micro-batches, the disorder, the shards and the restarts, the answers
are those of a batch run, each once, and each as soon as its time is decided.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

import pyarrow as pa
import pytest
from tests.cql_facts import read_facts
from tests.languages.cql.kernel.driving import checked
from tests.live.cql_streams import At, batch, live, times_of
from tests.live.driving import Driver, Step, arrivals, cuts
from tests.strategies.cql_queries import random_queries

from horae.engine.answers import Answer
from horae.languages.cql.kernel.answers import sorted_answers
from horae.languages.cql.program import Program
from horae.reference.cql import Fact, RunError
from horae.reference.cql import evaluate as refer
from horae.source.errors import InputError


def written(found: Iterable[Answer]) -> list[str]:
    """As JSON, where 2 and 2.0 differ."""
    return [json.dumps(answer) for answer in found]


def in_order(rng: Random, facts: Sequence[Fact]) -> list[Fact]:
    """Half of the time with an order of the rows of the same time."""
    if rng.random() < 0.5:
        return list(facts)
    return [(name, row, time, rng.randint(0, 4)) for name, row, time, *_ in facts]


def random_at(rng: Random, points: list[int]) -> At:
    choices: list[At] = ["events", "events", "all", f"every {rng.randint(2, 5)}", points]
    return rng.choice(choices)


def drive(rng: Random, program: Program, facts: Sequence[Fact], at: At, shards: int) -> list[Step]:
    found, rows = live(program, facts, at, shards)
    lateness = rng.choice((0, 0, 1, 3, 20))
    batches = cuts(rng, arrivals(rng, rows.column("time").to_numpy().tolist(), lateness))
    share = rng.choice((0.0, 0.3, 1.0))
    driver = Driver(
        pickle.loads(pickle.dumps(found)),
        lateness,
        restart=lambda _: rng.random() < share,
    )
    return driver.run(rows, batches)


def is_prompt(steps: Sequence[Step]) -> bool:
    """Each answer comes with the first decision that covers its time."""
    before = -1
    for step in steps:
        times = step.answers.column("time").to_numpy().tolist()
        until = step.until
        if any(time <= before or (until is not None and time > until) for time in times):
            return False
        before = before if until is None else max(before, until)
    return True


@dataclass(frozen=True)
class Case:
    rng: Random
    program: Program
    data: str
    points: list[int]
    shards: int

    @property
    def is_spread(self) -> bool:
        return live(self.program, [], "events", self.shards)[0].width > 1


def random_case(seed: int) -> Case:
    rng = Random(f"live cql {seed}")
    text, data, points = random_queries(rng, core=rng.random() < 0.2)
    return Case(rng, checked(text), data, points, 1 + seed % 4)


def agrees(seed: int) -> bool:
    case = random_case(seed)
    rng, program, points, shards = case.rng, case.program, case.points, case.shards
    facts = in_order(rng, read_facts(program, case.data))
    at = random_at(rng, points)
    try:
        expected = written(refer(program, facts, at=times_of(program, facts, at)))
    except RunError:
        with pytest.raises(InputError):
            drive(rng, program, facts, at, shards)
        return True
    steps = drive(rng, program, facts, at, shards)
    found = sorted_answers(pa.concat_tables([step.answers for step in steps]), program)
    is_batch = written(batch(program, facts, at)) == expected
    return is_batch and written(found) == expected and is_prompt(steps)


def differing(seeds: Iterable[int]) -> list[int]:
    return [seed for seed in seeds if not agrees(seed)]


def test_law():
    assert differing(range(40)) == []


@pytest.mark.long
def test_law_many_times():
    assert differing(range(40, 340)) == []


def test_many_cases_are_spread():
    assert sum(random_case(seed).is_spread for seed in range(40, 340)) > 70


@pytest.mark.long
def test_law_of_spread_queries():
    """A third of all cases is, and of them one in four has one shard."""
    spread = [seed for seed in range(1000, 1400) if random_case(seed).is_spread]
    assert len(spread) > 90
    assert differing(spread) == []
