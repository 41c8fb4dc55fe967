"""The law for RTLola: however a stream is cut, disordered, spread and restarted, its answers are those
of a batch run, and each is given as soon as it is decided.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import numpy as np
import pyarrow as pa
import pytest
from tests.languages.rtlola.kernel.driving import agree, checked, options_for
from tests.languages.rtlola.kernel.test_state_bound import SPECS
from tests.live.driving import Driver, Step
from tests.live.rtlola_streams import (
    batched,
    joined,
    overdue,
    random_stream,
    referred,
    rendered,
    streamed,
)

from horae.data.columns import fitted
from horae.engine.report.bounds import Bounded
from horae.languages.rtlola.kernel import kernel, ticking
from horae.languages.rtlola.kernel.answers import VALUES
from horae.languages.rtlola.kernel.horizon import horizons, layered
from horae.languages.rtlola.live.program import LiveRTLola
from horae.languages.rtlola.report import analyze
from horae.source.errors import InputError

SECOND = 10**6


def check(seed: int) -> None:
    stream = random_stream(Random(seed))
    steps, expected = streamed(stream), batched(stream)
    found = joined(steps)
    assert found == expected, (seed, stream.shown())
    shown = rendered(found, stream)
    assert agree(shown, referred(stream)), (seed, stream.shown())
    if not isinstance(steps, str):
        assert overdue(stream, steps) == [], (seed, stream.shown())


@pytest.mark.parametrize("block", range(4))
def test_a_stream_answers_as_a_batch(block: int):
    for seed in range(10 * block, 10 * block + 10):
        check(seed)


@pytest.mark.long
@pytest.mark.parametrize("block", range(30))
def test_many_streams_answer_as_batches(block: int):
    for seed in range(1000 + 10 * block, 1010 + 10 * block):
        check(seed)


# --- by hand


def live(text: str, shards: int = 1, **more: object) -> LiveRTLola:
    program = checked(text)
    return LiveRTLola(program, options_for(program), shards, **more)  # type: ignore[arg-type]


def rows(program: LiveRTLola, *given: tuple[object, ...]) -> pa.Table:
    """The time in seconds, then the other columns."""
    ticks = [(round(float(str(time)) * SECOND), *rest) for time, *rest in given]
    columns = list(zip(*ticks, strict=True)) or [()] * len(program.rows)
    given_fields = list(program.rows)[: len(columns)]
    arrays = [pa.array(c, f.type) for c, f in zip(columns, given_fields, strict=True)]
    return fitted(pa.table(arrays, schema=pa.schema(given_fields)), program.rows)


def said(answers: pa.Table) -> list[tuple[float, object, object]]:
    return [
        (row["time"] / SECOND, row.get("stream") or row["trigger"], value_text(row))
        for row in answers.to_pylist()
    ]


def value_text(row: dict[str, object]) -> str | None:
    """A trigger has no value."""
    given = [row[name] for name in VALUES if row.get(name) is not None]
    return json.dumps(given[0]) if given else None


def steps(
    program: LiveRTLola, lateness: float, *batches: Sequence[tuple[object, ...]]
) -> list[Step]:
    tables = [rows(program, *batch) for batch in batches]
    ends = np.cumsum([0, *map(len, tables)])
    numbers = [list(range(a, b)) for a, b in pairwise(ends)]
    driver = Driver(program, int(lateness * SECOND), restart=lambda _: True)
    return driver.run(pa.concat_tables(tables), numbers)


def test_rows_wait_until_nothing_earlier_can_come():
    """The row at 1 comes after that at 2; at 3.5 the watermark is 2.5, and both are decided."""
    program = live("input int a\noutput int n := n[-1, 0] + a\n")
    found = steps(program, 1, [(2, 20)], [(1, 10)], [(3.5, 1)])
    assert [said(step.answers) for step in found] == [
        [],
        [],
        [(1, "n", "10"), (2, "n", "30")],
        [(3.5, "n", "31")],
    ]


def test_rows_at_equal_times_are_ordered_by_content_or_order():
    text = "input int a\noutput int last := a\n"
    found = steps(live(text), 0, [(1, 7), (1, 3)], [(1, 5)])
    assert [value for _, _, value in said(found[-1].answers)] == ["3", "5", "7"]
    program = live(text, order=True)
    found = steps(program, 0, [(1, 7, "10"), (1, 3, "x")], [(1, 5, "9"), (1, 6, None)])
    assert [value for _, _, value in said(found[-1].answers)] == ["6", "5", "7", "3"]


def test_clocks_start_at_the_first_row_of_the_stream_and_stop_at_the_last():
    """A shard without rows ticks too; the first row is final once it is decided."""
    program = live("input int a\noutput int n extend: 1s := n[-1, 0] + 1\n")
    shard = program.start(0)
    shard.see(np.array([5 * SECOND]))
    shard.see(np.array([2 * SECOND, 6 * SECOND]))
    assert said(shard.decide(SECOND)) == []
    assert said(shard.decide(3 * SECOND)) == [(2, "n", "1"), (3, "n", "2")]
    assert said(shard.decide(60 * SECOND)) == [(4, "n", "3"), (5, "n", "4"), (6, "n", "5")]
    assert said(shard.finish()) == []


def test_a_stream_without_rows_has_no_answers():
    shard = live("input int a\noutput int n extend: 1s := 1\n").start(0)
    assert len(shard.decide(5)) == len(shard.finish()) == 0


def test_an_answer_waits_for_its_own_future_only():
    """`soon` is decided two seconds later, `end` at the end, `now` at once."""
    text = """input int a
