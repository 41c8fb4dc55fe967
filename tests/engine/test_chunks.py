"""How a stream is cut, and whether the kernel was stored in between, must not matter."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pyarrow as pa
import pytest
from tests.languages.rtlola.kernel.driving import (
    Answer,
    agree,
    checked,
    events,
    in_order,
    last_time,
    options_for,
    run,
)
from tests.languages.rtlola.kernel.sleepy_specs import silent_trace, sleepy_specification
from tests.strategies.rtlola_specs import random_program
from tests.strategies.rtlola_traces import random_trace

from horae.engine.journal import Change
from horae.languages.rtlola.kernel.kernel import RTLolaKernel
from horae.languages.rtlola.program import Program
from horae.source.errors import InputError


def in_pieces(
    program: Program, table: pa.Table, emit: str, rng: Random, *, restored: bool
) -> list[Answer]:
    """Random batches. Ticks at the last time of a batch must wait: more events may come."""
    options = options_for(program, emit)
    kernel = RTLolaKernel(program, options, compiled=False)
    chunks: dict[str, bytes] = {}
    answers, start = [], 0
    while start < len(table):
        size = rng.randint(1, 8)
        for batch in table.slice(start, size).combine_chunks().to_batches():
            kernel.push(batch)
        now = last_time(table.slice(start, size))
        answers.append(kernel.advance(now - rng.choice((1, 1, 500_000))))
        start += size
        if restored and rng.random() < 0.7:
            kernel = restarted(kernel, program, chunks, rng)
    answers.append(kernel.finish(last_time(table)))
    return in_order(answers, kernel)


def restarted(
    kernel: RTLolaKernel, program: Program, chunks: dict[str, bytes], rng: Random
) -> RTLolaKernel:
    """The same kernel or one that was restored; both know what is stored."""
    store(chunks, kernel.changes())
    again = RTLolaKernel.restore(program, kernel.options, chunks, compiled=False)
    assert again.snapshot() == kernel.snapshot()
    assert list(again.changes()) == []
    return rng.choice((kernel, again))


def store(chunks: dict[str, bytes], changes: Iterable[Change]) -> None:
    for name, data in changes:
        if data is None:
            del chunks[name]
        else:
            chunks[name] = data


def assert_cuts_do_not_matter(program: Program, rows, emit: str, rng: Random) -> None:
    table = events(program, rows)
    if not len(table):
        return
    try:
        whole = run(program, rows, emit)
    except InputError:
        return
    for restored in (False, True):
        found = in_pieces(program, table, emit, rng, restored=restored)
        assert agree(found, whole), (program.source.text, rows, emit, restored, found, whole)


@pytest.mark.parametrize("emit", ["all", "changes", "triggers"])
@pytest.mark.parametrize("block", range(4))
def test_random_specifications(block: int, emit: str):
    for seed in range(12 * block, 12 * block + 12):
        rng = Random(seed)
        program = random_program(rng)
        assert_cuts_do_not_matter(program, random_trace(rng, program), emit, rng)


@pytest.mark.parametrize("emit", ["changes", "triggers"])
def test_specifications_that_sleep(emit: str):
    for seed in range(40):
        rng = Random(seed)
        _, program = sleepy_specification(rng)
        assert_cuts_do_not_matter(program, silent_trace(rng), emit, rng)


@pytest.mark.long
@pytest.mark.parametrize("block", range(50))
def test_many_random_specifications(block: int):
    for seed in range(5000 + 10 * block, 5010 + 10 * block):
        rng = Random(seed)
        program = random_program(rng)
        for emit in ("all", "changes"):
            assert_cuts_do_not_matter(program, random_trace(rng, program), emit, rng)


COUNT = """input string s
output int n<string id>
    invoke: s
    extend: s = id
    := n(id)[-1, 0] + 1
"""


KEYS = """input int a
output int n<int id>
    invoke: a
    extend: a = id
    := n(id)[-1, 0] + 1
"""


def test_a_chunk_that_did_not_change_is_not_written_again():
    program = checked(COUNT)
    kernel = RTLolaKernel(program, options_for(program), compiled=False)
    many = events(program, [{"time": 0, "s": f"text {i}"} for i in range(20_000)])
    for batch in many.to_batches():
        kernel.push(batch)
    kernel.advance(0)
    before = kernel.snapshot()
    assert kernel.changed_chunks(before) == {}
    for batch in events(program, [{"time": 1, "s": "text 3"}]).to_batches():
        kernel.push(batch)
    kernel.advance(1_000_000)
    changed = kernel.changed_chunks(before)
    assert before | changed == kernel.snapshot()
    assert sum(map(len, changed.values())) < sum(map(len, before.values())) / 5


def test_what_is_written_grows_with_the_instances_touched():
    """Ten of 20,000 instances, time after time: their rows, and now and then a segment of others."""
    program = checked(KEYS)
    kernel = RTLolaKernel(program, options_for(program), compiled=False)
    chunks: dict[str, bytes] = {}
    rng, written = Random(1), []
    for step, keys in enumerate([range(20_000), *([range(10)] * 20)]):
        rows = [{"time": step, "a": rng.randrange(20_000) if step else key} for key in keys]
        for batch in events(program, rows).to_batches():
            kernel.push(batch)
        kernel.advance(step * 1_000_000)
        changes = dict(kernel.changes())
        written.append(sum(len(data) for data in changes.values() if data is not None))
        store(chunks, changes.items())
    assert max(written[1:]) < written[0] / 15
    again = RTLolaKernel.restore(program, kernel.options, chunks, compiled=False)
    assert again.snapshot() == kernel.snapshot()


def test_a_shard_without_rows_ticks_too():
    program = checked("input int a\noutput int n extend: 1Hz := a[0, 7]")
    kernel = RTLolaKernel(program, options_for(program), compiled=False, start=1_500_000)
    answers = kernel.advance(3_999_999)
    assert [row["time"] for row in answers.to_pylist()] == [2_000_000, 3_000_000]


def test_a_compiled_kernel_goes_on_from_the_snapshot_of_a_plain_one():
    program = checked(COUNT)
    options = options_for(program)
    table = events(program, [{"time": t, "s": "ab"[t % 2]} for t in range(10)])
    kernel = RTLolaKernel(program, options, compiled=False)
    kernel.push(table.slice(0, 5).combine_chunks().to_batches()[0])
    kernel.advance(3_000_000)
    kernel = RTLolaKernel.restore(program, options, kernel.snapshot())
    kernel.push(table.slice(5).combine_chunks().to_batches()[0])
    answers = in_order([kernel.finish(9_000_000)], kernel)
    assert [answer["value"] for answer in answers] == [3, 3, 4, 4, 5, 5]
