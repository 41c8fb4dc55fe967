"""Derivations that have no end: exact where that can be told, else refused with the reason."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.languages.datalogmtl.kernel.driving import at_once, facts, prepared

from horae.languages.datalogmtl.kernel import complete
from horae.languages.datalogmtl.plan.make_stages import make_stages
from horae.rules.intervals import growing
from horae.rules.intervals.relation import Relation, union
from horae.source.errors import InputError


def found(text: str, data: str, horizon: int | None = None) -> list[str]:
    answers = at_once(prepared(text), facts(data), None if horizon is None else Fraction(horizon))
    return [_shown(answer) + "@" + answer["interval"] for answer in answers]


def found_at(text: str, data: str, *times: int) -> list[str]:
    answers = at_once(prepared(text), facts(data), None, [*map(Fraction, times)])
    return [f"{_shown(answer)}@{answer['time']}" for answer in answers]


def _shown(answer: dict[str, object]) -> str:
    arguments = answer["args"]
    assert isinstance(arguments, list)
    written = ",".join(map(str, arguments))
    return f"{answer['predicate']}({written})" if arguments else str(answer["predicate"])


# --- exact up to a horizon, whatever lies behind it


def test_who_lives_for_ever_is_not_mortal():
    text = """
        Boxplus[0,1] alive(X) :- alive(X).
        immortal(X) :- Boxplus[0,inf) alive(X).
        mortal(X) :- alive(X), not immortal(X).
    """
    assert found(text, "alive(adam)@0", 20) == ["alive(adam)@[0,20]", "immortal(adam)@[0,20]"]
    assert found(text, "alive(adam)@0") == ["alive(adam)@[0,inf)", "immortal(adam)@[0,inf)"]


def test_facts_far_behind_the_horizon_come_back():
    """`a` goes back from 100 to 0 step by step, as long as `c` holds."""
    assert found("a :- Diamondplus[1] a, c.", "c@[0,200]\na@100", 10) == [
        f"a@[{n},{n}]" for n in range(11)
    ]


def test_what_meets_a_fact_behind_the_horizon():
    """98 is a multiple of 7: `e` holds there, and from all times before one can see it."""
    text = "a :- Diamondminus[7] a.  e :- a, f.  d :- Diamondplus[0,inf) e."
    expected = ["d@(-inf,20]", "a@[0,0]", "a@[7,7]", "a@[14,14]"]
    assert found(text, "a@0\nf@98", 20) == expected
    assert found(text, "a@0\nf@97", 20) == expected[1:]


def test_two_recursions_that_meet_far_away():
    """7 and 11 meet at 77 for the first time after 0."""
    text = """
        a :- Diamondminus[7] a.   b :- Diamondminus[11] b.
        e :- a, b, Diamondminus[1,inf) a.   d :- Diamondplus[0,inf) e.
        ?- d.
    """
    assert found(text, "a@0\nb@0", 10) == ["d@(-inf,10]"]


def test_what_depends_on_an_endless_future_is_refused():
    """`b` holds iff `a` comes back for ever, which no finite part of time tells."""
    text = "a :- Diamondminus[7] a.   b :- Boxplus[0,inf) Diamondminus[0,6] a, a.   ?- b."
    assert found(text, "a@0", 20) == []  # one gap is enough
    text = "a :- Diamondminus[7] a.   b :- Boxplus[0,inf) Diamondminus[0,7] a, a.   ?- b."
    with pytest.raises(InputError, match=r"RUN041: what holds of `b` up to 20 .*`b :- Boxplus"):
        found(text, "a@0", 20)


def test_what_no_query_needs_may_be_endless():
    assert found("a :- Diamondminus[7] a.  b :- c.  ?- b.", "a@0\nc@1") == ["b@[1,1]"]


def test_negation_of_what_goes_on_for_ever():
    text = "Boxplus[0,2] a :- a.  b :- not Diamondplus[0,inf) a.  c :- not Diamondminus[0,inf) a."
    assert found(text, "a@1\nb@5", 3) == ["c@(-inf,1)", "a@[1,3]"]
    assert found("a :- Diamondminus[3] a.  b :- not Diamondplus[0,inf) a.", "a@1", 3) == ["a@[1,1]"]


# --- both sides of time


@pytest.mark.parametrize("horizon", [None, 10])
def test_a_beginning_that_moves_back_for_ever(horizon: int | None):
    assert found("Boxminus[0,1] p :- p.", "p@0", horizon) == ["p@(-inf,0]"]


def test_answers_without_a_beginning_are_refused():
    for horizon in (None, 10):
        with pytest.raises(
            InputError, match=r"RUN011: the rules for `p` carry facts back for ever"
        ):
            found("Boxminus[2] p :- p.", "p@0", horizon)


def test_recursion_into_the_past_that_no_answer_needs():
    text = "a :- Diamondplus[7] a.   e :- a, f.   ?- e."
    assert found(text, "a@0\nf@[-20,3]", 10) == ["e@[-14,-14]", "e@[-7,-7]", "e@[0,0]"]


def test_times_alone_are_a_horizon():
    assert found_at("Boxplus[2] p :- p.", "p@0", 3, 4, 100) == ["p@4", "p@100"]
    assert found_at("Boxminus[2] p :- p.", "p@0", -3, -4, 1) == ["p@-4"]


def test_since_and_until_that_carry_themselves():
    """`u` holds back from 5 as long as `g` does; and `g` holds since ever."""
    assert found("u :- g Until[0,1] u.", "g@(-inf,9]\nu@5", 7) == ["u@(-inf,5]"]
    assert found("u :- g Since[0,1] u.", "g@[0,inf)\nu@5") == ["u@[5,inf)"]


# --- intervals without end, found without a horizon


def test_what_a_few_infinite_intervals_describe_needs_no_horizon():
    assert found("Boxplus[0,1] a :- a.", "a@0") == ["a@[0,inf)"]
    assert found("Boxplus(0,1] a :- a.", "a@0") == ["a@[0,inf)"]
    assert found("a :- Diamondminus[3] a.  a :- Diamondminus[5] a.", "a@[0,2]") == [
        "a@[0,2]",
        "a@[3,inf)",
    ]


def test_tails_need_what_holds_for_ever():
    """While `on` holds, `a` goes on; for x it holds for ever, for y it ends at 40."""
    text = "Boxplus[0,1] a(X) :- a(X), on(X)."
    data = "a(x)@0\na(y)@0\non(x)@[0,inf)\non(y)@[0,40]"
    assert found(text, data) == ["a(x)@[0,inf)", "a(y)@[0,41]"]


def test_tails_stop_where_a_negated_atom_begins():
    """A point does not stop `a`, which holds around it; for ever does."""
    text = "Boxplus[0,1] a(X) :- a(X), not off(X)."
    data = "a(x)@0\na(y)@0\na(z)@0\noff(y)@90\noff(z)@[90,inf)"
    assert found(text, data) == ["a(x)@[0,inf)", "a(y)@[0,inf)", "a(z)@[0,91)"]


# --- long is not endless

COUNTER = """
    step :- zero(I).
    carry(I) :- first(I), step.
    carry(J) :- next(I,J), carry(I), one(I).
    keep(J) :- next(I,J), keep(I).
    keep(J) :- next(I,J), carry(I), zero(I).
    Boxplus[1] one(I) :- carry(I), zero(I).
    Boxplus[1] one(I) :- keep(I), one(I).
    Boxplus[1] zero(I) :- carry(I), one(I).
    Boxplus[1] zero(I) :- keep(I), zero(I).
    ?- step.
