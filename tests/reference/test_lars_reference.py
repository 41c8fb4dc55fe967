"""The reference semantics of LARS against examples worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.case_folders import Case, cases

from horae.languages.datalogmtl.facts import parse_facts
from horae.languages.lars.check import compile
from horae.languages.lars.program import Program
from horae.languages.rules.terms import Constant
from horae.reference.lars import GroundFact, TooLargeError, evaluate
from horae.source.text import Source


def checked(text: str) -> Program:
    program, found = compile(Source("spec.lars", text))
    assert program is not None, [d.message for d in found]
    return program


def facts(text: str) -> list[GroundFact]:
    found, diagnostics = parse_facts(Source("input.facts", text))
    assert not diagnostics, [d.message for d in diagnostics]
    return [
        (
            fact.atom.predicate,
            tuple(term.value for term in fact.atom.arguments if isinstance(term, Constant)),
            fact.interval,
        )
        for fact in found
    ]


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
