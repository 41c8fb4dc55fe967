"""The work of the solver path: in proportion to what windows hold, and never to all answers.

Nothing is timed here. What is counted are rows that searches look at, and models that are checked.
"""

from __future__ import annotations

import signal
from itertools import islice
from typing import Any

import pytest
from tests.languages.lars.kernel.solver_runs import checked, instant

import horae
from horae.languages.lars.kernel import solving
from horae.languages.lars.kernel.solver import AnswerSet, AnswerSets, Solver, Taken, data, minimal
from horae.languages.lars.kernel.solver.store import Store, StoredAtom

KEYS = "\n".join(f"k({number})." for number in range(30))

CHOICES = f"a(X) :- k(X), not b(X). b(X) :- k(X), not a(X). c :- p.\n{KEYS}"
"""Thirty free choices: 2³⁰ answers."""

MIXED = f"""{CHOICES}
    x(X) :- k(X), ((x(X) and not b(X)) or (x(X) and a(X))).
    x(X) :- k(X), not c.
"""
"""Here x(X) could only support itself: it is in no answer, but clingo has models with it."""


def answers_of(text: str) -> AnswerSets:
    program = checked(text)
    return Solver(program.rules).answers(instant(program, "p@1", 1))


def _chosen(answer: AnswerSet, predicate: str) -> list[int]:
    return sorted(int(atom.arguments[0]) for atom in answer if atom.predicate == predicate)


# --- many answers


@pytest.mark.parametrize("text", [CHOICES, MIXED])
def test_the_first_of_many_answers_come_in_order(text: str):
    """First all are a; the last choices change first. With fewer a, an answer comes later."""
    found = [*islice(answers_of(text).in_order(), 4)]
    assert [_chosen(answer, "b") for answer in found] == [[], [29], [28], [28, 29]]


@pytest.mark.parametrize("text", [CHOICES, MIXED])
def test_brave_and_cautious_consequences_of_many_answers(text: str):
    answers = answers_of(text)
    brave, cautious = answers.consequences(Taken.BRAVE), answers.consequences(Taken.CAUTIOUS)
    assert brave is not None
    assert cautious is not None
    assert _chosen(brave, "a") == _chosen(brave, "b") == list(range(30))
    assert _chosen(brave, "x") == []
    assert [atom.predicate for atom in cautious] == ["c"]


def test_an_answer_that_ends_comes_before_those_that_go_on():
    """{} before {a}, unless a greater atom is in all answers: [a, z] comes before [z]."""
    short = [*answers_of("a or not_a :- p. n :- not a.").in_order()]
    assert [sorted(atom.predicate for atom in answer) for answer in short] == [
        ["a"],
        ["n", "not_a"],
    ]
    program = checked("win[0] <> a or b :- p.")
    known = frozenset(instant(program, "z@1", 1).data.atoms)
    found = Solver(program.rules).answers(instant(program, "p@1", 1), known).in_order()
    assert [sorted(atom.predicate for atom in answer) for answer in found] == [
        ["a", "z"],
        ["b", "z"],
    ]


def test_one_reason_refuses_many_candidates(monkeypatch: pytest.MonkeyPatch):
    """One clause for each of the thirty x(X), not one for each of the 2³⁰ candidates with some."""
    refused: list[set[int]] = []
    refusal = minimal.refusal

    def counted(*parts: Any) -> set[int]:
        refused.append(refusal(*parts))
        return refused[-1]

    monkeypatch.setattr(minimal, "refusal", counted)
    answers_of(MIXED).consequences(Taken.BRAVE)
    assert 1 <= len(refused) <= 30


def test_more_answers_than_anybody_reads_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(solving, "MOST", 1000)
    program = horae.compile(CHOICES, language="lars")
    with pytest.raises(horae.InputError, match=r"RUN055.*more than 1,000 answers") as caught:
        program.evaluate("p@1")
    assert caught.value.time == "1"


class _InterruptedError(Exception):
    pass


PIGEONS = """in(X,Y) or out(X,Y) :- pigeon(X), hole(Y).
    :- in(X,Y), in(Z,Y), X != Z.
    ok(X) :- in(X,_).
    :- pigeon(X), not ok(X).
    pigeon(0). p.
""" + " ".join(f"pigeon({n}). hole({n})." for n in range(1, 15))
"""Fifteen pigeons and fourteen holes: clingo tries for very long."""


@pytest.mark.parametrize("taken", [None, *Taken])
def test_a_long_search_can_be_interrupted(taken: Taken | None):
    def interrupt(*_: object) -> None:
        raise _InterruptedError

    answers = answers_of(PIGEONS)
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(_InterruptedError):
            next(answers.in_order(), None) if taken is None else answers.consequences(taken)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# --- many facts


@pytest.mark.parametrize("mode", ["stateless", "history"])
@pytest.mark.parametrize(
    "window", ["win[10]", "win[#10]", "win[p(Y) by Y #10]", "win[session 1] win[10]"]
)
def test_evaluations_look_at_what_their_windows_hold(
    monkeypatch: pytest.MonkeyPatch, window: str, mode: str
):
    """Facts are indexed once; each evaluation finds a number of rows that does not grow with them."""
    looked: list[int] = []
    built: list[Store] = []
    find = Store.find

    def counted(store: Store, *parts: Any) -> list[StoredAtom]:
        found = find(store, *parts)
        looked.append(len(found))
        return list(found)

    def build(*parts: Any) -> Store:
        built.append(Store(*parts))
        return built[-1]

    monkeypatch.setattr(Store, "find", counted)
    monkeypatch.setattr(data, "Store", build)
    program = horae.compile(
        f"a :- {window} <> p(X), not b. b :- {window} <> p(X), not a.", language="lars"
    )
    count = 200
    program.evaluate([("p", [0], time) for time in range(0, 2 * count, 2)], mode=mode)
    assert sum(looked) <= 2 * 11 * count
    assert len(built) <= 2
