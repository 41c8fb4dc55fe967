"""The reference semantics of DatalogMTL against examples worked out by hand, and against itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from tests.case_folders import Case, cases
from tests.strategies.datalogmtl_programs import HORIZON, random_facts, random_program

from horae.data.fact_lines.parse import parse_facts
from horae.data.intervals import Interval
from horae.languages.datalogmtl.check.check import load
from horae.languages.datalogmtl.program import Program
from horae.reference.datalogmtl import EndlessError, GroundFact, enclose, evaluate
from horae.source.text import Source


def checked(text: str) -> Program:
    program, found = load(Source("spec.dmtl", text))
    assert program is not None, [d.message for d in found]
    return program


def facts(text: str) -> list[GroundFact]:
    found, diagnostics = parse_facts(Source("input.facts", text))
    assert not diagnostics, [d.message for d in diagnostics]
    return [(fact.predicate, fact.arguments, fact.interval) for fact, _ in found]


def answers(text: str, data: str, **options: Any) -> list[str]:
    """As `q(a)@[0,1]`."""
    return [_short(answer) for answer in evaluate(checked(text), facts(data), **options)]


def _short(answer: dict[str, Any]) -> str:
    arguments = f"({','.join(map(str, answer['args']))})" if answer["args"] else ""
    return f"{answer['predicate']}{arguments}@{answer['interval']}"


@pytest.mark.parametrize("case", cases("datalogmtl"), ids=lambda case: case.name)
def test_worked_example(case: Case):
    horizon, at = case.options.get("horizon"), case.options.get("at")
    found = evaluate(
        checked(case.source.text),
        facts(case.facts),
        horizon=None if horizon is None else Fraction(horizon),
        at=None if at is None else [Fraction(time) for time in at],
    )
    assert found == case.expected


# --- the operators, once more: Table 1 on single times instead of regions

_ENDS = [(a, b) for a in range(3) for b in range(a, 3)]
_INTERVALS = [
    Interval(Fraction(low), Fraction(high), *opened)
    for (low, high), opened in product(_ENDS, product((False, True), repeat=2))
]
_RHOS = [rho for rho in _INTERVALS if not rho.is_empty]
_RHOS += [Interval(Fraction(1), None, opened) for opened in (False, True)]
_FINE = [Fraction(n, 8) for n in range(-4 * 8, 9 * 8)]
_FINER = [Fraction(n, 16) for n in range(-4 * 16, 9 * 16)]
_TIMES = [Fraction(n, 2) for n in range(-2, 13)]


def _holds(intervals: Sequence[Interval]) -> Callable[[Fraction], bool]:
    return lambda time: any(time in interval for interval in intervals)


def _defined(operator: str, rho: Interval, p: Sequence[Interval], q: Sequence[Interval]):
    """Where a formula holds. Truth changes at whole numbers only: eighths meet every stretch.

    Between two different eighths there is a sixteenth.
    """
    left, right = _holds(p), _holds(q)
    sign = -1 if operator in ("Boxminus", "Diamondminus", "Since") else 1
    for time in _TIMES:
        seen = [s for s in _FINE if sign * (s - time) in rho]
        if operator.startswith("Box"):
            holds = all(map(left, seen))
        elif operator.startswith("Diamond"):
            holds = any(map(left, seen))
        else:
            holds = any(
                right(s) and all(left(v) for v in _FINER if min(s, time) < v < max(s, time))
                for s in seen
            )
        if holds:
            yield str(time)


def _random_intervals(rng: Random) -> list[Interval]:
    found = []
    for _ in range(rng.randint(1, 3)):
        low, opened = rng.randint(0, 5), (rng.random() < 0.4, rng.random() < 0.4)
        found.append(Interval(Fraction(low), Fraction(low + rng.randint(0, 3)), *opened))
    return [interval for interval in found if not interval.is_empty]


@pytest.mark.parametrize(
    "operator", ["Boxminus", "Diamondminus", "Boxplus", "Diamondplus", "Since", "Until"]
)
def test_operators_mean_what_table_1_says(operator: str):
    rng = Random(operator)
    for rho, _ in product(_RHOS, range(3)):
        p, q = _random_intervals(rng), _random_intervals(rng)
        binary = operator in ("Since", "Until")
        formula = f"p {operator}{rho} q" if binary else f"{operator}{rho} p"
        data = [("p", (), interval) for interval in p] + [("q", (), interval) for interval in q]
        found = evaluate(checked(f"x :- {formula}."), data, at=_TIMES)
        assert [answer["time"] for answer in found] == list(_defined(operator, rho, p, q))


# --- what must not matter

SEEDS = range(15)
FRAGMENTS = ("datalog", "mitl-fp", "mtl-fp", "full")


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_a_finer_grid_gives_the_same_answers(fragment: str):
    """A fact that nobody reads makes the step smaller and the range wider."""
    for seed in SEEDS:
        rng = Random(seed)
        program = checked(random_program(rng, fragment))
        data = random_facts(rng, program, unbounded=True)
        aside: GroundFact = ("aside", (), Interval(Fraction(-7, 4), Fraction(61, 4)))
        expected = evaluate(program, data, horizon=HORIZON)
        assert evaluate(program, [*data, aside], horizon=HORIZON) == expected


def test_the_order_of_rules_and_facts_does_not_matter():
    for seed in SEEDS:
        rng = Random(seed)
        text = random_program(rng, "full")
        data = random_facts(rng, checked(text))
        turned = "\n".join(reversed(text.splitlines()))
        assert evaluate(checked(turned), data[::-1]) == evaluate(checked(text), data)


def test_a_horizon_only_cuts_where_derivations_end():
    for seed in SEEDS:
        rng = Random(seed)
        program = checked(random_program(rng, "full"))
        data = random_facts(rng, program)
        times = [Fraction(n, 4) for n in range(-8, 24)]
        cut = evaluate(program, data, horizon=Fraction(6), at=times)
        assert cut == evaluate(program, data, at=times)


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_an_earlier_horizon_gives_the_beginning_of_the_same_answers(fragment: str):
    for seed in SEEDS:
        rng = Random(seed)
        program = checked(random_program(rng, fragment))
        data = random_facts(rng, program)
        times = [Fraction(n, 4) for n in range(-8, 16)]
        early, late = (evaluate(program, data, horizon=h, at=times) for h in (times[-1], HORIZON))
        assert early == late


# --- derivations without an end

TICKS = "Boxplus[2] tick :- tick."


def test_endless_derivations_are_refused():
    with pytest.raises(EndlessError, match="a horizon would bound them"):
        answers(TICKS, "tick@0")


def test_endless_derivations_towards_the_past_are_refused_with_a_horizon_too():
    with pytest.raises(EndlessError, match="towards the past"):
        answers("Boxminus[2] tick :- tick.", "tick@0", horizon=Fraction(5))


def test_answers_that_depend_on_an_endless_future_are_refused():
    with pytest.raises(EndlessError):
        answers(
            TICKS + " x :- Boxplus[0,inf) Diamondplus[0,2] tick.", "tick@0", horizon=Fraction(5)
        )


def test_what_lies_behind_the_horizon_counts_where_it_is_reached():
    found = answers(TICKS + " x :- y, not Diamondplus[0,5] tick. y.", "tick@0", horizon=Fraction(5))
    assert found == ["x@(-inf,-5)", "tick@[0,0]", "tick@[2,2]", "tick@[4,4]"]


def test_long_chains_widen_the_range():
    rules = "\n".join(f"p{n + 1} :- Diamondminus[5] p{n}." for n in range(20))
    assert answers(rules + "\n?- p20.", "p0@0") == ["p20@[100,100]"]


def test_a_left_side_that_is_not_asked_may_have_any_value():
    assert answers("q :- a(X) Since[0,2] b.", "b@0") == ["q@[0,0]"]
    assert answers("q :- a(X) Since[0,2] b.", "b@0\na(c)@[0,1]") == ["q@[0,1]"]


def test_no_facts_no_answers():
    assert answers("q(X) :- p(X), Diamondminus[0,1] p(X).", "") == []
    assert answers("q :- not p.", "") == ["q@(-inf,inf)"]


# --- what never ends is enclosed


def _enclosed(text: str, data: str, *times: int) -> list[list[str]]:
    found = enclose(checked(text), facts(data), [*map(Fraction, times)])
    return [sorted(f"{a['predicate']}@{a['time']}" for a in answers) for answers in found]


def test_what_comes_again_for_ever_is_known_at_each_time():
    found = _enclosed("a :- Diamondminus[7] a.", "a@0", -7, 0, 7, 8, 14)
    assert found == [["a@0", "a@14", "a@7"]] * 2


def test_what_goes_back_for_ever_is_known_at_each_time():
    found = _enclosed("a :- Diamondplus[7] a.", "a@0", -14, -8, 0, 7)
    assert found == [["a@-14", "a@0"]] * 2


def test_what_depends_on_the_end_of_time_is_possible_and_not_certain():
    text = "Boxplus[0,1] a :- a.  b :- Boxplus[0,inf) a.  ?- b."
    assert _enclosed(text, "a@0", -1, 0, 5) == [[], ["b@0", "b@5"]]
