"""Every message that a user can get, word for word. `make docs` renews them."""

from __future__ import annotations

import pytest
from tests.wrong_cases import (
    LANGUAGES,
    STREAMS,
    WrongCase,
    all_cases,
    input_cases,
    page,
    page_path,
    program_cases,
    run_case,
)

CASES = [case for language in LANGUAGES for case in all_cases(language)]


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("HORAE_DEBUG", raising=False)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_message(case: WrongCase):
    assert run_case(case) == (case.exit_code, case.message)


@pytest.mark.parametrize("case", program_cases(STREAMS), ids=lambda case: case.folder.name)
def test_message_before_a_stream_starts(case: WrongCase, spark: object):
    assert run_case(case) == (case.exit_code, case.message)


@pytest.mark.long
@pytest.mark.parametrize("case", input_cases(STREAMS), ids=lambda case: case.folder.name)
def test_message_of_a_stream(case: WrongCase, spark: object):
    assert run_case(case) == (case.exit_code, case.message)


@pytest.mark.parametrize("language", [*LANGUAGES, STREAMS])
def test_the_page_of_the_documentation_shows_them(language: str):
    assert page_path(language).read_text(encoding="utf-8") == page(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_cases_have_one_name(language: str):
    names = [case.folder.name for case in all_cases(language)]
    assert len(names) == len(set(names))
