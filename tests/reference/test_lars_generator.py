"""The random programs of LARS: reproducible, checked, alive, and small enough for the reference."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from random import Random
from time import process_time
from typing import Any

import pytest
from tests.reference.test_lars_reference import checked, facts
from tests.strategies.lars_programs import KINDS, random_program

from horae.languages.lars.check.paths import find_paths
from horae.reference.lars import evaluate

COUNT = 120


@cache
def samples(kind: str) -> tuple[tuple[str, str, list[int]], ...]:
    return tuple(random_program(Random(seed), kind=kind) for seed in range(COUNT))


@cache
def runs(kind: str) -> tuple[list[dict[str, Any]], ...]:
    return tuple(evaluate(checked(text), facts(data), at=at) for text, data, at in samples(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_program(kind: str):
    for seed in range(20):
        assert random_program(Random(seed), kind=kind) == random_program(Random(seed), kind=kind)


@pytest.mark.parametrize("kind", KINDS)
def test_the_reference_is_quick(kind: str):
    start = process_time()
    runs(kind)
    assert process_time() - start < 0.3 * COUNT


@pytest.mark.parametrize(("kind", "share"), [("fast", 0.6), ("solver", 0.6), ("mixed", 0.7)])
def test_most_programs_derive_something(kind: str, share: float):
    assert _share(kind, lambda answer: "answer" in answer) >= share


@pytest.mark.parametrize("kind", ["solver", "mixed"])
def test_many_programs_have_several_answers_or_none(kind: str):
    assert _share(kind, lambda answer: answer.get("answer", 1) > 1) >= 0.2
    assert _share(kind, lambda answer: "inconsistent" in answer) >= 0.05


def test_fast_programs_have_one_answer():
    assert all(answer["answer"] == 1 for run in runs("fast") for answer in run)


def test_other_times_and_past_and_future_are_derived():
    shifts = [answer["at"] - answer["time"] for run in runs("fast") for answer in run]
    assert min(shifts) < 0 < max(shifts)


def _share(kind: str, is_wanted: Any) -> float:
    return sum(any(map(is_wanted, run)) for run in runs(kind)) / COUNT


@pytest.mark.parametrize(("kind", "most", "least"), [("fast", 0.4, 0.0), ("solver", 1.0, 0.9)])
def test_which_path_the_rules_take(kind: str, most: float, least: float):
    """Some windows of fast programs (of the registry, or with open counts) are left to the solver."""
    solved = [bool(find_paths(checked(text)).solved) for text, *_ in samples(kind)]
    assert least <= sum(solved) / COUNT <= most


_EVERYWHERE = {
    "time window": r"win\[\d+\]",
    "future": r"win\[\+\d",
    "past and future": r"win\[\d+,\d+\]",
    "step": r"win\[\d+,\d+,\d+\]",
    "infinite": r"inf",
    "tuple window": r"win\[#\d",
    "partition window": r"win\[\w+\([^]]* by ",
    "session": r"win\[session",
    "some": r"<>",
    "always": r"\[\] ",
    "negation": r"\bnot\b",
    "time of a head": r"(?m)^@",
}
_FAST = {
    "length from the data": r"win\[[^]]*\bN\b",
    "arithmetic": r"T = T\d",
    "shifted window": r"@T\d win",
    "negation in a window": r"(<>|\[\]) not",
    "background of a derived predicate": r"(?m)^d\d(\([a-c,]*\))?\.$",
}
_SOLVER = {
    "original stream": r"win1\[",
    "disjunction": r"(?m)^[^:]* or .*:-",
    "some in a head": r"(?m)^win\S* <>",
    "always in a head": r"(?m)^win\S* \[\]",
    "negation in a head": r"(?m)^not",
    "constraint": r"(?m)^:-",
    "implication": r"->",
    "nested windows": r"win1?\[[^]]*\] win",
}
EXPECTED = {
    "fast": _EVERYWHERE | _FAST,
    "solver": _EVERYWHERE | _SOLVER,
    "mixed": _EVERYWHERE | _FAST | _SOLVER,
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_construct_occurs(kind: str):
    counts = Counter(
        name
        for text, *_ in samples(kind)
        for name, pattern in EXPECTED[kind].items()
        if re.search(pattern, text)
    )
    assert {name: counts[name] for name in EXPECTED[kind] if counts[name] < 3} == {}


@pytest.mark.parametrize("kind", KINDS)
def test_constants_and_times_are_few(kind: str):
    for text, data, at in samples(kind):
        assert len(text.splitlines()) <= 16
        assert len(data.splitlines()) <= 25
        assert 2 <= len(at) <= 4
        assert all(0 <= time <= 13 for time in at)
