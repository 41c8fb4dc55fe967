"""The report in its three forms; the golden files are what people see."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from tests.analysis.programs import VARIANTS, stars, variant, views

from horae.analysis.report import Report, analyze
from horae.languages.rtlola.program import Program


class TextFile(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    file_extension = "txt"


class JsonFile(TextFile):
    file_extension = "json"


PROGRAMS: dict[str, Program] = {name: variant(name) for name in VARIANTS}
PROGRAMS |= {"stars": stars(), "views": views()}


@pytest.fixture(params=PROGRAMS)
def report(request: pytest.FixtureRequest) -> Report:
    return analyze(PROGRAMS[request.param])


def test_text(report: Report, snapshot: SnapshotAssertion):
    assert str(report) == snapshot(extension_class=TextFile)


def test_data(report: Report, snapshot: SnapshotAssertion):
    text = json.dumps(report.to_dict(), indent=2, ensure_ascii=False)
    assert text == snapshot(extension_class=JsonFile)


def test_text_fits_a_terminal(report: Report):
    assert max(map(len, str(report).splitlines())) <= 100


def test_notebooks_get_the_same_sections(report: Report):
    html = report._repr_html_()
    assert html.count("<h4>") == sum(
        title in str(report) for title in ("monitorable", "\nStreams", "\nAccesses", "\nInstances")
    )
    assert "<svg" in html


def test_the_fragment():
    assert analyze(variant("clocked")).fragment.contains_program
    (exclusion,) = analyze(variant("variable")).fragment.exclusions
    assert exclusion.construct == "diff[10sec,0,avg]"
    assert "`diff`" in exclusion.reason


def test_the_plan_has_its_place():
    report = replace(analyze(variant("clocked")), plan=("stage 1: one shard",))
    assert "Plan\n  stage 1: one shard\n" in str(report)
    assert report.to_dict()["plan"] == ["stage 1: one shard"]


def test_golden_files_have_no_orphans():
    kept = {p.stem for p in (Path(__file__).parent / "__snapshots__" / "test_report").iterdir()}
    assert len(kept) == 2 * len(PROGRAMS)
