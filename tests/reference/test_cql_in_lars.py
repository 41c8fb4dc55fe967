"""Proposition 1 of the LARS paper: the translation of a core query has its rows, up to duplicates."""

from __future__ import annotations

from random import Random

import pytest
from tests.cql_facts import read_facts
from tests.strategies.cql_queries import random_queries

from horae.data.fact_lines.parse import parse_facts
from horae.languages.cql.check.check import load as load_cql
from horae.languages.cql.translate.translate import translate
from horae.languages.lars.check.check import load as load_lars
from horae.reference import cql, lars
from horae.source.text import Source

Rows = set[tuple[int, str, tuple[object, ...]]]


def test_the_translation_has_the_same_rows():
    for seed in range(20):
        _compare(seed)


@pytest.mark.long
def test_the_translation_has_the_same_rows_many_times():
    for seed in range(100, 1100):
        _compare(seed)


def _compare(seed: int) -> None:
    text, data, times = random_queries(Random(seed), core=True)
    program, _ = load_cql(Source("random.cql", text))
    assert program is not None
    rules, found = translate(program)
    assert rules is not None, [d.message for d in found]
    answers = cql.evaluate(program, read_facts(program, data), at=times)
    expected = {(each["time"], each["query"], tuple(each["row"])) for each in answers}
    assert _rows_by_rules(rules, data, times) == expected, (text, data)


def _rows_by_rules(rules: str, data: str, times: list[int]) -> Rows:
    program, diagnostics = load_lars(Source("random.lars", rules))
    assert program is not None, [d.message for d in diagnostics]
    answers = lars.evaluate(program, _ground(data), at=times)
    return {(each["time"], each["predicate"], tuple(each["args"])) for each in answers}


def _ground(data: str) -> list[lars.GroundFact]:
    facts, _ = parse_facts(Source("input.facts", data))
    return [(fact.predicate, fact.arguments, fact.interval) for fact, _ in facts]
