"""The report in its three forms; the golden files are what people see."""

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from tests.languages.rtlola.analysis.programs import VARIANTS, variant
from tests.languages.rtlola.analysis.texts import SPECS, report_of

from horae.languages.rtlola.report import RTLolaReport, analyze


class TextFile(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    file_extension = "txt"


class JsonFile(TextFile):
    file_extension = "json"


@pytest.fixture(params=SPECS, ids=[path.stem for path in SPECS])
def report(request: pytest.FixtureRequest) -> RTLolaReport:
    return report_of(request.param)


@pytest.mark.parametrize("name", VARIANTS)
def test_text_and_hand_made_programs_agree(name: str):
    path = next(path for path in SPECS if path.stem == name)
    assert report_of(path).to_dict() == analyze(variant(name)).to_dict()


def test_text(report: RTLolaReport, snapshot: SnapshotAssertion):
    assert str(report) == snapshot(extension_class=TextFile)


def test_data(report: RTLolaReport, snapshot: SnapshotAssertion):
    text = json.dumps(report.to_dict(), indent=2, ensure_ascii=False)
    assert text == snapshot(extension_class=JsonFile)


def test_text_fits_a_terminal(report: RTLolaReport):
    assert max(map(len, str(report).splitlines())) <= 100


def test_notebooks_get_the_same_sections(report: RTLolaReport):
    html = report._repr_html_()
    assert html.count("<h4>") == sum(
        title in str(report)
        for title in ("monitorable", "\nStreams", "\nAccesses", "\nInstances", "\nPlan")
    )
    assert "<svg" in html


def test_the_fragment():
    assert analyze(variant("clocked")).fragment.contains_program
    (exclusion,) = analyze(variant("variable")).fragment.exclusions
    assert exclusion.construct == "diff[10sec,0,avg]"
    assert "`diff`" in exclusion.reason


def test_golden_files_have_no_orphans():
    kept = {p.stem for p in (Path(__file__).parent / "__snapshots__" / "test_report").iterdir()}
    assert len(kept) == 2 * len(SPECS)
