"""The worked examples at once and, where no rule waits without a bound, as a stream."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from tests.case_folders import Case, cases
from tests.languages.datalogmtl.kernel.driving import (
    Stream,
    at_once,
    facts,
    in_chunks,
    prepared,
    random_ends,
    runs_in_a_stream,
)

CASES = cases("datalogmtl")
STREAMED = [c for c in CASES if runs_in_a_stream(prepared(c.source)) and "at" not in c.options]
_LAST = Fraction(20)


def _horizon(case: Case) -> Fraction | None:
    horizon = case.options.get("horizon")
    return None if horizon is None else Fraction(horizon)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_at_once(case: Case):
    at = case.options.get("at")
    times = None if at is None else [Fraction(time) for time in at]
    found = at_once(prepared(case.source), facts(case.facts), _horizon(case), times)
    assert found == case.expected


@pytest.mark.parametrize("case", STREAMED, ids=lambda case: case.name)
def test_in_chunks(case: Case):
    normal, data, horizon = prepared(case.source), facts(case.facts), _horizon(case)
    for seed in range(6):
        ends = random_ends(Random(seed), normal.program, _LAST)
        assert in_chunks(normal, data, ends, horizon) == case.expected, ends


@pytest.mark.parametrize("case", STREAMED, ids=lambda case: case.name)
def test_pushed_chunk_by_chunk(case: Case):
    normal, data, horizon = prepared(case.source), facts(case.facts), _horizon(case)
    for seed in range(3):
        ends = random_ends(Random(seed), normal.program, _LAST if horizon is None else horizon)
        stream = Stream(normal, data, ends)
        for _ in stream.steps():
            pass
        assert stream.finish(horizon) == case.expected, ends


def test_most_cases_run_as_streams():
    assert len(STREAMED) > len(CASES) / 2
