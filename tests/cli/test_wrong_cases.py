"""Every message that a user can get, word for word. `make docs` renews them."""

from __future__ import annotations

import pytest
from tests.wrong_cases import PAGE, WrongCase, input_cases, page, run_case, spec_cases


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("HORAE_DEBUG", raising=False)


@pytest.mark.parametrize("case", [*spec_cases(), *input_cases()], ids=lambda case: case.folder.name)
def test_message(case: WrongCase):
    assert run_case(case) == (case.exit_code, case.message)


def test_the_page_of_the_documentation_shows_them():
    assert PAGE.read_text(encoding="utf-8") == page()


def test_no_two_cases_have_one_name():
    names = [case.folder.name for case in (*spec_cases(), *input_cases())]
    assert len(names) == len(set(names))
