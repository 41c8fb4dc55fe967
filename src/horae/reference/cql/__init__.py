"""CQL by its definitions: bags, nested loops, nothing clever. The oracle of the tests."""

from __future__ import annotations

from collections.abc import Iterable

from horae.languages.cql.program import Program
from horae.reference.cql.answers import Answer, answer
from horae.reference.cql.failures import (
    DivisionByZeroError,
    IntegerOverflowError,
    NotFiniteError,
    RunError,
)
from horae.reference.cql.moments import Fact, read_facts

__all__ = [
    "Answer",
    "DivisionByZeroError",
    "Fact",
    "IntegerOverflowError",
    "NotFiniteError",
    "RunError",
    "evaluate",
]


def evaluate(program: Program, facts: Iterable[Fact], *, at: Iterable[int]) -> list[Answer]:
    """The answers of all queries at the times `at`, as in the JSON Lines and in their order.

    The order of the facts has no meaning. Raises `RunError` where a value cannot be computed.
    """
    return answer(program, read_facts(program, facts), sorted(set(at)))
