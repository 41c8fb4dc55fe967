"""Tables and plots are made of a file of results."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from benchmarks.lars_windows import Compared
from benchmarks.meteor.sides import Raced
from benchmarks.papers.page import FOLDER, RESULTS, SHOWS, between_marks, write_page
from benchmarks.papers.products import Monitored
from benchmarks.papers.rates import Trace
from benchmarks.papers.results import KINDS, Results, Row, load_results, save_results

PARTS = ("from file", "evaluation", "first run", "whole process")
ROWS: dict[str, tuple[Row, ...]] = {
    "rates": tuple(Trace(rate, 1_000_000, 1.5, 2.25, 300, 898, 1018) for rate in (1_000, 10_000)),
    "lengths": tuple(Trace(25_000, n, 1.5, 2.25, 300, 898, 1018) for n in (1_000_000, 2_000_000)),
    "products": tuple(
        Monitored(n, 10 * n, engine, 1.5, 2.25, 300, 0, 9)
        for n in (1_000, 10_000)
        for engine in ("local", "spark")
    ),
    "datalogmtl": tuple(
        Raced("weather", 10, n, 5, dict.fromkeys(PARTS, 0.01), dict.fromkeys(PARTS, 1.0))
        for n in (1_000, 10_000)
    ),
    "lars": (Compared(20, 200, 0.5, 0.5, 0.5, 50.0), Compared(80, 800, 0.5, 0.5, 0.5, 250.0)),
}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder of documentation with a page that has all marks, and results."""
    marks = [f"<!-- papers: {n} -->\nold\n<!-- end of papers: {n} -->\n" for n in KINDS]
    (tmp_path / "benchmarks.md").write_text("before\n" + "".join(marks) + "after\n")
    results = Results()
    for name, rows in ROWS.items():
        results = results.with_rows(name, rows)
    save_results(results, tmp_path / FOLDER / RESULTS)
    return tmp_path


def test_results_are_read_as_they_were_written(docs: Path):
    found = load_results(docs / FOLDER / RESULTS)
    assert {name: made.rows for name, made in found} == ROWS


def test_there_are_none_without_a_file(tmp_path: Path):
    assert load_results(tmp_path / RESULTS) == Results()


def test_other_experiments_stay(docs: Path):
    path = docs / FOLDER / RESULTS
    before = json.loads(path.read_text())
    save_results(load_results(path).with_rows("lars", ROWS["lars"][:1]), path)
    after = json.loads(path.read_text())
    assert len(after.pop("lars")["rows"]) == 1
    assert after.items() <= before.items()


def test_tables_come_between_the_marks(docs: Path):
    write_page(docs)
    page = (docs / "benchmarks.md").read_text()
    assert page.startswith("before\n")
    assert page.endswith("after\n")
    assert "\nold\n" not in page
    assert "| 1,000 | 1.50 | 2.25 | 300 | 898 | 1,018 |" in page
    assert "| weather | 1,000 | 5 | 0.0100 | 1.00 | 100.0 |" in page
    for show in SHOWS.values():
        assert f"python -m benchmarks.papers --only {show.part}" in page


def test_making_the_page_again_changes_nothing(docs: Path):
    files = [docs / "benchmarks.md", *(docs / FOLDER / f"papers-{name}.svg" for name in KINDS)]
    write_page(docs)
    before = [file.read_text() for file in files]
    write_page(docs)
    assert [file.read_text() for file in files] == before


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("rates", ["events per second", "wall time, s"]),
        ("lengths", ["events", "wall time, s"]),
        ("products", ["products", "in process", "on Spark"]),
        ("datalogmtl", ["weather", "Horae", "MeTeoR"]),
        ("lars", ["80 time points, 800 facts in each", "clingo"]),
    ],
)
def test_plots_name_what_they_show(docs: Path, name: str, words: list[str]):
    write_page(docs)
    svg = ElementTree.parse(docs / FOLDER / f"papers-{name}.svg")
    texts = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert {*words} <= {*texts}


def test_a_page_without_marks_is_refused():
    with pytest.raises(ValueError, match="no marks <!-- papers: lars -->"):
        between_marks("# Benchmarks\n", "lars", "")


def test_the_documentation_shows_what_its_results_say(tmp_path: Path):
    """The page of the project is the one that its file of results gives."""
    docs = Path(__file__).parents[2] / "docs"
    (tmp_path / FOLDER).mkdir()
    for file in ("benchmarks.md", f"{FOLDER}/{RESULTS}"):
        (tmp_path / file).write_text((docs / file).read_text())
    write_page(tmp_path)
    assert (tmp_path / "benchmarks.md").read_text() == (docs / "benchmarks.md").read_text()
