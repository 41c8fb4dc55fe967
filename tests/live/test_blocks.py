"""A run in process answers the same whatever the blocks in which rows come to its kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pyarrow as pa
import pytest
from tests.cql_facts import read_facts
from tests.languages.lars.plan.simulated import checked
from tests.live.cql_streams import live
from tests.live.lars_streams import facts_of
from tests.live.lars_streams import random_case as random_lars
from tests.live.rtlola_streams import Stream, random_stream
from tests.live.test_cql_law import in_order, random_at
from tests.live.test_cql_law import random_case as random_cql
from tests.strategies.lars_programs import KINDS, random_program

from horae.data import layout
from horae.data.fact_columns import coded_rows
from horae.data.ground_facts import GroundFact
from horae.data.predicate_facts import columns_of_facts
from horae.engine.answers import Answers
from horae.engine.contract import Routed
from horae.engine.in_process import answers_in_process, run_in_process
from horae.engine.run import Known
from horae.languages.cql.kernel.answers import sorted_answers
from horae.languages.lars.answers import lars_answers
from horae.languages.lars.options import LARSOptions
from horae.languages.lars.program import Program
from horae.languages.lars.run import LARSRun
from horae.languages.rtlola.answers import rtlola_answers
from horae.languages.rtlola.live.columns import NUMBER, TIME, input_columns
from horae.languages.rtlola.live.program import LiveRTLola
from horae.source.errors import InputError

Sorted = Callable[[pa.Table], Answers]


def answered(program: Routed, rows: pa.Table, block: int, sort: Sorted) -> object:
    try:
        return list(sort(run_in_process(program, rows, block)))
    except InputError as error:
        return error.code


def is_same(program: Routed, rows: pa.Table, sort: Sorted) -> bool:
    whole = answered(program, rows, len(rows) + 1, sort)
    return all(answered(program, rows, block, sort) == whole for block in (1, 3))


def agrees_in_cql(seed: int) -> bool:
    case = random_cql(seed)
    facts = in_order(case.rng, read_facts(case.program, case.data))
    at = random_at(case.rng, case.points)
    found, rows = live(case.program, facts, at, case.shards)
    return is_same(found, rows, lambda answers: sorted_answers(answers, case.program))


def test_cql():
    assert [seed for seed in range(40) if not agrees_in_cql(seed)] == []


def agrees_in_lars(program: Program, facts: Sequence[GroundFact], options: LARSOptions) -> bool:
    run = LARSRun(program, options)
    records = coded_rows(columns_of_facts(facts))
    found = run.program(Known(run.survey(records)))
    return is_same(found, run.rows(found, records), lars_answers)


def agrees_in_a_case(seed: int) -> bool:
    case = random_lars(Random(f"blocks {seed}"))
    return agrees_in_lars(case.program, case.facts, case.options)


def test_lars():
    assert [seed for seed in range(40) if not agrees_in_a_case(seed)] == []


@pytest.mark.parametrize("kind", KINDS)
def test_lars_that_may_wait_for_the_end(kind: str):
    for seed in range(8):
        rng = Random(f"blocks {kind} {seed}")
        text, written, _ = random_program(rng, kind=kind)
        program = checked(text)
        assert agrees_in_lars(program, facts_of(program, written), LARSOptions()), seed


# --- RTLola, whose answers are sorted part by part


def agrees_in_rtlola(seed: int) -> bool:
    stream = random_stream(Random(f"blocks {seed}"))
    program, resolution = stream.program, stream.live.options.resolution
    return is_same(stream.live, stream.rows, lambda t: rtlola_answers([t], program, resolution))


def test_rtlola():
    assert [seed for seed in range(60) if not agrees_in_rtlola(seed)] == []


def sorted_in_parts(stream: Stream, block: int) -> object:
    program, options = stream.program, stream.live.options
    columns = input_columns(program.inputs)
    taken = stream.events.select([layout.TIME, *columns, layout.ROW])
    rows = taken.rename_columns([TIME, *columns.values(), NUMBER])
    parts = answers_in_process(LiveRTLola(program, options, numbered=True), rows, block)
    try:
        return list(rtlola_answers(parts, program, options.resolution))
    except InputError as error:
        return error.code


def test_rtlola_sorts_parts():
    for seed in range(60):
        stream = random_stream(Random(f"parts {seed}"))
        whole = sorted_in_parts(stream, len(stream.rows) + 1)
        assert all(sorted_in_parts(stream, block) == whole for block in (1, 3)), stream.shown()
