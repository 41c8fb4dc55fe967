"""The plan in shards gives the answers of the program in one place, whatever the number of shards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from tests.languages.rtlola.plan.simulated import events_of, run_spread, run_whole
from tests.strategies.rtlola_specs import random_program
from tests.strategies.rtlola_spreadable import spreadable_program
from tests.strategies.rtlola_traces import random_trace

from horae.languages.rtlola.options import Emit
from horae.languages.rtlola.plan.spread import make_partition
from horae.languages.rtlola.program import Program
from horae.source.errors import InputError

_SHARDS = (1, 2, 3, 8)


def _check(seed: int, make: Callable[[Random], Program], counts: int = 2) -> None:
    rng = Random(seed)
    program = make(rng)
    if not make_partition(program).is_spread:
        return
    rows = random_trace(rng, program)
    if rng.random() < 0.5:
        rows = _filled(rng, program, rows)
    by_content = rng.random() < 0.3
    events = events_of(program, rows, by_content=by_content)
    emit = rng.choice(list(Emit))
    expected = _answers(lambda: run_whole(program, events, emit))
    for shards in rng.sample(_SHARDS, counts):
        spread = partial(run_spread, rng, program, events, emit, shards, by_content=by_content)
        found = _answers(spread)
        assert found == expected, f"seed {seed}, {shards} shards\n{program.source.text}"


def _filled(
    rng: Random, program: Program, rows: list[dict[str, object]]
) -> list[dict[str, object]]:
    """No nulls: then nothing that the plan assumes of rows is lost."""
    blank = {"a": 1, "b": 2, "k": 0, "x": 0.5, "y": -0.0, "p": True, "s": "u"}
    known = {stream.name for stream in program.inputs}
    full = [{k: v for k, v in blank.items() if k in known} for _ in rows]
    return [
        base | {name: value for name, value in row.items() if value is not None}
        for base, row in zip(full, rows, strict=True)
    ]


def _answers(evaluate: Callable[[], object]) -> object:
    try:
        return evaluate()
    except InputError as error:
        return error.code


@pytest.mark.parametrize("start", range(0, 160, 40))
def test_spreadable_specifications(start):
    for seed in range(start, start + 40):
        _check(seed, spreadable_program)


@pytest.mark.parametrize("start", range(0, 300, 100))
def test_any_specification(start):
    for seed in range(start, start + 100):
        _check(seed, random_program)


@pytest.mark.long
@pytest.mark.parametrize("start", range(1000, 6000, 250))
def test_many_spreadable_specifications(start):
    for seed in range(start, start + 250):
        _check(seed, spreadable_program, len(_SHARDS))


@pytest.mark.long
@pytest.mark.parametrize("start", range(1000, 9000, 1000))
def test_many_specifications_of_any_kind(start):
    for seed in range(start, start + 1000):
        _check(seed, random_program, len(_SHARDS))


def test_the_generator_gives_what_can_be_spread():
    plans = [make_partition(spreadable_program(Random(seed))) for seed in range(300)]
    seen = Counter[str]()
    for plan in plans:
        seen["spread"] += plan.is_spread
        seen["joined"] += plan.join is not None
        seen["several keys"] += any(len(stage.keys) > 1 for stage in plan.shards)
        seen["several stages"] += len(plan.shards) > 1
        seen["needs values together"] += any(stage.present for stage in plan.shards)
        seen["clocks"] += any(j.period for j in (plan.join.imported if plan.join else ()))
    assert seen["spread"] >= 200
    assert {name for name, count in seen.items() if count >= 20} == set(seen)
