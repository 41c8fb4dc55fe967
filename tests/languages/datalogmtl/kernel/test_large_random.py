"""Random programs with large times, tiny steps and far origins, against the reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

import pytest
from tests.languages.datalogmtl.kernel.driving import (
    at_once,
    grounded,
    in_chunks,
    prepared,
    random_ends,
    runs_in_a_stream,
)
from tests.languages.datalogmtl.kernel.past_programs import random_past_program
from tests.strategies.datalogmtl_large import random_stretch
from tests.strategies.datalogmtl_programs import HORIZON, random_facts, random_program

from horae.reference.datalogmtl import EndlessError, evaluate
from horae.source.errors import InputError

KINDS = ("datalog", "mitl-fp", "mtl-fp", "full", "past")


def differing(kind: str, seeds: Iterable[int]) -> list[str]:
    return [f"{seed}: {how}" for seed in seeds for how in _differences(kind, seed)]


def _differences(kind: str, seed: int) -> Iterator[str]:
    rng = Random(f"large {kind} {seed}")
    text = random_past_program(rng) if kind == "past" else random_program(rng, kind)
    stretch = random_stretch(rng)
    small, normal = prepared(text), prepared(stretch.text(text))
    facts = random_facts(rng, small.program, unbounded=kind != "full" and rng.random() < 0.5)
    data, horizon = stretch.facts(facts), stretch.time(HORIZON)
    try:
        expected = evaluate(normal.program, data, horizon=horizon)
    except EndlessError:
        return
    if at_once(normal, grounded(data), horizon) != expected:
        yield f"at once, {stretch}"
    if runs_in_a_stream(normal):
        ends = [stretch.time(end) for end in random_ends(rng, small, HORIZON)]
        try:
            if in_chunks(normal, grounded(data), ends, horizon) != expected:
                yield f"in chunks, {stretch}"
        except InputError as error:
            if error.code not in ("RUN010", "RUN045"):  # a stream counts in 64 bits
                raise


@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str):
    assert differing(kind, range(20)) == []


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_many_random_programs(kind: str):
    assert differing(kind, range(100, 500)) == []