output int now := a
output int soon := a[2s, 0]
output int end := a[1, 0]
"""
    found = steps(live(text), 0, [(1, 1)], [(2, 2)], [(4, 4)], [(5, 5)])
    assert [sorted(said(step.answers)) for step in found] == [
        [],
        [(1, "now", "1")],
        [(1, "soon", "2"), (2, "now", "2")],
        [(2, "soon", "4"), (4, "now", "4")],
        [
            (1, "end", "2"),
            (2, "end", "4"),
            (4, "end", "5"),
            (4, "soon", "5"),
            (5, "end", "0"),
            (5, "now", "5"),
            (5, "soon", "5"),
        ],
    ]


def test_looks_ahead_add_up():
    """`far` at 0 is `near` at 1, which is `a` at 3; at the end it is the last `a`."""
    text = "input int a\noutput int near := a[2s, 0]\noutput int far := near[1s, 0]\n"
    given = [[(i / 2, i)] for i in range(20)]
    found = [a for step in steps(live(text), 0, *given) for a in said(step.answers)]
    near = {time: value for time, stream, value in found if stream == "near"}
    far = {time: value for time, stream, value in found if stream == "far"}
    assert near == {i / 2: str(min(i + 4, 19)) for i in range(20)}
    assert far == {i / 2: str(min(i + 6, 19)) for i in range(20)}


def test_values_of_a_clock_are_waited_for_by_ticks():
    """`tick` starts at 3, with the first `a`. The value after a position before that is that of 3."""
    text = """input int a, b
output int tick extend: 1s := a
output int next extend: b := tick[1, 0]
"""
    text = text.replace("extend: b :=", "extend: b > 0 :=")
    found = steps(
        live(text), 0, [(1, None, 1)], [(2.5, None, 1)], [(3, 7, None)], [(4, 8, 1)], [(6, 9, None)]
    )
    answers = [[a for a in said(step.answers) if a[1] == "next"] for step in found]
    assert answers == [
        [],
        [],
        [],
        [(1, "next", "7"), (2.5, "next", "7")],
        [(4, "next", "8")],
        [],
    ]


def test_what_the_analysis_bounds_is_bounded_in_the_kernel():
    for seed in range(60):
        program = random_stream(Random(seed)).program
        delays = analyze(program).delays
        program = layered(program)
        found = horizons(program, SECOND)
        for output in program.outputs:
            delay, lag = delays[output.name], found[program.layers[output.name]].lag
            assert isinstance(delay, Bounded) == (lag is not None), program.source.text
            assert lag is None or not isinstance(delay, Bounded) or lag >= delay.n * SECOND


# --- shards

KEYED = """input int a, b
output int n<int id>
    invoke: a
    extend: a = id
    := n(id)[-1, 0] + b
"""


def test_a_plan_that_needs_whole_rows_is_used_on_promise_only():
    assert live(KEYED, 3).width == 1
    program = live(KEYED, 3, whole_rows=True)
    assert program.width == 3
    assert live(KEYED, 1, whole_rows=True).width == 1
    with pytest.raises(InputError, match=r"INP050.*`a` and none of `b`.*time 1"):
        list(program.route(rows(program, (0, 1, 2), (1, 1, None))))


def test_every_row_with_a_key_has_one_shard():
    program = live(KEYED, 3, whole_rows=True)
    table = rows(program, *((t, t % 7, 1) for t in range(50)))
    routed = dict(program.route(table))
    assert sum(map(len, routed.values())) == 50
    keys = [set(part.column("0:a").to_pylist()) for part in routed.values()]
    assert sum(map(len, keys)) == 7


def test_a_row_without_a_key_goes_to_the_first_shard():
    """Nobody reads it, but it is known if it is late."""
    program = live(KEYED, 3, whole_rows=True)
    ((shard, part),) = program.route(rows(program, (50, None, 1)))
    assert (shard, len(part)) == (0, 1)
    kernel = program.start(0)
    kernel.see(np.array([50 * SECOND]))
    kernel.add(part)
    assert said(kernel.finish()) == []


JOINED = (
    KEYED
    + """trigger count(n > 5) > 1 "two are large"
output int large
    extend: 0.5Hz
    := count(n > 5)
