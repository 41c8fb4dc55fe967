"""LARS over streams: what is answered when, what is kept, and what is refused."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pyarrow as pa
import pytest
from tests.languages.lars.plan.simulated import checked
from tests.live.driving import Step
from tests.live.lars_streams import At, answers_of, driver, facts_of, rows_of

from horae.data.fact_columns import ARGS, PREDICATE, to_columns
from horae.data.key_homes import homes_of_values
from horae.data.predicate_facts import columns_of_facts
from horae.data.time_points import read_evaluation_times
from horae.engine.contract import Wants
from horae.languages.lars.answers import lars_answers
from horae.languages.lars.live import LiveLARS, live_lars, shard, to_rows
from horae.languages.lars.options import LARSOptions
from horae.languages.lars.plan.route_program import route_program
from horae.source.errors import InputError


def _live(text: str, *, at: At = None, shards: int = 1, given: str = "") -> LiveLARS:
    program = checked(text)
    known = facts_of(program, given)
    options = LARSOptions(at=read_evaluation_times(at))
    return live_lars(route_program(program), options, shards=shards, given=columns_of_facts(known))


def _rows(live: LiveLARS, facts: str) -> pa.Table:
    return rows_of(live.program, facts_of(live.program, facts))


def _one_by_one(live: LiveLARS, facts: str, lateness: int = 0) -> list[Step]:
    """A micro-batch per fact, and a restart after each."""
    rows = _rows(live, facts)
    return driver(live, lateness, lambda _: True).run(rows, [[row] for row in range(len(rows))])


def _short(answers: pa.Table) -> list[str]:
    return [
        f"{a['time']}: {a['predicate']}({','.join(map(str, a['args']))})"
        for a in lars_answers(answers)
    ]


def _told(steps: Sequence[Step]) -> list[tuple[int | None, list[str]]]:
    """Steps with answers."""
    return [(step.until, _short(step.answers)) for step in steps if len(step.answers)]


# --- when


def test_a_window_into_the_future_waits_for_its_end():
    """At 3 the window is [3,5], at 4 it is [4,6]: both are known once 7 is."""
    steps = _one_by_one(_live("s(X) :- win[+2] <> p(X)."), "p(a)@3\np(b)@4\np(c)@9", lateness=1)
    assert [step.until for step in steps] == [1, 2, 7, None]
    assert _told(steps) == [(7, ["3: s(a)", "3: s(b)", "4: s(b)"]), (None, ["9: s(c)"])]


def test_an_answer_comes_as_soon_as_its_window_is_decided():
    live = _live("s(X) :- win[+2] <> p(X).")
    kernel = live.start(0)
    kernel.see(np.array([3]))
    kernel.add(_rows(live, "p(a)@3"))
    assert [len(kernel.decide(until)) for until in (3, 4, 5, 6)] == [0, 0, 1, 0]
    assert len(kernel.finish()) == 0


def test_what_is_for_the_solver_waits_no_longer():
    """Both a and b can be chosen at 2, once q(k)@3 is known; nothing holds at 3 and 5."""
    text = "a :- p(X), win[0,1] <> q(X), not b.\nb :- p(X), win[0,1] <> q(X), not a."
    steps = _one_by_one(_live(text), "p(k)@2\nq(k)@3\nz@5")
    assert _told(steps) == [(4, ["2: a()", "2: b()"])]
    assert [a["answer"] for a in answers_of(steps)] == [1, 2]


def test_clocks_tick_without_data():
    """From 0 to 9 every 2; p(a) is in the windows of 0, 2 and 6."""
    live = _live("quiet :- win[2] [] not p(a).", at="every 2")
    steps = _one_by_one(live, "p(a)@0\np(a)@5\nz@9")
    assert _told(steps) == [(4, ["4: quiet()"]), (8, ["8: quiet()"])]


def test_a_list_of_times_needs_no_data():
    live = _live("s(X) :- k(X), not win[5] <> p(X).", at=[3, 50], given="k(a)")
    assert live.wants is Wants.NOTHING
    assert _told(_one_by_one(live, "")) == [(None, ["3: s(a)", "50: s(a)"])]


# --- facts


def test_the_time_points_of_an_interval_wait():
    """`up` comes at 2 and holds until 5; p(a)@4 comes after it."""
    live = _live("s(X) :- up(X), win[1] <> p(X).")
    steps = _one_by_one(live, "up(a)@[2,5]\np(a)@4\nz@9")
    assert _told(steps) == [(8, ["4: s(a)", "5: s(a)"])]


def test_every_shard_knows_the_time_points_of_all_intervals():
    """`z` is evaluated at 1, 2, 3 and 4, and p(a)@1 is in the window of all."""
    live = _live("s(K) :- win[3] <> p(K).", shards=3)
    assert live.width > 1
    found = [line for _, lines in _told(_one_by_one(live, "z@[1,4]\np(a)@1")) for line in lines]
    assert found == ["1: s(a)", "2: s(a)", "3: s(a)", "4: s(a)"]


def test_facts_of_the_program_are_there_from_the_beginning():
    live = _live("s(X) :- win[1] <> p(X), not k(X).\np(a)@2.\nk(c).")
    steps = _one_by_one(live, "p(b)@4\np(c)@4\nz@7")
    assert _told(steps) == [(3, ["2: s(a)"]), (6, ["4: s(b)"])]


def test_windows_count_what_the_program_does_not_read():
    """The last two atoms: p(a); p(a) and z; z and p(b)."""
    steps = _one_by_one(_live("s(X) :- win[#2] <> p(X)."), "p(a)@1\nz@2\np(b)@3")
    assert [line for _, lines in _told(steps) for line in lines] == [
        "1: s(a)",
        "2: s(a)",
        "3: s(b)",
    ]


def test_rows_of_an_interval_without_time_points_say_nothing():
    live = _live("s(X) :- p(X).")
    assert _rows(live, "p(a)@(1,2)\np(b)@[5/2,7/2]").column("time").to_pylist() == [3]


# --- shards


def test_rows_go_by_key_or_everywhere():
    """`e` is the key's in its first place; `k` is read without it; no rule reads `z`."""
    live = _live("s(K) :- win[3] <> e(K,Y), k(Y).", shards=3, given="k(y)")
    parts = live.route(_rows(live, "e(a,y)@1\ne(b,y)@1\nk(y)@2\nz@3"))
    found = {(n, row[PREDICATE], *row[ARGS]) for n, part in parts for row in part.to_pylist()}
    homes = homes_of_values("ab", 3).tolist()
    keys = {(shard, "e", f'"{key}"', '"y"') for shard, key in zip(homes, "ab", strict=True)}
    assert found == keys | {(0, "k", '"y"'), (1, "k", '"y"'), (2, "k", '"y"'), (0, "z")}


