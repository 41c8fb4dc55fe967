"""Windows and delays, worked out by hand on programs in normal form."""

from __future__ import annotations

from fractions import Fraction

from horae.languages.datalogmtl.analysis.delays import Infeasible, find_delays
from horae.languages.datalogmtl.analysis.windows import Memory, find_windows
from horae.languages.datalogmtl.check.check import load
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.languages.datalogmtl.check.normalise import normalise
from horae.source.text import Source


def prepared(text: str) -> NormalProgram:
    program, found = load(Source("spec.dmtl", text))
    assert program is not None, [d.message for d in found]
    return normalise(program)


def test_the_window_is_the_greatest_number_and_the_granularity_the_least_length():
    found = find_windows(prepared("Boxplus[0,10] q :- Boxminus[3,5] p, Diamondminus[20,inf) r."))
    assert (found.w, found.granularity) == (Fraction(20), Fraction(2))


def test_punctual_intervals_have_no_length_and_infinite_ones_do_not_count():
    assert find_windows(prepared("q :- Boxminus[1] p.")).granularity == 0
    assert find_windows(prepared("q :- Diamondminus[1,inf) p.")).granularity is None
    assert find_windows(prepared("q :- p.")).granularity is None


def test_a_predicate_is_kept_as_long_as_some_rule_looks_back_at_it():
    rules = "q :- Boxminus[3,5] p. r :- Diamondminus(1,7) p. s :- q, r. t :- Diamondminus[2,inf) p."
    memory = find_windows(prepared(rules)).memory
    assert memory == {"p": Memory(Fraction(7), history=True)}


def test_both_sides_of_a_since_are_kept():
    memory = find_windows(prepared("q :- a Since[2,4] b. r :- b Since[1,inf) c.")).memory
    assert memory["a"] == Memory(Fraction(4))
    assert memory["b"] == Memory(Fraction(4), since=True)
    assert memory["c"] == Memory(Fraction(1), since=True)


def test_looking_ahead_delays_and_looking_back_makes_up_for_it():
    rules = "q :- Diamondplus[0,5] p. r :- Boxminus[2,3] q. s :- Boxminus[9,9] q."
    assert find_delays(prepared(rules)) == {"q": Fraction(5), "r": Fraction(3)}


def test_a_loop_that_waits_for_itself():
    found = find_delays(prepared("q :- Diamondplus[0,5] p. p :- Boxminus[2,3] q."))
    assert isinstance(found, Infeasible)
    assert {rule.head.predicate for rule in found.path} == {"p", "q"}
    assert find_delays(prepared("q :- Diamondplus[0,2] p. p :- Boxminus[2,3] q.")) == {
        "q": Fraction(2)
    }


def test_looking_ahead_without_end():
    found = find_delays(prepared("q :- Diamondplus[0,inf) p."))
    assert isinstance(found, Infeasible)
    assert found.why == "`q` looks ahead without end"


def test_what_a_predicate_that_waits_reads_is_kept_longer():
    """The delays: q 5, r 5 − 2, s 5. In the end q reads p of up to 5 ago, and s what is 5 old."""
    rules = "q :- Diamondplus[1,5] p. r :- Boxminus[2,4] q. s :- p, q."
    normal = prepared(rules)
    delays = find_delays(normal)
    assert delays == {"q": Fraction(5), "r": Fraction(3), "s": Fraction(5)}
    memory = find_windows(normal, delays).memory
    assert memory == {"p": Memory(Fraction(5)), "q": Memory(Fraction(2))}
