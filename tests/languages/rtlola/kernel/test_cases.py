"""The worked examples through the loop, as plain Python and compiled."""

from __future__ import annotations

import pytest
from tests.case_folders import Case, cases
from tests.languages.rtlola.kernel.driving import checked, run

COMPILED = ("paper_fig_1", "paper_fig_8", "emit_changes", "mutual_recursion", "strings")


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_plain(case: Case):
    assert _answers(case, compiled=False) == case.expected


@pytest.mark.parametrize(
    "case", [c for c in cases() if c.name in COMPILED], ids=lambda case: case.name
)
def test_compiled(case: Case):
    assert _answers(case, compiled=True) == case.expected


@pytest.mark.long
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_every_case_compiled(case: Case):
    assert _answers(case, compiled=True) == case.expected


def _answers(case: Case, *, compiled: bool):
    emit, origin = case.options.get("emit", "all"), case.options.get("origin", "0")
    return run(checked(case.source), case.rows, emit, origin, compiled=compiled)
