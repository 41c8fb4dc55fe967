"""The random queries of CQL: reproducible, checked, alive, and covering the language."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest
from tests.cql_facts import read_facts
from tests.strategies.cql_queries import random_queries

from horae.languages.cql.check.check import load
from horae.languages.cql.program import Program
from horae.reference.cql import Fact, evaluate
from horae.source.text import Source

Sample = tuple[Program, list[Fact], list[int]]


@cache
def samples(core: bool) -> tuple[Sample, ...]:
    return tuple(_sample(*random_queries(Random(seed), core=core)) for seed in range(120))


def _sample(text: str, data: str, times: list[int]) -> Sample:
    program, diagnostics = load(Source("random.cql", text))
    assert program is not None, (text, [d.message for d in diagnostics])
    return program, read_facts(program, data), times


@pytest.mark.parametrize("core", [True, False])
def test_the_same_seed_gives_the_same_queries(core: bool):
    for seed in range(20):
        first, second = (random_queries(Random(seed), core=core) for _ in range(2))
        assert first == second


@pytest.mark.parametrize("core", [True, False])
def test_sizes(core: bool):
    for program, facts, times in samples(core):
        assert 1 <= len(program.queries) <= 3
        assert 10 <= len(facts) <= 36
        assert all(fact[2] is None or 0 <= fact[2] <= 12 for fact in facts)
        assert times == sorted(set(times))


@pytest.mark.parametrize("core", [True, False])
def test_most_queries_have_answers(core: bool):
    counts = Counter(alive for sample in samples(core) for alive in _alive(*sample))
    assert counts[True] >= 0.65 * counts.total()


def _alive(program: Program, facts: list[Fact], times: list[int]) -> list[bool]:
    found = {answer["query"] for answer in evaluate(program, facts, at=times)}
    return [query.name in found for query in program.queries]


# --- what occurs

_BOTH = {"Scan", "ColumnOf", "Literal", "Compare", "And", "Arithmetic"}
_BOTH |= {
    "RangeWindow",
    "NowWindow",
    "RowsWindow",
    "reads a query",
    "join",
    "slide",
    "unbounded",
    "partition",
}
_ALL = {"Nested", "Combined", "Aggregate", "Holds", "IsNull", "Not", "Or", "Exists", "In"}
_ALL |= {"distinct", "grouped", "having", "order", "hidden order", "descending", "limit"}
_ALL |= {"correlated", "reads a stream of answers", "UNION", "EXCEPT", "INTERSECT", "all"}
_ALL |= {"ISTREAM", "DSTREAM", "COUNT", "SUM", "AVG", "MIN", "MAX", "distinct values", "division"}


@pytest.mark.parametrize("core", [True, False])
def test_every_construct_occurs_and_no_other(core: bool):
    expected = _BOTH if core else _BOTH | _ALL
    counts = Counter(name for program, *_ in samples(core) for name in _constructs(program))
    assert {name: counts[name] for name in expected if counts[name] < 4} == {}
    assert {name for name in _BOTH | _ALL if counts[name]} <= expected


def _constructs(program: Program) -> set[str]:
    found: set[str] = set()
    for query in program.queries:
        found.add(query.stream.value)
        _collect(query.body, found)
    return found


def _collect(node: Any, found: set[str]) -> None:
    """All nodes below this one, by the name of their class and by what is special about them."""
    if isinstance(node, tuple):
        for part in node:
            _collect(part, found)
    elif type(node).__module__.startswith("horae.languages.cql."):
        found.add(type(node).__name__)
        found.update(_special(node))
        for name in getattr(node, "__dataclass_fields__", ()):
            _collect(getattr(node, name), found)


def _special(node: Any) -> set[str]:
    marks = {
        "ColumnOf": {"correlated": lambda: node.depth > 0},
        "Arithmetic": {"division": lambda: node.sign == "/"},
        "Aggregate": {node_name(node): lambda: True, "distinct values": lambda: node.distinct},
        "RangeWindow": {"slide": lambda: node.slide > 1, "unbounded": lambda: node.length is None},
        "RowsWindow": {"partition": lambda: bool(node.by)},
        "Scan": {
            "reads a query": lambda: node.is_query and node.window is None,
            "reads a stream of answers": lambda: node.is_query and node.window is not None,
        },
        "Select": {
            "distinct": lambda: node.distinct,
            "grouped": lambda: node.is_grouped,
            "having": lambda: node.having is not None,
            "hidden order": lambda: len(node.values) > len(node.outputs),
            "join": lambda: len(node.sources) > 1,
        },
        "Combined": {node_name(node): lambda: True, "all": lambda: node.all},
        "Order": {"order": lambda: True, "descending": lambda: node.descending},
        "Body": {"limit": lambda: node.limit is not None},
    }
    return {name for name, holds in marks.get(type(node).__name__, {}).items() if holds()}


def node_name(node: Any) -> str:
    return str(getattr(node, "function", getattr(node, "operator", "")))
