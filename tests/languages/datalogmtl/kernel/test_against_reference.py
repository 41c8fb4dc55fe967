"""Random programs through the kernel, at once and in any chunks, against the reference."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from random import Random

import pytest
from tests.languages.datalogmtl.kernel.driving import (
    Stream,
    at_once,
    grounded,
    in_chunks,
    prepared,
    random_ends,
    runs_in_a_stream,
)
from tests.languages.datalogmtl.kernel.past_programs import random_past_program
from tests.strategies.datalogmtl_programs import HORIZON, random_facts, random_program

from horae.data.ground_facts import GroundFact
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.reference.datalogmtl import EndlessError, evaluate

KINDS = ("datalog", "mitl-fp", "mtl-fp", "full", "past")
Sample = tuple[NormalProgram, list[GroundFact], list[dict[str, object]]]


def draw(kind: str, seed: int) -> Sample | None:
    """A program, its data and the answers; None where even up to a horizon there are none."""
    rng = Random(f"{kind} {seed}")
    text = random_past_program(rng) if kind == "past" else random_program(rng, kind)
    normal = prepared(text)
    data = random_facts(rng, normal.program, unbounded=kind != "full" and rng.random() < 0.5)
    try:
        return normal, grounded(data), evaluate(normal.program, data, horizon=HORIZON)
    except EndlessError:
        return None


def differing(kind: str, seeds: Iterable[int]) -> list[tuple[int, str]]:
    found = []
    for seed in seeds:
        sample = draw(kind, seed)
        if sample is None:
            continue
        normal, data, expected = sample
        if at_once(normal, data, HORIZON) != expected:
            found.append((seed, "at once"))
        if runs_in_a_stream(normal):
            found += [(seed, how) for how in _differing_streams(Random(seed), *sample)]
    return found


def _differing_streams(
    rng: Random, normal: NormalProgram, data: list[GroundFact], expected: list[dict[str, object]]
) -> Iterable[str]:
    ends = random_ends(rng, normal, HORIZON)
    for often in (False, True):
        if in_chunks(normal, data, ends, HORIZON, often) != expected:
            yield f"decided up to {[*map(str, ends)]}, often={often}"
    stream = Stream(normal, data, ends)
    for _ in stream.steps():
        pass
    if stream.finish(HORIZON) != expected:
        yield f"pushed up to {[*map(str, ends)]}"


@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str):
    assert differing(kind, range(30)) == []


HUNDREDS = {"datalog": 2, "mitl-fp": 10, "mtl-fp": 8, "full": 5, "past": 5}
BLOCKS = [(kind, block) for kind, count in HUNDREDS.items() for block in range(1, count + 1)]


@pytest.mark.long
@pytest.mark.parametrize(("kind", "block"), BLOCKS)
def test_many_random_programs(kind: str, block: int):
    assert differing(kind, range(100 * block, 100 * block + 100)) == []


def test_most_samples_have_answers():
    """Else the comparison would say little."""
    samples = [draw(kind, seed) for kind in KINDS for seed in range(10)]
    assert sum(sample is not None and bool(sample[2]) for sample in samples) > 0.8 * len(samples)


def test_answers_at_times():
    """A domain of points, among them ends of facts and times between them."""
    for seed in range(15):
        rng = Random(f"at {seed}")
        normal = prepared(random_program(rng, "mtl-fp"))
        data = random_facts(rng, normal.program)
        grain = 3 if "/3" in normal.program.source.text else 2
        at = [Fraction(n, grain) for n in range(-2, 5 * grain)]
        expected = evaluate(normal.program, data, horizon=HORIZON, at=at)
        assert at_once(normal, grounded(data), HORIZON, at) == expected
