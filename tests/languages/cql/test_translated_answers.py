"""Rules that a query was translated to have its answers, up to duplicates (Proposition 1)."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from tests.cql_facts import read_facts
from tests.strategies.cql_queries import random_queries

from horae.data.constants import Value
from horae.data.intervals import ALWAYS, point
from horae.languages.cql.check.check import load
from horae.languages.cql.translate.translate import translate
from horae.languages.lars.check.check import load as load_rules
from horae.reference import cql, lars
from horae.source.text import Source

Answers = set[tuple[int, str, tuple[Any, ...]]]


def answers_of_both(text: str, data: str, times: list[int]) -> tuple[Answers, Answers]:
    program, _ = load(Source("spec.cql", text))
    assert program is not None
    text_of_rules, problems = translate(program)
    assert text_of_rules is not None, problems
    rules, _ = load_rules(Source("spec.lars", text_of_rules))
    assert rules is not None
    facts = read_facts(program, data)
    of_query = cql.evaluate(program, facts, at=times)
    of_rules = lars.evaluate(rules, map(_ground, facts), at=times)
    return (
        {(a["time"], a["query"], _comparable(a["row"])) for a in of_query},
        {(a["time"], a["predicate"], _comparable(a["args"])) for a in of_rules},
    )


def _ground(fact: cql.Fact) -> lars.GroundFact:
    name, row, time = fact[:3]
    interval = ALWAYS if time is None else point(Fraction(time))
    return name, tuple(map(_constant, row)), interval


def _constant(value: Any) -> Value:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        exact = Fraction(value)
        return exact.numerator if exact.denominator == 1 else exact
    assert isinstance(value, int | str)
    return value


def _comparable(row: list[Any]) -> tuple[Any, ...]:
    """Rationals are written as text in answers of rules."""
    return tuple(_number(value) for value in map(_constant, row))


def _number(value: Value) -> Value:
    is_rational = isinstance(value, str) and "/" in value
    return Fraction(value) if is_rational else value


@pytest.mark.parametrize("seed", range(30))
def test_random_queries(seed: int) -> None:
    of_query, of_rules = answers_of_both(*random_queries(Random(seed), core=True))
    assert of_query == of_rules
