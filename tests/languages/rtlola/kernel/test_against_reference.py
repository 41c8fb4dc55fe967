"""The loop against the definitions, on random specifications and input.

Doubles agree up to rounding. In `changes`, a double that moved by less than rounding is no change.
An error must have the same code; which of several errors at one position is reported is not fixed.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest
from tests.languages.rtlola.kernel.driving import Rows, agree, checked, expect, get
from tests.languages.rtlola.kernel.sleepy_specs import silent_trace, sleepy_specification
from tests.strategies.rtlola_specs import random_program, random_specification, thinned_program
from tests.strategies.rtlola_traces import random_trace
from tests.strategies.shrinking import hold, thinned

from horae.languages.rtlola.program import Program

ORIGINS = ("0", "0", "0", "1/2", "-7/4", "100", "-3")
EMITS = ("all", "changes", "triggers")


def assert_agreement(
    program: Program, rows: Rows, emit: str, origin: str, *, compiled: bool = False
) -> None:
    expected = expect(program, rows, emit, origin)
    found = get(program, rows, emit, origin, compiled=compiled)
    assert agree(found, expected), (program.source.text, rows, emit, origin, found, expected)


def draw_trace(rng: Random, program: Program) -> list[dict[str, object]]:
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


class Sample(NamedTuple):
    text: str
    rows: Rows
    origin: str


def any_sample(rng: Random) -> Sample:
    program = thinned_program(rng, random_specification(rng))
    origin = rng.choice(ORIGINS)
    return Sample(program.source.text, thinned(rng, draw_trace(rng, program)), origin)


def sleepy_sample(rng: Random) -> Sample:
    program = thinned_program(rng, sleepy_specification(rng)[0])
    return Sample(program.source.text, thinned(rng, silent_trace(rng)), rng.choice(ORIGINS))


def check_any(sample: Sample) -> None:
    for emit in EMITS:
        assert_agreement(checked(sample.text), sample.rows, emit, sample.origin)


def check_sleepy(sample: Sample) -> None:
    for emit in ("changes", "triggers"):
        assert_agreement(checked(sample.text), sample.rows, emit, sample.origin)


def check_compiled(seed: int, traces: int) -> None:
    """One specification and one emit: each compiles a loop of its own, too slowly to be shrunk."""
    rng = Random(seed)
    program = random_program(rng)
    origin, (emit,) = rng.choice(ORIGINS), rng.sample(EMITS, 1)
    for _ in range(traces):
        assert_agreement(program, draw_trace(rng, program), emit, origin, compiled=True)


@pytest.mark.parametrize("block", range(6))
def test_random_specifications(block: int):
    hold(any_sample, check_any, range(20 * block, 20 * block + 20))


@pytest.mark.parametrize("block", range(4))
def test_specifications_that_sleep(block: int):
    hold(sleepy_sample, check_sleepy, range(25 * block, 25 * block + 25))


@pytest.mark.parametrize("seed", [4, 7])
def test_compiled(seed: int):
    check_compiled(seed, traces=4)


@pytest.mark.long
@pytest.mark.parametrize("block", range(100))
def test_many_random_specifications(block: int):
    hold(any_sample, check_any, range(1000 + 20 * block, 1020 + 20 * block))


@pytest.mark.long
@pytest.mark.parametrize("block", range(40))
def test_many_specifications_that_sleep(block: int):
    hold(sleepy_sample, check_sleepy, range(1000 + 50 * block, 1050 + 50 * block))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5000, 5040))
def test_many_compiled(seed: int):
    check_compiled(seed, traces=10)
