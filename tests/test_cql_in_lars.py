"""Proposition 1 of the LARS paper, on the engines: queries, reference, and translation to rules."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from tests.cql_facts import read_facts
from tests.strategies.cql_queries import random_queries

import horae
from horae.reference.cql import evaluate as reference

Rows = set[tuple[int, str, tuple[Any, ...]]]


def differing(seeds: Iterable[int]) -> list[int]:
    return [seed for seed in seeds if not _agree(Random(f"translation {seed}"))]


def _agree(rng: Random) -> bool:
    """Up to duplicates."""
    text, facts, times = random_queries(rng, core=True)
    queries = horae.compile(text, language="cql")
    rules = horae.compile(queries.translate("lars"), language="lars")
    expected = reference(queries.checked, read_facts(queries.checked, facts), at=times)
    by_rules: Rows = {
        (a["time"], a["predicate"], tuple(a["args"])) for a in rules.evaluate(facts, at=times)
    }
    return _rows(queries.evaluate(facts, at=times)) == _rows(expected) == by_rules


def _rows(answers: Iterable[dict[str, Any]]) -> Rows:
    return {(a["time"], a["query"], tuple(a["row"])) for a in answers}


def test_queries_and_their_rules_give_the_same_rows():
    assert differing(range(25)) == []


@pytest.mark.long
def test_many_queries_and_their_rules_give_the_same_rows():
    assert differing(range(25, 525)) == []
