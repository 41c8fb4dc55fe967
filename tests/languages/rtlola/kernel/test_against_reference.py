"""The loop against the definitions, on random specifications and input.

Doubles agree up to rounding. In `changes`, a double that moved by less than rounding is no change.
An error must have the same code; which of several errors at one position is reported is not fixed.
"""

from __future__ import annotations

from random import Random

import pytest
from tests.languages.rtlola.kernel.driving import Rows, agree, expect, get
from tests.languages.rtlola.kernel.sleepy_specs import silent_trace, sleepy_specification
from tests.strategies.rtlola_specs import random_program
from tests.strategies.rtlola_traces import random_trace

from horae.languages.rtlola.program import Program

ORIGINS = ("0", "0", "0", "1/2", "-7/4", "100", "-3")
EMITS = ("all", "changes", "triggers")


def assert_agreement(
    program: Program, rows: Rows, emit: str, origin: str, *, compiled: bool = False
) -> None:
    expected = expect(program, rows, emit, origin)
    found = get(program, rows, emit, origin, compiled=compiled)
    assert agree(found, expected), (program.source.text, rows, emit, origin, found, expected)


def draw_trace(rng: Random, program: Program) -> Rows:
    """Sometimes before 0, sometimes with long silences."""
    rows = random_trace(rng, program)
    shift = rng.choice((0, 0, -5, -20.25, -100))
    silence = rng.random() < 0.3
    moved: list[dict[str, object]] = []
    for row in rows:
        if silence and shift < 300 and rng.random() < 0.12:
            shift += rng.choice((10, 37.5, 100))
        moved.append(row | {"time": float(str(row["time"])) + shift})
    return moved


def check_random(seed: int, *, compiled: bool = False, traces: int = 1) -> None:
    rng = Random(seed)
    program = random_program(rng)
    origin = rng.choice(ORIGINS)
    emits = rng.sample(EMITS, 1) if compiled else EMITS  # each compiles a loop of its own
    for _ in range(traces):
        rows = draw_trace(rng, program)
        for emit in emits:
            assert_agreement(program, rows, emit, origin, compiled=compiled)


def check_sleepy(seed: int, *, compiled: bool = False) -> None:
    rng = Random(seed)
    _, program = sleepy_specification(rng)
    rows, origin = silent_trace(rng), rng.choice(ORIGINS)
    for emit in ("changes", "triggers"):
        assert_agreement(program, rows, emit, origin, compiled=compiled)


@pytest.mark.parametrize("block", range(6))
def test_random_specifications(block: int):
    for seed in range(20 * block, 20 * block + 20):
        check_random(seed)


@pytest.mark.parametrize("block", range(4))
def test_specifications_that_sleep(block: int):
    for seed in range(25 * block, 25 * block + 25):
        check_sleepy(seed)


@pytest.mark.parametrize("seed", [4, 7])
def test_compiled(seed: int):
    check_random(seed, compiled=True, traces=4)


@pytest.mark.long
@pytest.mark.parametrize("block", range(100))
def test_many_random_specifications(block: int):
    for seed in range(1000 + 20 * block, 1020 + 20 * block):
        check_random(seed)


@pytest.mark.long
@pytest.mark.parametrize("block", range(40))
def test_many_specifications_that_sleep(block: int):
    for seed in range(1000 + 50 * block, 1050 + 50 * block):
        check_sleepy(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5000, 5040))
def test_many_compiled(seed: int):
    check_random(seed, compiled=True, traces=10)
