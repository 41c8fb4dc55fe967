"""What only a stream can get wrong: ends of chunks, the edges of time, late facts, going on later."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from tests.languages.datalogmtl.kernel.driving import (
    Stream,
    at_once,
    facts,
    grounded,
    in_chunks,
    prepared,
    random_ends,
)
from tests.languages.datalogmtl.kernel.past_programs import random_past_program
from tests.strategies.datalogmtl_programs import HORIZON, random_facts, random_program

from horae.languages.datalogmtl.kernel.kernel import DatalogMTLKernel
from horae.source.errors import InputError, ProgramError

HALVES = [Fraction(n, 2) for n in range(-4, 40)]
WHOLE = [Fraction(n) for n in range(-4, 20)]


def same_in_chunks(rules: str, data: str, horizon: Fraction | None = None) -> list[str]:
    """The answers, which no choice of chunks may change."""
    normal, given = prepared(rules), facts(data)
    expected = at_once(normal, given, horizon)
    for ends in ([], [Fraction(3)], WHOLE, HALVES):
        for often in (False, True):
            assert in_chunks(normal, given, ends, horizon, often) == expected
        stream = Stream(normal, given, [e for e in ends if horizon is None or e <= horizon])
        for _ in stream.steps():
            pass
        assert stream.finish(horizon) == expected
    return [_short(a) for a in expected]


def _short(answer: dict[str, object]) -> str:
    arguments = answer["args"]
    assert isinstance(arguments, list)
    atom = f"{answer['predicate']}({','.join(map(str, arguments))})" if arguments else None
    return f"{atom or answer['predicate']}@{answer['interval']}"


# --- the edges of time


def test_a_box_without_end_needs_support_without_beginning():
    rules = "q(X) :- Boxminus[1,inf) p(X)."
    found = same_in_chunks(rules, "p(a)@(-inf,5)\np(b)@[0,9]\np(c)")
    assert found == ["q(a)@(-inf,6)", "q(c)@(-inf,inf)"]


def test_what_holds_by_negation_since_ever():
    rules = "q :- e, not p. r :- Boxminus[0,inf) q. e."
    assert same_in_chunks(rules + " ?- r.", "p@6") == ["r@(-inf,6)"]


def test_facts_without_end():
    found = same_in_chunks("q :- p, not r. s :- Diamondminus[2,inf) r.", "p@[2,inf)\nr@(4,5]")
    assert found == ["q@[2,4]", "q@(5,inf)", "s@(6,inf)"]


def test_eternal_facts_and_negation():
    found = same_in_chunks("q(X) :- e(X), not p(X).", "e(a)\ne(b)\np(a)@[1,2)")
    assert found == ["q(a)@(-inf,1)", "q(b)@(-inf,inf)", "q(a)@[2,inf)"]


def test_an_empty_stream():
    assert same_in_chunks("q :- not p.", "") == ["q@(-inf,inf)"]
    assert same_in_chunks("q(X) :- Diamondminus[0,1] p(X).", "") == []


def test_carried_on_for_ever_up_to_a_horizon():
    found = same_in_chunks("Boxplus[2] tick :- tick.", "tick@1", Fraction(8))
    assert found == [f"tick@[{n},{n}]" for n in (1, 3, 5, 7)]


@pytest.mark.parametrize("start", [0, 10**9, -(10**9)])
@pytest.mark.parametrize("head", ["Boxplus[2]", "Boxminus[2]"])
def test_carried_on_for_ever_without_a_horizon(head: str, start: int):
    with pytest.raises(InputError, match="RUN011"):
        at_once(prepared(f"{head} tick(X) :- tick(X)."), facts(f"tick(a)@{start}"))


def test_one_interval_that_grows_for_ever():
    assert same_in_chunks("Boxplus[0,2] q :- q.", "q@1") == ["q@[1,inf)"]


def test_carried_on_for_ever_at_the_end_of_a_stream():
    with pytest.raises(InputError, match="RUN011"):
        in_chunks(prepared("Boxplus[2] tick :- tick."), facts("tick@1"), WHOLE)


# --- Since


def test_since_without_end_over_chunks():
    found = same_in_chunks("q(X) :- up(X) Since[2,inf) s(X).", "up(a)@[0,15)\ns(a)@1\ns(a)@4")
    assert found == ["q(a)@[3,15]"]


def test_since_whose_left_side_has_variables_of_its_own():
    """Each left interval needs the first right fact within itself."""
    found = same_in_chunks("q(X) :- up(X) Since[1,inf) s.", "up(a)@[0,18]\nup(b)@[5,18]\ns@2\ns@6")
    assert found == ["q(a)@[3,18]", "q(b)@[7,18]"]


def test_since_through_an_open_end():
    assert same_in_chunks("q :- up Since(0,inf) s.", "up@(2,6)\nup@(6,9]\ns@2") == ["q@(2,6]"]


# --- chunks


def test_answers_are_maximal_across_chunks():
    normal = prepared("q :- p.")
    stream = Stream(normal, facts("p@[0,3]\np@(3,5)"), WHOLE)
    given = [sum(map(len, stream.found.values())) for _ in stream.steps()]
    assert given == [0] * WHOLE.index(Fraction(5)) + [1] * (len(WHOLE) - WHOLE.index(Fraction(5)))
    assert [a["interval"] for a in stream.finish(None)] == ["[0,5)"]


def test_moving_back_changes_nothing():
    stream = Stream(prepared("q :- p."), facts("p@[0,3]"), [Fraction(2), Fraction(1), Fraction(2)])
    stream.data, stream.ends = [], [Fraction(2), Fraction(1)]
    assert [len(k.state.waiting) for k in stream.steps()] == [0, 0]


def test_late_facts_are_refused():
    stream = Stream(prepared("q :- p."), facts("p@[0,1]\np@[2,6]"), [Fraction(3)])
    for kernel in stream.steps():
        with pytest.raises(InputError, match=r"RUN013.*holds in \[0,1\], but all up to 3"):
            stream._push(None, None)
        assert kernel.state.decided == 7


# --- looking ahead


def test_looking_ahead_is_answered_later():
    rules = "q :- Diamondplus[1,3] p. r :- Boxplus[0,2) p."
    assert same_in_chunks(rules, "p@[5,9]") == ["q@[2,8]", "r@[5,7]"]


def test_until_over_chunks():
    found = same_in_chunks("q(X) :- up(X) Until[1,3] s(X).", "up(a)@[0,4)\ns(a)@4\ns(a)@9")
    assert found == ["q(a)@[1,3]"]


def test_boxes_in_heads_that_look_back():
    assert same_in_chunks("Boxminus[0,2] q :- p, not r.", "p@[3,6]\nr@5") == ["q@[1,6]"]


def test_predicates_that_wait_meet_those_that_do_not():
    """The delays are 2, 5 and 0; `p` is kept until the longest is over."""
    rules = "q :- p, not Diamondplus[0,2] s. r :- p, Diamondplus[0,3] q. u :- Boxminus[5] r."
    found = same_in_chunks(rules, "p@[0,4]\np@[8,10]\ns@3\ns@10")
    assert found == ["q@[0,1)", "r@[0,4]", "q@(3,4]", "u@[5,9]"]


def test_since_whose_sides_wait():
    rules = "q :- up Since[1,inf) (Diamondplus[0,2] s)."
    assert same_in_chunks(rules, "up@[0,15]\ns@5") == ["q@[4,15]"]


def test_an_answer_comes_as_soon_as_its_delay_is_over():
    """`q` holds in [2,8]; that it ends at 8 is known once all up to 11 is, and a bit."""
    stream = Stream(prepared("q :- Diamondplus[1,3] p."), facts("p@[5,9]"), HALVES)
    given = [sum(map(len, stream.found.values())) for _ in stream.steps()]
    assert given.index(1) == HALVES.index(Fraction(23, 2))


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ("q :- Diamondplus[0,inf) p.", "looks ahead without end"),
        ("q :- s, Boxplus[1,inf) p.", "looks ahead without end"),
        ("q :- p Until[0,inf) r.", "looks ahead without end"),
        ("Boxminus[0,inf) q :- p.", "looks ahead without end"),
        ("Boxminus[2] q :- q.", "waits for itself"),
        ("q :- Diamondplus[0,5] p. p :- Boxminus[2,3] q.", "waits for itself"),
    ],
)
def test_looking_ahead_without_a_bound_is_refused(rules: str, why: str):
    with pytest.raises(ProgramError, match=f"RUN012: this rule {why}"):
        Stream(prepared(rules), facts("p@1"), [])


# --- snapshots


@pytest.mark.parametrize("often", [False, True])
def test_a_restored_kernel_goes_on_identically(often: bool):
    for seed in range(20):
        rng = Random(f"snapshot {seed}")
        text = random_past_program(rng) if seed % 2 else random_program(rng, "mitl-fp")
        normal = prepared(text)
        data = grounded(random_facts(rng, normal.program, unbounded=True))
        ends = random_ends(rng, normal.program, HORIZON)
        stream = Stream(normal, data, ends, often)
        for kernel in stream.steps():
            chunks = kernel.snapshot()
            stream.kernel = DatalogMTLKernel.restore(normal, chunks, often=often)
            assert stream.kernel.snapshot() == chunks
        assert stream.finish(HORIZON) == at_once(normal, data, HORIZON)


def test_changed_chunks_make_the_next_snapshot():
    """Also where a relation has become shorter than it was."""
    normal = prepared("q(X) :- Diamondminus[1,1] p(X).")
    many = "\n".join(f"p(c{n})@{n % 3}" for n in range(9000)) + '\np(1/3)@8\np("1/3")@9\np(3)@9'
    stream = Stream(normal, facts(many), [Fraction(n) for n in (0, 1, 4, 8, 9)])
    stored: dict[str, bytes] = {}
    for kernel in stream.steps():
        changed = kernel.changed_chunks(stored)
        assert kernel.changed_chunks({**stored, **changed}) == {}
        stored.update(changed)
        stream.kernel = DatalogMTLKernel.restore(normal, stored)
        assert stream.kernel.elements() == kernel.elements()
    assert stream.finish(None) == at_once(normal, facts(many))