def test_a_program_for_the_solver_is_in_one_shard():
    live = _live("a :- p, not b.\nb :- p, not a.", shards=5)
    assert live.width == 1


def test_a_program_travels():
    live = _live("s(K) :- win[3] <> e(K,Y), k(Y).", shards=3, given="k(y)")
    copy = pickle.loads(pickle.dumps(live))
    assert copy.fingerprint == live.fingerprint
    assert _told(_one_by_one(copy, "e(a,y)@1\nz@3")) == [(2, ["1: s(a)"]), (None, ["3: s(a)"])]


def test_other_options_are_another_program():
    prints = {_live("s(X) :- p(X).", at=at).fingerprint for at in (None, "all", "every 2", [1])}
    prints.add(_live("s(X) :- p(X).", given="k(a)").fingerprint)
    assert len(prints) == 5


# --- state


def _sizes(live: LiveLARS, lines: Sequence[str], batch: int) -> list[int]:
    rows = _rows(live, "\n".join(lines))
    parts = [[*range(i, min(i + batch, len(rows)))] for i in range(0, len(rows), batch)]
    return [step.elements for step in driver(live, 0, lambda n: n % 7 == 0).run(rows, parts)]


BOUNDED = {
    "s(X) :- win[10] <> p(X,_).": 10,  # the last 10 time points
    "s(X) :- win[p(_,K) by K #2] <> p(X,K).": 2 * 3,  # 2 for each of 3 values
    "s(X) :- win[#4] <> p(X,_).": 4,
    "s(X) :- win[3,2] <> p(X,_).": 3 + 2 + 2,  # 2 atoms ahead, 2 time points that wait for them
    "s(X) :- win[3] <> p(X,_), not t(X).\nt(X) :- p(X,_), not s(X).": 2 * 3,  # and their order
}


def _check_that_state_stays_flat(text: str, factor: int) -> None:
    """Besides the last row and its time point, which are not decided yet."""
    lines = [f"p(c{time},{time % 3})@{time}" for time in range(30 * factor)]
    short, long = _sizes(_live(text), lines[:30], 10), _sizes(_live(text), lines, 10)
    assert short[-2] == long[-2] <= BOUNDED[text] + 2
    assert max(long) == max(short)


