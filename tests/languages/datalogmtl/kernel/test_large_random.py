"""Random programs with large times, tiny steps and far origins, against the reference."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from random import Random
from typing import NamedTuple

import pytest
from tests.languages.datalogmtl.kernel.driving import (
    Answer,
    at_once,
    grounded,
    in_chunks,
    prepared,
    random_ends,
    runs_in_a_stream,
)
from tests.languages.datalogmtl.kernel.past_programs import random_past_program
from tests.strategies.datalogmtl_large import Stretched, random_stretch
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
from horae.source.errors import InputError

KINDS = ("datalog", "mitl-fp", "mtl-fp", "full", "past")


class Sample(NamedTuple):
    """A small program with its data and the ends of its chunks, and how they become large."""

    text: str
    data: list[Datum]
    ends: list[Fraction]
    stretch: Stretched


def random_sample(rng: Random, kind: str) -> Sample:
    text = random_past_program(rng) if kind == "past" else random_program(rng, kind)
    stretch, program = random_stretch(rng), thinned_program(rng, text)
    data = random_facts(rng, program, unbounded=kind != "full" and rng.random() < 0.5)
    ends = random_ends(rng, program, HORIZON)
    return Sample(program.source.text, thinned(rng, data), ends, stretch)


def check(sample: Sample) -> None:
    normal, data = prepared(sample.stretch.text(sample.text)), sample.stretch.facts(sample.data)
    horizon = sample.stretch.time(HORIZON)
    try:
        expected = evaluate(normal.program, data, horizon=horizon)
    except EndlessError:
        return
    assert at_once(normal, grounded(data), horizon) == expected
    if runs_in_a_stream(normal):
        ends = [sample.stretch.time(end) for end in sample.ends]
        assert _in_chunks(normal, grounded(data), ends, horizon) in (expected, None)


def _in_chunks(
    normal: NormalProgram, data: list[GroundFact], ends: list[Fraction], horizon: Fraction
) -> list[Answer] | None:
    """None where 64 bits are too few, in which a stream counts."""
    try:
        return in_chunks(normal, data, ends, horizon)
    except InputError as error:
        if error.code not in ("RUN010", "RUN045"):
            raise
        return None


def compare(kind: str, seeds: Iterable[int]) -> None:
    hold(partial(random_sample, kind=kind), check, (f"large {kind} {seed}" for seed in seeds))


@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str):
    compare(kind, range(20))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_many_random_programs(kind: str):
    compare(kind, range(100, 500))
