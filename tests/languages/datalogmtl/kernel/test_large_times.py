"""Times that are large, close together, or far apart: exact in int64, and beyond it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from tests.languages.datalogmtl.kernel.driving import at_once, facts, in_chunks, prepared

import horae
from horae.data.predicate_facts import columns_of_facts
from horae.data.symbols import Symbols
from horae.languages.datalogmtl.kernel import evaluate as evaluation
from horae.languages.datalogmtl.kernel.evaluate import timeline_for
from horae.languages.datalogmtl.kernel.facts import encode_facts
from horae.source.errors import InputError

LARGE = 2**58
CHAIN = "\n".join(f"p{i + 1} :- Diamondminus[{LARGE}] p{i}." for i in range(7))


def spans(answers: Iterable[dict[str, Any]]) -> dict[str, str]:
    return {answer["predicate"]: answer["interval"] for answer in answers}


def test_a_chain_of_large_delays_keeps_its_end():
    """p7 holds 7 · 2^58 after 2^58: at 2^61, whose cut is as large as the end of int64 time."""
    found = spans(at_once(prepared(CHAIN), facts(f"p0@{LARGE}")))
    assert found == {f"p{i}": f"[{(i + 1) * LARGE},{(i + 1) * LARGE}]" for i in range(1, 8)}


def test_a_sum_of_large_boxes_is_finite():
    chain = "\n".join(f"Boxplus[0,{LARGE}] p{i + 1} :- p{i}." for i in range(20))
    found = spans(at_once(prepared(chain), facts(f"p0@{LARGE}")))
    assert found["p20"] == f"[{LARGE},{21 * LARGE}]"


def test_the_past_is_as_long_as_the_future():
    program = "\n".join(f"p{i + 1} :- Diamondplus[{LARGE}] p{i}." for i in range(9))
    found = spans(at_once(prepared(program), facts(f"p0@-{LARGE}")))
    assert found["p9"] == f"[{-10 * LARGE},{-10 * LARGE}]"


def test_infinite_ends_stay_infinite_beside_large_ones():
    program = """
        q :- Diamondminus[0,inf) p.
        r :- q Since[1,inf) p.
        n :- not q.
        b :- Boxminus[0,inf) n.
        s :- Diamondminus[1000000000000000000000000] u.
    """
    data = "p@[1000000000000000000000000,1000000000000000000000001)  \n u@(-inf,4]"
    assert spans(at_once(prepared(program), facts(data))) == {
        "q": "[1000000000000000000000000,inf)",
        "r": "[1000000000000000000000001,inf)",
        "n": "(-inf,1000000000000000000000000)",
        "b": "(-inf,1000000000000000000000000)",
        "s": "(-inf,1000000000000000000000004]",
    }


def test_nanoseconds_since_1970():
    """They fit into int64: no wide cuts are needed."""
    normal = prepared("alarm(X) :- fault(X), Diamondminus[0,5] fault(X).")
    data = facts("fault(a)@1789000000000000000\nfault(a)@1789000000000000004")
    assert not evaluation.evaluate(normal, columns_of_facts(data)).timeline.wide
    assert len(at_once(normal, data)) == 2


def test_nanoseconds_as_fractions_of_seconds():
    normal = prepared("late :- Diamondminus(0,0.000000002] now, now.")
    data = facts("now@1789000000.123456789\nnow@1789000000.123456791")
    (answer,) = at_once(normal, data)
    assert Fraction(answer["interval"][1:].split(",")[0]) == Fraction("1789000000.123456791")


def test_times_without_a_small_common_denominator():
    """1/k for k up to 50: some 3·10^21 ticks make one unit of time."""
    normal = prepared("q :- Diamondminus[1] p.")
    data = facts("\n".join(f"p@1/{k}" for k in range(1, 51)))
    times = [Fraction(a["interval"][1:].split(",")[0]) for a in at_once(normal, data)]
    assert times == [1 + Fraction(1, k) for k in range(50, 0, -1)]


def test_points_among_wide_times():
    normal = prepared("q :- Diamondminus[1,inf) p.\nn :- not q.")
    data = facts("p@1000000000000000000000000")
    at = [Fraction(-(10**30)), Fraction(10**24), Fraction(10**24 + 1), Fraction(10**30)]
    found = [(a["time"], a["predicate"]) for a in at_once(normal, data, at=at)]
    assert found == [
        (str(-(10**30)), "n"),
        (str(10**24), "n"),
        (str(10**24 + 1), "q"),
        (str(10**30), "q"),
    ]


def test_recursion_grows_beyond_int64():
    """Twelve steps of 2^58, stopped by a fact that ends."""
    normal = prepared(f"a :- Diamondminus[{LARGE}] a, w.")
    found = at_once(normal, facts(f"a@0\nw@[0,{12 * LARGE}]"))
    assert found[-1]["interval"] == f"[{12 * LARGE},{12 * LARGE}]"
    assert len(found) == 12 + 1


def test_recursion_over_nanoseconds_since_1970_stays_in_int64():
    normal = prepared("Boxplus[0,5] a(X) :- a(X).")
    data = facts("a(k)@1789000000000000000")
    assert not evaluation.evaluate(normal, columns_of_facts(data)).timeline.wide
    (answer,) = at_once(normal, data)
    assert answer["interval"] == "[1789000000000000000,inf)"


def test_large_steps_that_never_end():
    """Beside times above 2^62, which is how int64 cuts write infinity."""
    normal = prepared(f"Boxplus[0,{LARGE}] a(X) :- a(X).")
    (answer,) = at_once(normal, facts("a(k)@1789000000000000000"))
    assert answer["interval"] == "[1789000000000000000,inf)"


@pytest.mark.parametrize("step", [7, LARGE, 10**30])
def test_what_lies_behind_a_horizon_however_far(step: int):
    """`a` holds at all multiples of the step, and `f` with the fourteenth."""
    normal = prepared(f"a :- Diamondminus[{step}] a. e :- a, f. d :- Diamondplus[0,inf) e.")
    found = at_once(normal, facts(f"a@0\nf@{14 * step}"), horizon=Fraction(5))
    assert spans(found) == {"d": "(-inf,5]", "a": "[0,0]"}


def test_an_endless_rule_far_away_asks_for_a_horizon_that_fits():
    with pytest.raises(InputError, match="RUN011") as caught:
        at_once(prepared("a(X) :- Diamondminus[5] a(X)."), facts(f"a(k)@{10**30}"))
    assert f"--horizon {10**30 + 50}" in caught.value.help


def test_a_large_horizon():
    normal = prepared("Boxplus[0,1000000000000000000000000] a :- a.")
    (answer,) = at_once(normal, facts("a@0"), horizon=Fraction(10**25))
    assert answer["interval"] == f"[0,{10**25}]"


@pytest.mark.parametrize("end", [2**61 - 1, -(2**61) + 1])
def test_the_largest_times_of_int64(end: int):
    normal, data = prepared("q :- Diamondminus[0] p."), facts(f"p@{end}")
    assert not evaluation.evaluate(normal, columns_of_facts(data)).timeline.wide
    (answer,) = at_once(normal, data)
    assert answer["interval"] == f"[{end},{end}]"


def test_a_stream_says_that_a_sum_does_not_fit():
    """Its ticks are fixed before it starts: no wrong answers, no silence."""
    normal, data = prepared(CHAIN), facts(f"p0@{LARGE}")
    with pytest.raises(InputError, match="RUN045"):
        in_chunks(normal, data, [])


def test_from_python():
    answers = horae.compile(CHAIN, language="datalogmtl").evaluate(f"p0@{LARGE}")
    assert spans(answers)["p7"] == f"[{8 * LARGE},{8 * LARGE}]"


def test_wide_relations_are_those_of_int64():
    """The same facts encoded both ways are the same relation."""
    normal, data = prepared("q :- p."), facts("p@[3,4)\np@(-inf,1]\np@[2,7)\np@[9,inf)\np@[1,2)")
    narrow = timeline_for(normal, columns_of_facts(data))
    one, other = (
        encode_facts(columns_of_facts(data), Symbols(), line)["p"]
        for line in (narrow, replace(narrow, wide=True))
    )
    assert [one.lo.tolist(), one.hi.tolist()] == [other.lo.tolist(), other.hi.tolist()]