@pytest.mark.parametrize("text", BOUNDED)
def test_a_longer_stream_keeps_the_same(text: str):
    _check_that_state_stays_flat(text, 10)


@pytest.mark.long
@pytest.mark.parametrize("text", BOUNDED)
def test_a_stream_100_times_longer_keeps_the_same(text: str):
    _check_that_state_stays_flat(text, 100)


@pytest.mark.parametrize("at", ["every 1000", [5, 2000]])
def test_what_no_evaluation_looks_at_is_not_kept(at: At):
    lines = [f"p(c{time})@{time}" for time in range(1500)]
    assert max(_sizes(_live("s(X) :- win[10] <> p(X).", at=at), lines, 50)) <= 12


def test_constants_are_forgotten(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shard, "SPARE", 20)
    live = _live("s(X) :- win[10] <> p(X), k(X).", given="k(c0)\nk(c399)")
    lines = "\n".join(f"p(c{time})@{time}" for time in range(400))
    drive, rows = driver(live, 0, lambda _: True), _rows(live, lines)
    steps = drive.run(rows, [[*range(i, i + 5)] for i in range(0, 400, 5)])
    assert answers_of(steps)[-1]["args"] == ["c399"]
    (kernel,) = drive.stages[0].kernels
    assert isinstance(kernel, shard.LiveShard)
    assert sum(len(data) for _, data in kernel.save()) < 3000


def test_a_change_rewrites_little():
    live = _live("s(K,V) :- win[p(K,_) by K #1] <> p(K,V).", at=[10**6])
    kernel = live.start(0)
    rng = Random(1)
    lines = [f"p(k{rng.randrange(10**6)},{n})@{n // 10}" for n in range(10_000)]
    kernel.add(_rows(live, "\n".join(lines)))
    kernel.decide(2000)
    before = dict(kernel.save())
    kernel.add(_rows(live, f"{lines[5000].partition('@')[0]}@2001"))
    kernel.decide(3000)
    after = dict(kernel.save())
    changed = sum(len(data) for name, data in after.items() if before.get(name) != data)
    assert changed < sum(map(len, after.values())) / 10


def test_a_restored_state_is_saved_the_same():
    live = _live("s(X) :- win[5,2] <> p(X), win[#3] <> q(X,Y).", given="k(a)")
    kernel = live.start(0)
    facts = facts_of(live.program, 'p(a)@1\nq(a,1/2)@2\nq("x y",-3)@3\np(b)@[4,900]\nz(o)@7')
    odd = [replace(fact, predicate="o/p%") for fact in facts if fact.predicate == "z"]
    kernel.add(rows_of(live.program, [*facts, *odd]))
    kernel.decide(5)
    saved = dict(kernel.save())
    assert dict(live.restore(0, saved).save()) == saved


# --- refused


@pytest.mark.parametrize(
    ("text", "message", "remedy"),
    [
        (
            "s(X) :- p(X), win[1,inf] <> q(X).",
            "`win[1,inf] <> q(X)` keeps a stream waiting for ever: "
            "the window has no end (spec.lars:1:15)",
            "give the window an end, `win[l,n]`",
        ),
        (
            "s(X) :- win[#+2] <> p(X).",
            "`win[#+2] <> p(X)` keeps a stream waiting for ever: "
            "it waits for atoms that are yet to come, however late (spec.lars:1:9)",
            "count back only, or put `win[l,n]` around it",
        ),
    ],
)
def test_waiting_for_ever_is_refused(text: str, message: str, remedy: str):
    with pytest.raises(InputError) as caught:
        _live(text)
    assert str(caught.value) == f"RUN025: {message}\nhelp: {remedy}"


@pytest.mark.parametrize(
    ("facts", "code"), [("k(a)", "INP055"), ("s(a)@3", "INP041"), ("p(a)@[1,inf)", "INP040")]
)
def test_rows_that_are_no_rows_of_a_stream(facts: str, code: str):
    program = checked("s(X) :- p(X).")
    columns = pa.Table.from_batches([to_columns(facts_of(program, facts))])
    with pytest.raises(InputError) as caught:
        to_rows(columns, program.derived)
    assert caught.value.code == code


def test_facts_agree_on_the_number_of_arguments():
    live = _live("s(X) :- p(X).")
    kernel = live.start(0)
    kernel.add(_rows(live, "z(a)@1"))
    kernel = live.restore(0, dict(kernel.save()))
    with pytest.raises(InputError, match="INP021: `z` has 1 argument in another fact, but 2 here"):
        kernel.add(_rows(live, "z(a,b)@2"))
