"""Random programs through the kernel, at once and in any chunks, against the reference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from random import Random
from typing import NamedTuple

import pytest
from tests.languages.datalogmtl.kernel.driving import (
    Answer,
    Stream,
    at_once,
    grounded,
    in_chunks,
    prepared,
    random_ends,
    runs_in_a_stream,
)
from tests.languages.datalogmtl.kernel.past_programs import random_past_program
from tests.strategies.datalogmtl_programs import (
    HORIZON,
    Datum,
    random_facts,
    random_program,
    thinned_program,
)
from tests.strategies.shrinking import hold, thinned

from horae.data.ground_facts import GroundFact
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.reference.datalogmtl import EndlessError, evaluate

KINDS = ("datalog", "mitl-fp", "mtl-fp", "full", "past")


class Sample(NamedTuple):
    """A program, its data, and the ends of the chunks in which it arrives."""

    text: str
    data: list[Datum]
    ends: list[Fraction]


def random_sample(rng: Random, kind: str) -> Sample:
    text = random_past_program(rng) if kind == "past" else random_program(rng, kind)
    program = thinned_program(rng, text)
    data = random_facts(rng, program, unbounded=kind != "full" and rng.random() < 0.5)
    ends = random_ends(rng, program, HORIZON)
    return Sample(program.source.text, thinned(rng, data), ends)


def expected_answers(sample: Sample) -> list[Answer] | None:
    """None where even up to a horizon there are none."""
    try:
        return evaluate(prepared(sample.text).program, sample.data, horizon=HORIZON)
    except EndlessError:
        return None


def check(sample: Sample) -> None:
    """At once, in chunks, and chunk by chunk."""
    normal, data, expected = prepared(sample.text), grounded(sample.data), expected_answers(sample)
    if expected is None:
        return
    assert at_once(normal, data, HORIZON) == expected
    if runs_in_a_stream(normal):
        for often in (False, True):
            assert in_chunks(normal, data, sample.ends, HORIZON, often) == expected
        assert _in_a_stream(normal, data, sample.ends) == expected


def _in_a_stream(
    normal: NormalProgram, data: list[GroundFact], ends: Sequence[Fraction]
) -> list[Answer]:
    stream = Stream(normal, data, ends)
    for _ in stream.steps():
        pass
    return stream.finish(HORIZON)


def compare(kind: str, seeds: Iterable[int]) -> None:
    hold(partial(random_sample, kind=kind), check, (f"{kind} {seed}" for seed in seeds))


@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str):
    compare(kind, range(30))


HUNDREDS = {"datalog": 2, "mitl-fp": 10, "mtl-fp": 8, "full": 5, "past": 5}
BLOCKS = [(kind, block) for kind, count in HUNDREDS.items() for block in range(1, count + 1)]


@pytest.mark.long
@pytest.mark.parametrize(("kind", "block"), BLOCKS)
def test_many_random_programs(kind: str, block: int):
    compare(kind, range(100 * block, 100 * block + 100))


def test_most_samples_have_answers():
    """Else the comparison would say little."""
    samples = [random_sample(Random(f"{k} {seed}"), k) for k in KINDS for seed in range(10)]
    assert sum(bool(expected_answers(sample)) for sample in samples) > 0.8 * len(samples)


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
