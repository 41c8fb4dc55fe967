"""The reference semantics of LARS against examples worked out by hand, and against itself."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from tests.case_folders import Case, cases
from tests.strategies.lars_programs import KINDS, random_program

from horae.data.fact_lines.parse import parse_facts
from horae.data.intervals import Interval
from horae.languages.lars.check.check import load
from horae.languages.lars.check.window_functions import (
    Stream,
    Substream,
    TimedAtom,
    find_window,
    register_window,
)
from horae.languages.lars.program import Program
from horae.languages.lars.syntax.tree import Window
from horae.reference.lars import GroundFact, TooLargeError, evaluate, moments, search
from horae.reference.lars.instances import ground_window
from horae.reference.lars.spans import Span
from horae.reference.lars.tail import Tail, measure
from horae.reference.lars.windows import EVERYTHING, View, cut
from horae.source.text import Source


def checked(text: str) -> Program:
    program, found = load(Source("spec.lars", text))
    assert program is not None, [d.message for d in found]
    return program


def facts(text: str) -> list[GroundFact]:
    found, diagnostics = parse_facts(Source("input.facts", text))
    assert not diagnostics, [d.message for d in diagnostics]
    return [(fact.predicate, fact.arguments, fact.interval) for fact, _ in found]


def answers(text: str, data: str, **options: Any) -> list[str]:
    """As `3: q(a)@5`, the number of an answer only where it is not the first: `3/2: b`."""
    return [_short(answer) for answer in evaluate(checked(text), facts(data), **options)]


def _short(answer: dict[str, Any]) -> str:
    if "inconsistent" in answer:
        return f"{answer['time']}: inconsistent"
    number = "" if answer["answer"] == 1 else f"/{answer['answer']}"
    arguments = f"({','.join(map(str, answer['args']))})" if answer["args"] else ""
    when = "" if answer["at"] == answer["time"] else f"@{answer['at']}"
    return f"{answer['time']}{number}: {answer['predicate']}{arguments}{when}"


@pytest.mark.parametrize("case", cases("lars"), ids=lambda case: case.name)
def test_worked_example(case: Case):
    found = evaluate(checked(case.source.text), facts(case.facts), **case.options)
    assert found == case.expected


# --- window functions on their own

GIVEN = [
    TimedAtom(1, "p", ("a",)),
    TimedAtom(3, "o", ()),
    TimedAtom(3, "p", (7,)),
    TimedAtom(3, "p", ("a",)),
    TimedAtom(6, "p", ("b",)),
]


def window(written: str, time: int, view: View = EVERYTHING) -> tuple[Span, list[tuple[Any, ...]]]:
    """The timeline of a window of the stream above, and the input atoms in it."""
    formula = checked(f"q :- win[{written}] <> p(a).").rules[0].body[0]
    assert isinstance(formula, Window)
    found = cut(ground_window(formula.function, {}), view, time, GIVEN)
    return found.timeline, [(a.time, a.predicate, *a.arguments) for a in GIVEN if found.shows(a)]


O3, P3, A1, A3, B6 = (3, "o"), (3, "p", 7), (1, "p", "a"), (3, "p", "a"), (6, "p", "b")


@pytest.mark.parametrize(
    ("written", "time", "timeline", "atoms"),
    [
        # time: from t′ − l to t′ + u
        ("2", 5, (3, 5), [O3, P3, A3]),
        ("0", 6, (6, 6), [B6]),
        ("9", 2, (0, 2), [A1]),
        ("+3", 3, (3, 6), [O3, P3, A3, B6]),
        ("1,1", 5, (4, 6), [B6]),
        ("2,0,4", 7, (2, 4), [O3, P3, A3]),
        ("0,1,4", 7, (4, 5), []),
        ("1,2,5", 4, (0, 2), [A1]),
        ("inf", 3, (0, 3), [A1, O3, P3, A3]),
        ("1,inf", 4, (3, None), [O3, P3, A3, B6]),
        ("inf,inf", 4, (0, None), [A1, O3, P3, A3, B6]),
        # tuples: the greatest of the oldest and of the last time point stay
        ("#1", 5, (3, 5), [A3]),
        ("#2", 3, (3, 3), [P3, A3]),
        ("#4", 5, (1, 5), [A1, O3, P3, A3]),
        ("#5", 5, (0, 5), [A1, O3, P3, A3]),
        ("#0", 3, (3, 3), []),
        ("#+1", 1, (1, 3), [A3]),
        ("#+3", 2, (2, 3), [O3, P3, A3]),
        ("#+4", 1, (1, 6), [O3, P3, A3, B6]),
        ("#+2", 3, (3, None), [B6]),
        ("#1,1", 2, (1, 3), [A1, A3]),
        ("#1", 0, (0, 0), []),
        # partitions: a tuple window for each
        ("p(K) by K #1", 6, (3, 6), [P3, A3, B6]),
        ("p(K) by K #1", 0, (0, 0), []),
        ("p(K) by K #2", 4, (0, 4), [A1, P3, A3]),
        ("p(a) #2", 4, (1, 4), [A1, A3]),
        ("p(_) #1", 5, (3, 5), [A3]),
        ("p(_) #0,1", 4, (4, 6), [B6]),
        ("p(K) by K #0,1", 1, (1, 6), [P3, A3, B6]),
        ("p(K) by K #1,1", 3, (0, None), [P3, A3, B6]),
        ("p(K) by K #0,2", 4, (4, None), [B6]),
        ("o #1", 9, (3, 9), [O3]),
        # sessions
        ("session 2", 4, (1, 4), [A1, O3, P3, A3]),
        ("session 2", 6, (6, 6), [B6]),
        ("session 3", 6, (1, 6), [A1, O3, P3, A3, B6]),
        ("session 1", 9, (9, 9), []),
    ],
)
def test_window_of_the_stream(written: str, time: int, timeline: Span, atoms: list[Any]):
    assert window(written, time) == (timeline, atoms)


@pytest.mark.parametrize(
    ("written", "time", "timeline", "atoms"),
    [
        ("9", 4, (2, 4), [P3, A3]),
        ("#1", 4, (3, 4), [A3]),
        ("#3", 4, (2, 4), [P3, A3]),
        ("#+1", 4, (4, 4), []),
        ("o #1", 4, (4, 4), []),
        ("0,0,3", 4, (3, 3), [P3, A3]),
        ("0,0,5", 4, (1, 0), []),
        ("#0", 5, (1, 0), []),
        ("p(a) #1", 5, (3, 4), [A3]),
    ],
)
def test_window_of_a_window(written: str, time: int, timeline: Span, atoms: list[Any]):
    """Of the timeline [2,4] with the two atoms of p at 3: neither more atoms nor more time points."""
    view = View((2, 4), frozenset(GIVEN[2:4]))
    assert window(written, time, view) == (timeline, atoms)


# --- the registry


def _every_second(stream: Stream, time: int) -> Substream:
    atoms = [atom for atom in stream.atoms if atom.time <= time]
    return Substream(0, None, atoms[::2])


@pytest.fixture
def _every_second_window() -> None:
    if find_window("everysecond") is None:
        register_window("everysecond", _every_second, parameters=(), future=lambda: None)


@pytest.mark.usefixtures("_every_second_window")
def test_a_window_of_the_registry_may_choose_atoms():
    text = "d(X) :- p(X). q(X) :- win[everysecond] <> p(X). r(X) :- win[everysecond] <> d(X)."
    data = "p(a)@1 p(b)@2 p(c)@3 p(d)@4".replace(" ", "\n")
    assert answers(text, data, at=[3]) == ["3: d(c)", "3: q(a)", "3: q(c)"]


# --- time without an end


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("[] <> p", True),
        ("<> [] p", False),
        ("<> [] not p", False),
        ("[] win[0,inf] <> not p", True),
        ("<> win[0,inf] [] not p", True),
        ("[] win[0,inf] <> p", False),
        ("[] win[inf] <> p", False),
        ("<> win[inf] [] p", False),
        ("[] (p -> win[+3] <> o)", True),
        ("[] (p -> win[+2] <> o)", False),
        ("[] win[0,0,2] <> not p", True),
        ("<> win[0,0,2] [] p", False),
        ("[] win[0,0,2] b", True),
        ("[] win[0,0,2] <> b", True),
        ("[] win[0,0,2] win[0,0,3] <> b", False),
        ("<> win[0,0,2] win[0,0,3] [] p", True),
        ("[] win1[inf] <> b", True),
        ("[] win[1,inf] win[2] <> b", True),
        ("<> (p and win[0,inf] <> (o and win[inf] [] not o))", False),
        ("<> (p and win[0,inf] <> (o and win[2] [] (o or not p)))", True),
    ],
)
def test_formulas_over_the_whole_timeline(formula: str, holds: bool):
    """P at 3, o at 6, and b always."""
    found = answers(f"q :- {formula}. b.", "p@3\no@6", at=[4])
    assert found == (["4: q"] if holds else [])


def test_facts_without_an_end():
    text = "q :- win[0,inf] [] p. r :- <> [] p. s :- win[#+2] <> p. u :- [] win[0,0,2] p."
    data = [("p", (), Interval(Fraction(3), None))]
    found = evaluate(checked(text), data, at=[2, 3])
    assert [_short(answer) for answer in found] == ["2: s", "3: q", "3: s"]


# --- what must not matter

SEEDS = range(15)


def _samples(kind: str) -> Iterator[tuple[str, list[GroundFact], list[int]]]:
    for seed in SEEDS:
        text, data, at = random_program(Random(seed), kind=kind)
        yield text, facts(data), at


@pytest.mark.parametrize("kind", KINDS)
def test_a_longer_tail_gives_the_same_answers(kind: str, monkeypatch: pytest.MonkeyPatch):
    def longer(*arguments: Any) -> Tail:
        tail = measure(*arguments)
        return Tail((*tail.marks, tail.last + 7), tail.count * 2)

    expected = [evaluate(checked(text), data, at=at) for text, data, at in _samples(kind)]
    monkeypatch.setattr(moments, "measure", longer)
    assert [evaluate(checked(text), data, at=at) for text, data, at in _samples(kind)] == expected


def _everything_unknown(problem: search.Problem) -> tuple[search.Atoms, search.Atoms]:
    return problem.fixed, problem.fixed.union(*map(problem.mentioned, problem.rules))


@pytest.mark.parametrize("kind", KINDS)
def test_bounds_make_the_search_shorter_only(kind: str, monkeypatch: pytest.MonkeyPatch):
    """All subsets of what heads mention, where they are few enough."""
    tried = 0
    for text, data, at in _samples(kind):
        expected = evaluate(checked(text), data, at=at)
        with monkeypatch.context() as patched:
            patched.setattr(search, "_enclose", _everything_unknown)
            try:
                assert evaluate(checked(text), data, at=at) == expected
                tried += 1
            except TooLargeError:
                continue
    assert tried >= len(SEEDS) // 3


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_of_rules_and_facts_does_not_matter(kind: str):
    for text, data, at in _samples(kind):
        turned = checked("\n".join(reversed(text.splitlines())))
        assert evaluate(turned, data[::-1], at=at[::-1]) == evaluate(checked(text), data, at=at)


@pytest.mark.parametrize("kind", KINDS)
def test_brave_and_cautious_enclose_the_answers(kind: str):
    for text, data, at in _samples(kind):
        program = checked(text)
        found = {
            how: {_key(a) for a in evaluate(program, data, at=at, consequences=how)}
            for how in ("all", "brave", "cautious")
        }
        assert found["cautious"] <= found["brave"] == found["all"]


def _key(answer: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(str(answer.get(name)) for name in ("time", "at", "predicate", "args"))


@pytest.mark.parametrize("kind", KINDS)
def test_history_of_one_evaluation_is_stateless(kind: str):
    for text, data, at in _samples(kind):
        program = checked(text)
        expected = evaluate(program, data, at=at[:1])
        assert evaluate(program, data, at=at[:1], mode="history") == expected


# --- what is refused


def test_derivations_without_an_end_are_refused():
    text = "@T tick :- win[0] @T p. @T tick :- @S tick, T = S + 1."
    with pytest.raises(TooLargeError, match="a horizon would bound them"):
        answers(text, "p@1", at=[1])
    assert answers(text, "p@1", at=[1], horizon=3) == ["1: tick", "1: tick@2", "1: tick@3"]


def test_too_many_interpretations_are_refused():
    with pytest.raises(TooLargeError, match="may hold or not"):
        answers("win[+9] [] (a or b) :- p.", "p@1", at=[1])


def test_unknown_options_are_refused():
    with pytest.raises(ValueError, match="stateless or history"):
        answers("q :- p.", "p@1", at=[1], mode="stateful")
    with pytest.raises(ValueError, match="all, brave or cautious"):
        answers("q :- p.", "p@1", at=[1], consequences="some")
