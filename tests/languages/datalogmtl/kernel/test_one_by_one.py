"""Facts that rules read one by one: what follows from them, block by block, is what follows from all."""

from __future__ import annotations

import pytest
from tests.languages.datalogmtl.kernel.driving import at_once, facts, grounded, prepared
from tests.languages.datalogmtl.kernel.test_against_reference import (
    KINDS,
    expected_answers,
    random_sample,
)
from tests.strategies.datalogmtl_programs import HORIZON
from tests.strategies.shrinking import Seeded

from horae.data.predicate_facts import columns_of_facts
from horae.languages.datalogmtl.kernel import one_by_one
from horae.languages.datalogmtl.kernel.one_by_one import read_one_by_one

DATA = "reading(a,1)@1\nreading(b,2)@[2,3)\nreading(a,1)@(3,4]\nreading(c,1)@9\nup(a)@1\nup(b)@5\n"
SEEN = "seen(X) :- Diamondminus[0,2] reading(X, L).\n"


@pytest.fixture(autouse=True, params=[1, 2])
def _small_blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_by_one, "BLOCK", request.param)


def alone(text: str) -> set[str]:
    normal = prepared(text)
    known = columns_of_facts(facts(DATA))
    return set(read_one_by_one(normal, known, normal.program.queries))


@pytest.mark.parametrize(
    "rule",
    [
        "seen(X) :- Diamondminus[0,2] reading(X, L).",
        "seen(X) :- Diamondplus[0,2] reading(X, 1).",
        "seen(L) :- reading(X, L).",
        "seen(X) :- reading(X, X). seen(a) :- Diamondminus[1,1] reading(X, 2).",
        "seen(X) :- reading(X, 1). all(X) :- seen(X). all(X) :- Diamondminus[1,1] all(X).",
    ],
)
def test_one_fact_is_enough(rule: str):
    assert "reading" in alone(f"{rule}\n?- seen.\n")


@pytest.mark.parametrize(
    "rule",
    [
        "seen(X) :- Boxminus[0,2] reading(X, L).",
        "seen(X) :- reading(X, L), up(X).",
        "seen(X) :- up(X), not reading(X, 1).",
        "seen(X) :- up(X) Since[0,2] reading(X, 1).",
        "seen(X) :- reading(X, 1). seen(X) :- Diamondminus[1,1] seen(X).",
        "reading(X, 3) :- up(X). seen(X) :- reading(X, L).",
        "seen(X) :- Diamondminus[0,2] reading(X, L). seen(X) :- Boxplus[0,1] reading(X, L).",
    ],
)
def test_other_facts_matter(rule: str):
    assert "reading" not in alone(f"{rule}\n?- seen.\n")


def test_facts_that_are_asked_for():
    assert "reading" not in alone(SEEN + "?- reading.\n")


def test_facts_about_what_is_derived_stay():
    normal = prepared(SEEN + "?- seen.\n")
    data = facts(DATA + "seen(c)@[20,30]\nseen(a)@[0,1)\n")
    found = {(answer["args"][0], answer["interval"]) for answer in at_once(normal, data)}
    assert found == {("a", "[0,6]"), ("b", "[2,5)"), ("c", "[9,11]"), ("c", "[20,30]")}


@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str):
    used = 0
    for seed in range(40):
        sample = random_sample(Seeded(f"{kind} {seed}"), kind)
        normal, data = prepared(sample.text), grounded(sample.data)
        used += bool(read_one_by_one(normal, columns_of_facts(data), normal.program.queries))
        expected = expected_answers(sample)
        assert expected is None or at_once(normal, data, HORIZON) == expected
    assert used > 2
