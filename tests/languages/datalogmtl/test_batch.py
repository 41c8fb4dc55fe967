"""A program over facts that are all there, in shards: its answers are those of one evaluation."""

from __future__ import annotations

from random import Random

import pyarrow as pa
import pytest
from tests.live.datalogmtl_streams import Answers, Case, in_batch, random_case

from horae.data.fact_columns import to_columns
from horae.engine.in_process import run_in_process
from horae.languages.datalogmtl.batch import (
    WholeDatalogMTL,
    answers_of,
    program_rows,
    shown_answers,
    survey_of,
    whole_program,
)
from horae.source.errors import InputError


def run(case: Case, shards: int) -> tuple[WholeDatalogMTL, pa.Table]:
    facts = pa.Table.from_batches([to_columns(case.facts)])
    middle = len(facts) // 2
    surveys = [survey_of(part, case.at) for part in (facts[:middle], facts[middle:])]
    program = whole_program(
        case.normal,
        pa.concat_tables(surveys),
        at=case.at,
        horizon=case.horizon,
        shards=shards,
    )
    return program, run_in_process(program, program_rows(facts, program.timeline))


def answers(case: Case, shards: int) -> Answers | str:
    try:
        return list(answers_of(*run(case, shards)))
    except InputError as error:
        return error.code


def at_once(case: Case) -> Answers | str:
    try:
        return in_batch(case.normal, case.facts, case.at, case.horizon)
    except InputError as error:
        return error.code


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_in_shards(seed: int) -> None:
    rng = Random(seed)
    case = random_case(rng)
    expected = at_once(case)
    assert answers(case, 1) == expected
    assert answers(case, rng.randint(2, 4)) == expected
    if not isinstance(expected, str):
        assert len(shown_answers(*run(case, 2))) == len(expected)