"""


def counted(bits: int) -> str:
    """All bits are 0 at time 0; without a 0 the counter stops."""
    chain = "\n".join(f"next({n},{n + 1})" for n in range(bits - 1))
    return f"first(0)\n{chain}\n" + "\n".join(f"zero({n})@0" for n in range(bits))


@pytest.mark.parametrize("bits", [7, pytest.param(10, marks=pytest.mark.long)])
def test_a_counter_stops_after_all_numbers(bits: int):
    steps = found(COUNTER, counted(bits))
    assert len(steps) == 2**bits - 1
    assert steps[-1] == f"step@[{2**bits - 2},{2**bits - 2}]"


def test_what_has_no_end_in_sight_is_said_to_be_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(complete, "FEW_ROUNDS", 100)
    with pytest.raises(InputError, match=r"RUN011: no end was found of what the rules for `carry`"):
        found(COUNTER, counted(7))


def test_a_counter_that_is_seen_from_before_the_horizon():
    text = COUNTER + "full(I) :- one(I), not step.  seen :- Diamondplus[0,inf) full(I). ?- seen."
    assert found(text, counted(6), 5)[0] == "seen@(-inf,5]"


def test_the_suggested_horizon_fits_the_data():
    with pytest.raises(InputError) as caught:
        found("Boxplus[2] p :- p.", "p@1700000000")
    assert "--horizon 1700000020:" in caught.value.help


# --- work in proportion


def test_a_round_copies_what_is_new(monkeypatch: pytest.MonkeyPatch):
    """Rows that are copied when runs are merged: a few times each, not once per round."""
    copied = 0

    def counted(left: Relation, right: Relation) -> Relation:
        nonlocal copied
        copied += len(left) + len(right)
        return union(left, right)

    monkeypatch.setattr(growing, "union", counted)
    data = "\n".join(f"a(c{n})@{n}" for n in range(20))
    answers = found("a(X) :- Diamondminus[1] a(X).", data, 400)
    assert len(answers) == sum(401 - n for n in range(20))
    assert copied < 20 * len(answers)


def test_rules_that_derive_nothing_new_are_not_tried_again():
    """A chain is evaluated link by link, in one round each."""
    chain = "\n".join(f"p{n + 1}(X) :- Diamondminus[1] p{n}(X)." for n in range(300))
    assert found(f"{chain}\n?- p300.", "p0(a)@0") == ["p300(a)@[300,300]"]
    assert len(make_stages(prepared(chain)).stages) == 1


def test_variables_that_nobody_needs_are_dropped_between_joins():
    """100 × 100 × 100 × 100 pairs would not fit; of each atom only whether it holds matters."""
    data = "\n".join(f"e({n})@[0,{n}]" for n in range(100))
    assert found("p :- e(A), e(B), e(C), e(D).", data) == ["p@[0,99]"]
