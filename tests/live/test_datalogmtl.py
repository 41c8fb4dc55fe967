"""DatalogMTL over live facts: answers, points, precision, shards and what is kept."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from random import Random

import pyarrow as pa
import pytest
from tests.languages.datalogmtl.kernel.driving import facts, prepared
from tests.live.datalogmtl_streams import answers_of, driver, in_batch, rows_of, same
from tests.live.driving import Step

from horae.data.answer_times import read_at
from horae.data.constants import Value
from horae.data.fact_columns import to_columns
from horae.data.ground_facts import GroundFact
from horae.data.intervals import point
from horae.data.layout import Place
from horae.engine.contract import Wants, stages_of
from horae.languages.datalogmtl.live import LiveDatalogMTL, live_datalogmtl
from horae.source.errors import InputError, ProgramError

WHOLE = Fraction(1)


def stream(live: LiveDatalogMTL, data: str, lateness: int = 0) -> list[Step]:
    """Each fact in a micro-batch of its own, in the order of the text."""
    rows = rows_of(live, facts(data))
    return driver(live, lateness).run(rows, [[n] for n in range(len(rows))])


def given(steps: Sequence[Step]) -> list[tuple[int | None, list[str]]]:
    """What was answered, and when."""
    return [(s.until, [_short(a) for a in answers_of([s])]) for s in steps if len(s.answers)]


def _short(answer: dict[str, object]) -> str:
    assert isinstance(answer["args"], list)
    atom = f"{answer['predicate']}({','.join(map(str, answer['args']))})"
    return f"{atom}@{answer.get('interval', answer.get('time'))}"


# --- answers


def test_an_interval_is_given_when_it_can_no_longer_grow():
    """Decided up to 3, `q(a)` could still hold a bit later; up to 4 it does not."""
    live = live_datalogmtl(prepared("q(X) :- Diamondminus[0,2] p(X)."), precision=WHOLE)
    found = given(stream(live, "p(a)@1\np(b)@4\np(b)@5\np(b)@9"))
    assert found == [(4, ["q(a)@[1,3]"]), (8, ["q(b)@[4,7]"]), (None, ["q(b)@[9,11]"])]


def test_rules_that_look_ahead_are_answered_after_their_delay():
    """`q` waits for 3: `q(a)` ends at 1, which is known once all up to a bit more than 4 is."""
    live = live_datalogmtl(prepared("q(X) :- Diamondplus[1,3] p(X)."), precision=WHOLE)
    found = given(stream(live, "p(a)@2\np(b)@5\np(b)@6\np(c)@20"))
    assert found == [(5, ["q(a)@[-1,1]"]), (19, ["q(b)@[2,5]"]), (None, ["q(c)@[17,19]"])]


def test_facts_given_before_the_stream_hold_from_the_beginning():
    normal = prepared("q(X) :- on(X), p(X). on(a).")
    live = live_datalogmtl(normal, given=facts("on(b)@(-inf,3)"), precision=WHOLE)
    assert given(stream(live, "p(a)@1\np(b)@2\np(b)@3\np(c)@8")) == [
        (2, ["q(a)@[1,1]"]),
        (7, ["q(b)@[2,2]"]),
    ]


def test_nothing_after_the_horizon_and_all_before_it_at_once():
    live = live_datalogmtl(
        prepared("Boxplus[2] q(X) :- q(X)."), precision=WHOLE, horizon=Fraction(6)
    )
    found = given(stream(live, "q(a)@1\nr(b)@2\nq(b)@5\nq(b)@7\nq(c)@9"))
    assert found == [
        (4, ["q(a)@[1,1]", "q(a)@[3,3]"]),
        (6, ["q(a)@[5,5]", "q(b)@[5,5]"]),
    ]


def test_each_predicate_ends_at_the_horizon_after_its_own_delay():
    """`r` goes on to 9, `q` looks ahead by 4: all of `r` up to 6 is known long before that of `q`."""
    rules = prepared("r(X) :- p(X). q(X) :- Diamondplus[4] p(X).")
    live = live_datalogmtl(rules, precision=WHOLE, horizon=Fraction(6))
    found = given(stream(live, "p(a)@[1,9]\nt(b)@7\nt(b)@9\nt(b)@11\nt(b)@20"))
    assert found == [(6, ["r(a)@[1,6]"]), (10, ["q(a)@[-3,5]"])]


def test_without_a_horizon_recursion_without_end_is_an_error_at_the_end():
    live = live_datalogmtl(prepared("Boxplus[2] q(X) :- q(X)."), precision=WHOLE)
    with pytest.raises(InputError, match="RUN011"):
        stream(live, "q(a)@1\nq(b)@5")


# --- points


def test_points_of_the_input_are_its_beginnings_and_its_ends():
    """The ends 3, 4 and 8 of facts; `r(x)` is no part of the program, its time counts."""
    normal = prepared("q(X) :- Diamondminus[0,2] p(X).")
    live = live_datalogmtl(normal, precision=WHOLE, at=read_at("events"))
    assert live.wants is Wants.ALL
    found = given(stream(live, "p(a)@1\nr(x)@[2,3]\np(b)@4\np(b)@8"))
    assert found == [
        (1, ["q(a)@1"]),
        (3, ["q(a)@2", "q(a)@3"]),
        (7, ["q(b)@4"]),
        (None, ["q(b)@8"]),
    ]


def test_points_of_a_grid_from_the_first_time_to_the_last():
    normal = prepared("q(X) :- p(X), not s(X).")
    live = live_datalogmtl(normal, precision=WHOLE, at=read_at("every 2"))
    assert live.wants is Wants.ENDS
    found = given(stream(live, "p(a)@[1,7]\ns(a)@4\nr(x)@5\np(b)@[6,inf)"))
    assert found == [(3, ["q(a)@2"]), (None, ["q(a)@6", "q(b)@6"])]


def test_a_grid_waits_where_time_has_moved_on_without_facts():
    """A shard does not know yet whether the grid reaches 4; a fact at 6 says so."""
    normal = prepared("q(X) :- p(X).")
    kernel = live_datalogmtl(normal, precision=WHOLE, at=read_at("every 2")).start(0)
    live = live_datalogmtl(normal, precision=WHOLE, at=read_at("every 2"))
    kernel.add(rows_of(live, facts("p(a)@[1,inf)")))
    assert kernel.decide(5).to_pylist() == []
    kernel.add(rows_of(live, facts("p(b)@6")))
    assert [row["ticks"] for row in kernel.decide(5).to_pylist()] == [2, 4]
    assert kernel.finish().column("ticks").to_pylist() == [6, 6]


def test_a_grid_that_is_too_fine_is_refused():
    live = live_datalogmtl(prepared("q(X) :- p(X)."), precision=WHOLE, at=read_at("every 1"))
    with pytest.raises(InputError, match="INP031: `every 1`"):
        stream(live, "p(a)@[0,inf)\np(b)@200000000")


def test_listed_points():
    normal = prepared("q(X) :- Diamondplus[0,2] p(X).")
    live = live_datalogmtl(normal, precision=WHOLE, at=read_at("1/2,3"))
    assert live.wants is Wants.NOTHING
    assert live.resolution == 2
    steps = stream(live, "p(a)@1\np(a)@4\np(b)@9")
    assert given(steps) == [(7, ["q(a)@1/2"]), (17, ["q(a)@3"])]


# --- time


def test_ticks_divide_the_program_the_precision_and_the_options():
    normal = prepared("q(X) :- Diamondminus[0,1/3] p(X).")
    assert live_datalogmtl(normal).resolution == 3 * 10**6
    assert live_datalogmtl(normal, precision=Fraction(1, 4)).resolution == 12
    assert live_datalogmtl(normal, precision=Fraction(5), horizon=Fraction(1, 2)).resolution == 6


def test_a_time_between_ticks_is_an_error_of_its_row():
    live = live_datalogmtl(prepared("q :- p."), precision=Fraction(1, 2))
    table = pa.Table.from_batches([to_columns(facts("p@1\np@[3/2,7/3]"))])
    with pytest.raises(InputError, match=r"INP060: the time 7/3 lies between.*in\.facts, row 2"):
        live.read(table, Place("in.facts"))


def test_a_time_that_is_too_large_is_an_error_of_its_row():
    live = live_datalogmtl(prepared("q :- p."))
    with pytest.raises(InputError, match=r"INP026.*row 2"):
        rows_of(live, facts(f"p@1\np@{10**15}"))


def test_a_fact_without_a_beginning_cannot_come_in_a_stream():
    live = live_datalogmtl(prepared("q :- p."))
    with pytest.raises(InputError, match=r"INP055.*`p`.*row 2"):
        rows_of(live, facts("p@1\np@(-inf,3]"))


def test_a_program_that_waits_for_ever_is_refused():
    with pytest.raises(ProgramError, match="RUN012: this rule looks ahead without end"):
        live_datalogmtl(prepared("q :- Diamondplus[0,inf) p."))


def test_a_precision_is_positive():
    with pytest.raises(ValueError, match="precision: `0`"):
        live_datalogmtl(prepared("q :- p."), precision=Fraction(0))


# --- shards

SPREAD = """
flags(X,Z) :- node(X), monitors(X,Z), Boxminus[0,5] Diamondminus[0,2] signal(Z).
Boxplus[0,10] monitors(X,Z) :- connected(X,Y), flags(Y,Z).
node(n1). node(n2). connected(n2,n1). monitors(n1,s1). monitors(n1,s2)@[0,30].
?- flags, connected.
"""


def signals(rng: Random, count: int) -> str:
    return "\n".join(f"signal(s{rng.randint(1, 5)})@{t}" for t in range(count))


def test_a_program_with_one_key_is_spread():
    """Facts of the key go to one shard, those without it to all; asked inputs are shown once."""
    normal, data = prepared(SPREAD), facts(signals(Random(1), 60))
    live = live_datalogmtl(normal, precision=WHOLE, shards=3)
    assert live.width > 1
    rows = rows_of(live, data)
    homes = {shard: len(part) for shard, part in live.route(rows)}
    assert sum(homes.values()) == 60
    assert len(homes) > 1
    steps = driver(live).run(rows, [[n] for n in range(60)])
    assert same(answers_of(steps), in_batch(normal, data))
    everywhere = rows_of(live, facts("connected(n1,n2)@3"))
    assert [shard for shard, _ in live.route(everywhere)].count(0) >= 1
    assert {shard for shard, _ in live.route(everywhere)} == {0, 1, 2}


@pytest.mark.parametrize("at", [None, "events"])
def test_the_first_copy_of_a_fact_is_as_it_came(at: str | None):
    """So it is known if it is late: also if no rule reads it, it is only shown, or all know its end."""
    normal = prepared("q(X) :- Diamondminus[0,2] p(X).\nr(a) :- s(a), u(a).\n?- q.\n?- u.")
    live = live_datalogmtl(normal, precision=WHOLE, shards=3, at=read_at(at))
    for text in ("s(a)@[1,4]", "u(a)@[1,4]", "p(a)@[1,4]"):
        rows = rows_of(live, facts(text))
        _, first = next(part for stage in stages_of(live) for part in stage.route(rows))
        assert first.to_pylist() == rows.to_pylist()


STAGED = """q(X) :- Diamondminus[0,2] p(X,Y).
r(Y) :- q(X), Diamondplus[0,1] s(X,Y).
t(Y) :- Boxminus[0,inf) r(Y).
"""


def test_a_program_with_several_keys_has_several_stages():
    """`q` is spread by X, `r` by Y. `s` holds 1 after `r` does, so `r` waits for 1."""
    normal = prepared(STAGED)
    live = live_datalogmtl(normal, precision=WHOLE, shards=4)
    assert live.width == 4
    assert live.later is not None
    assert live.later.later is None
    data = facts("p(a,b)@[1,3]\ns(a,c)@[2,9]\ns(b,d)@4\ns(a,e)@12")
    steps = driver(live).run(rows_of(live, data), [[0], [1], [2], [3]])
    assert [(a["predicate"], a["args"], a["interval"]) for a in answers_of(steps)] == [
        ("q", ["a"], "[1,5]"),
        ("r", ["c"], "[1,5]"),
    ]


def test_what_holds_for_ever_holds_in_later_stages():
    """`t` reads all the past of `r`, which a part of it could not tell."""
    normal = prepared(STAGED)
    given = facts("p(a,b)@(-inf,inf)\ns(a,c)@(-inf,inf)")
    live = live_datalogmtl(normal, given=given, precision=WHOLE, shards=3)
    data = facts("s(a,e)@3\ns(a,f)@9\ns(a,g)@20")
    steps = driver(live).run(rows_of(live, data), [[0], [1], [2]])
    found = [a for a in answers_of(steps) if a["predicate"] == "t"]
    assert found == [{"predicate": "t", "args": ["c"], "interval": "(-inf,inf)"}]


def test_a_live_program_travels():
    live = live_datalogmtl(prepared(SPREAD), shards=2, at=read_at("events"))
    arrived = pickle.loads(pickle.dumps(live))
    assert arrived.fingerprint == live.fingerprint
    assert arrived.start(1).save is not None
    other = live_datalogmtl(prepared(SPREAD), shards=2)
    assert other.fingerprint != live.fingerprint


# --- what is kept

BOUNDED = {
    "often": "q(X) :- Boxminus[0,5] Diamondminus[0,2] p(X).",
    "points": "q(X) :- Diamondminus[2] p(X), Diamondminus[3,inf) p(X).",
    "ahead": "q(X) :- p(X), not Diamondplus[0,3] s(X). Boxminus[0,2] r(X) :- q(X).",
    "since": "q(X) :- up(X) Since[2,inf) p(X). up(X) :- Diamondminus[0,4] p(X).",
}


def _long_stream(live: LiveDatalogMTL, length: int) -> Iterator[int]:
    """A fact per tick, in four constants; what is stored after each decision."""
    kernel = live.start(0)
    for start in range(0, length, 100):
        named = [("s" if t % 10 == 0 else "p", t) for t in range(start, start + 100)]
        rows = rows_of(live, at_points([(name, f"c{t % 4}", t) for name, t in named]))
        kernel.see(rows.column("time").to_numpy())
        kernel.add(rows)
        kernel.decide(start + 97)
        yield kernel.state_size().values


def at_points(written: Iterable[tuple[str, Value, int]]) -> list[GroundFact]:
    return [GroundFact(name, (value,), point(Fraction(t))) for name, value, t in written]


@pytest.mark.parametrize("at", [None, "events", "every 3"])
@pytest.mark.parametrize("kind", BOUNDED)
def test_a_stream_100_times_longer_keeps_as_much(kind: str, at: str | None):
    live = live_datalogmtl(prepared(BOUNDED[kind]), precision=WHOLE, at=read_at(at))
    stored = list(_long_stream(live, 10000))
    assert max(stored) == stored[1] < 80


def test_constants_that_are_gone_are_given_up():
    live = live_datalogmtl(prepared("q(X,k) :- Diamondminus[0,5] p(X)."), precision=WHOLE)
    kernel = live.start(0)
    saved = []
    for start in range(0, 10000, 500):
        new = at_points(("p", f"c{start + n}", start) for n in range(500))
        kernel.add(rows_of(live, new))
        found = kernel.decide(start)
        kernel = live.restore(0, dict(kernel.save()))
        saved.append(sum(len(data) for _, data in kernel.save()))
        if start:
            assert found.column("args")[0].as_py() == f'["c{start - 500}", "k"]'
    assert max(saved) < 1.5 * max(saved[:8])


def test_a_change_in_one_place_rewrites_little():
    """Though every answer goes on, and a long fact does."""
    normal = prepared("q(X) :- Diamondminus[0,1000] p(X), not s.")
    live = live_datalogmtl(normal, precision=WHOLE)
    kernel = live.start(0)
    kernel.add(rows_of(live, at_points(("p", n, 1) for n in range(6000))))
    kernel.add(rows_of(live, facts("p(a)@[1,900]")))
    kernel.decide(1)
    kernel.decide(2)
    before = dict(kernel.save())
    kernel.add(rows_of(live, facts("p(777)@4")))
    kernel.decide(4)
    after = dict(kernel.save())
    changed = sum(len(data) for name, data in after.items() if before.get(name) != data)
    assert changed < 0.1 * sum(map(len, after.values()))
    stale = live.restore(0, {**before, **after})
    assert stale.finish().equals(kernel.finish())


# --- shards without finite times

ALARMS = """
    alarm(X) :- {once} fault(X).
    alarm(X) :- alarm2(X), on(X).
    alarm2(X) :- alarm(X).