"""
)


def test_operators_over_spread_instances_are_joined_in_a_second_stage():
    """n<1> is 7 from 1 on, n<2> is 8 from 2 to 4: both are large in between."""
    program = live(JOINED, 3, whole_rows=True)
    assert program.width == 3  # each answers, and tells the join what it reads
    assert program.later is not None
    assert program.later.width == 1
    given = [(1, 1, 7), (2, 2, 8), (3, 3, 1)], [(5, 2, -9), (4, 1, 0)]
    found = joined_rows(steps(program, 2, *given))
    assert [(t, v) for t, stream, v in found if stream == "large"] == [(2, "2"), (4, "2")]
    assert [t for t, stream, _ in found if stream is None] == [2, 3, 4]


def joined_rows(found: list[Step]) -> list[tuple[float, str | None, str | None]]:
    """The time, the output (None: the trigger) and the value of what is answered, in order."""
    table = pa.concat_tables([step.answers for step in found])
    rows = table.to_pylist()
    answers = [(row["time"] / SECOND, row.get("stream"), value_text(row)) for row in rows]
    return sorted(answers, key=lambda answer: answer[0])


def test_a_program_travels():
    program = live(KEYED, 3, whole_rows=True)
    arrived = pickle.loads(pickle.dumps(program))
    assert arrived.fingerprint == program.fingerprint
    assert arrived.fingerprint != live(KEYED, 2, whole_rows=True).fingerprint
    assert arrived.width == 3


def test_a_row_after_its_time_is_refused():
    program = live(KEYED)
    shard = program.start(0)
    shard.see(np.array([0, 9 * SECOND]))
    shard.decide(5 * SECOND)
    with pytest.raises(ValueError, match="decided"):
        shard.add(rows(program, (5, 1, 1)))


def test_a_fault_names_the_time_and_no_row():
    program = live("input int a\noutput int q := 1 / a\n")
    with pytest.raises(InputError, match="RUN001") as caught:
        steps(program, 0, [(1, 1)], [(2, 0)], [(3, 1)])
    assert (caught.value.time, caught.value.row) == ("2", None)


# --- state


@pytest.mark.parametrize("name", SPECS)
def test_the_state_stays_flat(name: str):
    """A hundred times the rows, as many elements."""
    program = live(SPECS[name])
    width, rng = len(program.rows) - 1, Random(3)
    given = [(i / 4, *(rng.choice((None, 0, 1, 2, 3)) for _ in range(width))) for i in range(4000)]
    table = rows(program, *given)
    batches = [list(range(start, start + 40)) for start in range(0, 4000, 40)]
    found = [s.elements for s in Driver(program, 3 * SECOND).run(table, batches)]
    assert max(found[10:]) <= 1.5 * max(found[:10]) + 2


TEXTS = """input string s
output int size := length(s)
output string before := s[-1, "none"]
output int same<string id>
    invoke: s
    extend: s = id
    terminate: 2s
    := same(id)[-1, 0] + 1
"""


def test_texts_are_forgotten(monkeypatch: pytest.MonkeyPatch):
    """Every text is new: it is kept for one more row, and as the name of an instance for 2 s."""
    monkeypatch.setattr(kernel, "_FEW_TEXTS", 50)
    program = live(TEXTS)
    shard = program.start(0)
    for i in range(1000):
        shard.see(np.array([i * SECOND]))
        shard.add(rows(program, (i, f"text {i}")))
        given = said(shard.decide(i * SECOND))
        assert (i, "before", f'"text {i - 1}"' if i else '"none"') in given
        assert (i, "size", str(len(f"text {i}"))) in given
        if i % 100 == 0:
            shard = program.restore(0, dict(shard.save()))
    kept = [data for name, data in shard.save() if name.startswith("kernel/strings")]
    assert pa.ipc.open_stream(kept[0]).read_all().num_rows < 200


@pytest.mark.parametrize("seed", range(40, 60))
def test_forgetting_changes_no_answer(seed: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kernel, "_FEW_TEXTS", 0)
    check(seed)


def test_a_small_change_rewrites_little():
    """Ten of 20,000 instances change, and a few rows come and go."""
    program = live(KEYED)
    shard = program.start(0)
    times = [(i / 1000, i, 1) for i in range(20_000)]
    before: dict[str, bytes] = {}
    for start, given in ((0, times), (20, [(20 + i, i, 1) for i in range(10)])):
        before = dict(shard.save())
        shard.see(np.array([start * SECOND, (start + 20) * SECOND]))
        shard.add(rows(program, *given))
        shard.decide((start + 20) * SECOND - 1)
    after = dict(shard.save())
    written = sum(len(data) for name, data in after.items() if before.get(name) != data)
    assert written < sum(map(len, after.values())) / 3


def test_a_step_with_very_many_ticks_is_refused(monkeypatch: pytest.MonkeyPatch):
    """Seven ticks in two steps of four and three are no more than four; four and five are."""
    monkeypatch.setattr(ticking, "MOST", 4)
    text = "input int a\noutput int n extend: 1Hz := a\n"
    assert len(steps(live(text), 0, [(1, 1)], [(4, 1)], [(7, 1)])) == 4
    with pytest.raises(InputError, match="RUN035"):
        steps(live(text), 0, [(1, 1)], [(9, 1)])
    assert steps(live(text, yes=True), 0, [(1, 1)], [(9, 1)])
