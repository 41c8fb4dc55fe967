"""The facts of a program, as rules are evaluated over them."""

from __future__ import annotations

from collections.abc import Iterable

from horae.data.ground_facts import GroundFact
from horae.languages.datalogmtl.syntax.tree import Fact
from horae.rules.terms import Constant


def ground(facts: Iterable[Fact]) -> list[GroundFact]:
    """Facts of a program text; the checker has seen to it that they have no variables."""
    return [
        GroundFact(
            fact.atom.predicate,
            tuple(t.value for t in fact.atom.arguments if isinstance(t, Constant)),
            fact.interval,
        )
        for fact in facts
    ]
