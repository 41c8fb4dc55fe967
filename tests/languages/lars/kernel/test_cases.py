"""The worked examples of LARS as a caller runs them."""

from __future__ import annotations

import pytest
from tests.case_folders import Case, cases

import horae


@pytest.mark.parametrize("case", cases("lars"), ids=lambda case: case.name)
def test_worked_example(case: Case):
    program = horae.compile(case.source.text, language="lars")
    assert program.evaluate(case.facts, **case.options) == case.expected
