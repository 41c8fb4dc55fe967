"""The report in its three forms; the golden files are what people see."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from tests.languages.rtlola.analysis.programs import VARIANTS, variant
from tests.languages.rtlola.analysis.texts import SPECS, report_of

from horae.languages.rtlola.analysis.report import Report, analyze


class TextFile(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    file_extension = "txt"


class JsonFile(TextFile):
    file_extension = "json"


@pytest.fixture(params=SPECS, ids=[path.stem for path in SPECS])
def report(request: pytest.FixtureRequest) -> Report:
    return report_of(request.param)


@pytest.mark.parametrize("name", VARIANTS)
def test_text_and_hand_made_programs_agree(name: str):
    path = next(path for path in SPECS if path.stem == name)
    assert report_of(path).to_dict() == analyze(variant(name)).to_dict()


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
    assert len(kept) == 2 * len(SPECS)
