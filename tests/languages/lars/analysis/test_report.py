"""The report of LARS programs; the golden files are what people see."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from tests.languages.lars.analysis.streams import checked

from horae.languages.lars.report import LARSReport, analyze

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.lars"))


class TextFile(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    file_extension = "txt"


class JsonFile(TextFile):
    file_extension = "json"


def report_of(text: str) -> LARSReport:
    return analyze(checked(text))


@pytest.fixture(params=PROGRAMS, ids=[path.stem for path in PROGRAMS])
def report(request: pytest.FixtureRequest) -> LARSReport:
    return analyze(checked(request.param.read_text(), request.param.name))


def test_text(report: LARSReport, snapshot: SnapshotAssertion):
    assert str(report) == snapshot(extension_class=TextFile)


def test_data(report: LARSReport, snapshot: SnapshotAssertion):
    text = json.dumps(report.to_dict(), indent=2, ensure_ascii=False)
    assert text == snapshot(extension_class=JsonFile)


def test_text_fits_a_terminal(report: LARSReport):
    assert max(map(len, str(report).splitlines())) <= 100


def test_notebooks_get_the_same_sections(report: LARSReport):
    titles = (
        "\nPredicates\n",
        "\nMemory\n",
        "\nMemory with",
        "\nLook-ahead\n",
        "\nEvaluation",
        "\nPlan\n",
    )
    assert report._repr_html_().count("<h4>") == 1 + sum(title in str(report) for title in titles)


# --- titles, kinds


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("q(X) :- p(X).", "All rules on the fast path"),
        ("q(X) :- p(X). a or b.", "Fast path and solver"),
        ("a or b.", "Solver"),
        ("p(a)@3.", "No rules"),
    ],
)
def test_the_title_sums_up_the_paths(text: str, title: str):
    assert str(report_of(text)).splitlines()[3] == title


def test_negation_in_a_cycle_is_the_reason_of_both_rules():
    rows = report_of("a :- e, not b.\nb :- e, not a.\nc :- b.").to_dict()["paths"]["rules"]  # type: ignore[index]
    assert [(row["why"], row["why_at"]) for row in rows] == [
        ("negation that is not stratified", "1:9"),
        ("negation that is not stratified", "2:9"),
        ("it reads `b`, which the solver decides", "3:6"),
    ]


def test_background_has_facts_without_a_time_only():
    found = report_of("q(X) :- a(X), b(X), c(X). a(x). b(x). b(x)@3.").to_dict()["predicates"]
    kinds = {row["predicate"]: row["kind"] for row in found}  # type: ignore[attr-defined]
    assert kinds == {"q": "derived", "a": "background", "b": "input", "c": "input"}


def test_rules_are_shown_without_their_comments():
    text = str(report_of('q(X) :- % the reason\n    p(X, "100%"),\n  r(X).'))
    assert 'q(X) :- p(X, "100%"), r(X)\n' in text
