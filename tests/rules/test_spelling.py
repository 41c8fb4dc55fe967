"""Predicates that were probably misspelt, and `true` and `false`, in both rule languages."""

from __future__ import annotations

import pytest

from horae.languages.datalogmtl.check import check as datalogmtl
from horae.languages.lars.check import check as lars
from horae.source.text import Source

LANGUAGES = pytest.mark.parametrize("language", [lars, datalogmtl], ids=["lars", "datalogmtl"])


def findings(language, text: str) -> list[str]:
    return [f"{d.code[3:]} {d.help}" for d in language.load(Source("t", text))[1]]


@LANGUAGES
@pytest.mark.parametrize(
    "text",
    [
        "signal(X) :- p(X). b(X) :- singal(X).",
        "a(X) :- signal(X). b(X) :- singal(X).",
        "b(X) :- singal(X). a(X) :- signal(X). c(X) :- signal(X).",
        "a(X) :- signal(X), not singal(X).",
        "signal(a). b(X) :- singal(X).",
    ],
)
def test_one_slip_from_another_predicate(language, text):
    assert "091 did you mean `signal`?" in findings(language, text)


@LANGUAGES
@pytest.mark.parametrize(
    "text",
    [
        "a(X) :- door_a(X). b(X) :- door_b(X).",  # differ in the last letter, on purpose
        "a(X) :- signal(X). b(X) :- singal(X,X).",  # another number of arguments
        "a(X) :- signal(X), singal(X). b(X) :- signal(X), singal(X).",  # written twice
        "a(X) :- cars(X). b(X) :- cats(X).",  # short
        "a(X) :- room12(X). b(X) :- room21(X).",
    ],
)
def test_names_that_are_alike_on_purpose(language, text):
    assert [f for f in findings(language, text) if f.startswith("091")] == []


@LANGUAGES
@pytest.mark.parametrize(
    "text", ["a :- true.", "a :- p, not false.", "false :- p.", "true.", "a :- true(3)."]
)
def test_true_and_false_are_no_predicates(language, text):
    program, report = language.load(Source("t", text))
    assert program is None
    assert report[0].code in ("LRS101", "DMT028")


@LANGUAGES
def test_true_is_a_constant(language):
    assert language.load(Source("t", "p(true). a(X) :- p(X)."))[0] is not None