"""


@pytest.mark.parametrize(
    "once",
    [
        "Diamondminus[0,inf)",
        "Diamondminus(1,inf)",
        "Diamondminus[0,inf) Diamondminus[0,inf)",
        "on(X) Since[0,inf)",
        "on(X) Since[2,inf)",
        "Diamondminus[0,2]",
        "Boxminus[0,inf) Diamondminus[0,inf)",
    ],
)
@pytest.mark.parametrize("shards", [1, 3, 8])
def test_what_goes_on_for_ever_ends_with_the_stream(once: str, shards: int):
    """A shard may have only static facts, only what holds without end, or nothing at all."""
    normal, static = prepared(ALARMS.format(once=once)), facts("on(a)\non(b)")
    data = facts("fault(a)@1\nfault(b)@9\nfault(c)@12")
    live = live_datalogmtl(normal, given=static, precision=WHOLE, shards=shards)
    steps = driver(live).run(rows_of(live, data), [[0], [1], [2]])
    assert same(answers_of(steps), in_batch(normal, [*static, *data]))


def test_recursion_without_an_end_is_still_noticed():
    normal = prepared("Boxplus[2] q(X) :- q(X), on(X).\nq(X) :- Diamondminus[0,1] p(X).")
    live = live_datalogmtl(normal, given=facts("on(a)"), precision=WHOLE)
    with pytest.raises(InputError, match="RUN011"):
        stream(live, "p(a)@1\np(b)@9")


# --- large times


def test_nanoseconds_since_1970():
    live = live_datalogmtl(
        prepared("q(X) :- Diamondminus[0,0.000000002] p(X)."), precision=Fraction(1, 10**9)
    )
    found = given(stream(live, "p(a)@1789000000.123456789\np(b)@1789000001"))
    start = Fraction("1789000000.123456789")
    end = start + Fraction(2, 10**9)
    assert next(answers for _, answers in found) == [f"q(a)@[{start},{end}]"]


def test_recursion_over_nanoseconds_since_1970_ends_with_the_stream():
    normal = prepared("Boxplus[0,3] q(X) :- q(X).\nq(X) :- p(X).")
    live = live_datalogmtl(normal, precision=Fraction(1, 10**9))
    found = given(stream(live, "p(a)@1789000000\np(b)@1789000001"))
    assert found == [(None, ["q(a)@[1789000000,inf)", "q(b)@[1789000001,inf)"])]


def test_ticks_that_64_bits_do_not_hold_are_refused_before_the_start():
    with pytest.raises(InputError, match="RUN010"):
        live_datalogmtl(prepared("q :- Diamondminus[0,86400] p."), precision=Fraction(1, 10**15))


def test_a_row_beyond_64_bits_is_refused():
    live = live_datalogmtl(prepared("q(X) :- p(X)."), precision=Fraction(1, 10**9))
    with pytest.raises(InputError, match="INP026"):
        rows_of(live, facts("p(a)@4000000000"))


def test_a_sum_beyond_64_bits_ends_the_stream():
    """2^60 and 2^60 make 2^61."""
    normal = prepared(f"q(X) :- Diamondminus[{2**60}] p(X). Boxplus[0,{2**60}] r(X) :- p(X).")
    live = live_datalogmtl(normal, precision=WHOLE)
    with pytest.raises(InputError, match="RUN045"):
        stream(live, f"p(a)@{2**60}\np(b)@{2**60 + 1}")
