"""The solver alone against the worked examples."""

from __future__ import annotations

import pytest
from tests.case_folders import Case, cases
from tests.languages.lars.kernel.solver_runs import checked, evaluate

_ALL = [c for c in cases("lars") if c.options.get("consequences", "all") == "all"]


@pytest.mark.parametrize("case", _ALL, ids=lambda case: case.name)
def test_worked_example(case: Case):
    found = evaluate(checked(case.source.text), case.facts, **case.options)
    assert found == case.expected
