"""A loop starts as plain Python, and goes on as machine code once the work repays it."""

from __future__ import annotations

from random import Random

import pytest
from tests.languages.rtlola.kernel.driving import (
    Rows,
    agree,
    checked,
    events,
    expect,
    in_order,
    last_time,
    options_for,
)
from tests.strategies.rtlola_specs import random_program
from tests.strategies.rtlola_traces import random_trace

from horae.languages.rtlola.kernel import compile as compiling
from horae.languages.rtlola.kernel.kernel import RTLolaKernel
from horae.languages.rtlola.program import Program

SPEC = """input int a
input string s
output int total<string k>
    invoke: s
    extend: s = k
    := total(k)[-1, 0] + a
output int recent extend: 1 Hz := a[3 s, 0, sum]
trigger recent > 7
"""
ROWS: list[dict[str, object]] = [
    {"time": time / 2, "a": time, "s": "uvw"[time % 3]} for time in range(12)
]


def test_in_the_middle_of_a_trace(monkeypatch: pytest.MonkeyPatch):
    check(checked(SPEC), ROWS, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_of_random_specifications(seed: int, monkeypatch: pytest.MonkeyPatch):
    rng = Random(seed)
    program = random_program(rng)
    rows = random_trace(rng, program)
    while len(rows) < 6 or isinstance(expect(program, rows, "all"), str):
        program = random_program(rng)
        rows = random_trace(rng, program)
    check(program, rows, monkeypatch)


def check(program: Program, rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row by row; the third one makes it worth to compile all that numba can."""
    monkeypatch.setattr(compiling, "_WORTH_COMPILING", 3)
    kernel, table = RTLolaKernel(program, options_for(program)), events(program, rows)
    answers = []
    for batch in table.to_batches(max_chunksize=1):
        kernel.push(batch)
        answers.append(kernel.advance_to_rows())
    answers.append(kernel.finish(last_time(table)))
    assert agree(in_order(answers, kernel), expect(program, rows, "all")), program.source.text
    assert all(runner.is_compiled or runner.source.interpreted for runner in kernel.runners)
