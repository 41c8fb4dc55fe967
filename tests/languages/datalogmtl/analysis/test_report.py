"""The report of DatalogMTL programs; the golden files are what people see."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from horae.languages.datalogmtl.analysis.theorems import find_sizes, theorem_8
from horae.languages.datalogmtl.analysis.windows import find_windows
from horae.languages.datalogmtl.check.check import load
from horae.languages.datalogmtl.check.normalise import normalise
from horae.languages.datalogmtl.program import Program
from horae.languages.datalogmtl.report import DatalogMTLReport, analyze
from horae.source.text import Source

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.dmtl"))


class TextFile(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    file_extension = "txt"


class JsonFile(TextFile):
    file_extension = "json"


def program_of(text: str, name: str = "test.dmtl") -> Program:
    program, diagnostics = load(Source(name, text))
    assert program is not None, diagnostics
    return program


@pytest.fixture(params=PROGRAMS, ids=[path.stem for path in PROGRAMS])
def report(request: pytest.FixtureRequest) -> DatalogMTLReport:
    program = program_of(request.param.read_text(), request.param.name)
    return analyze(program, objects=100, gcd=1, step=1)


def test_text(report: DatalogMTLReport, snapshot: SnapshotAssertion):
    assert str(report) == snapshot(extension_class=TextFile)


def test_data(report: DatalogMTLReport, snapshot: SnapshotAssertion):
    text = json.dumps(report.to_dict(), indent=2, ensure_ascii=False)
    assert text == snapshot(extension_class=JsonFile)


def test_text_fits_a_terminal(report: DatalogMTLReport):
    assert max(map(len, str(report).splitlines())) <= 100


def test_notebooks_get_the_same_sections(report: DatalogMTLReport):
    titles = ("\nPredicates", "\nLook-ahead", "\nMemory", "\nPlan")
    assert report._repr_html_().count("<h4>") == 1 + sum(title in str(report) for title in titles)


def test_bounds_without_a_stream_are_formulas():
    eight, ten = analyze(program_of("p(X) :- Diamondminus[0,3] a(X).")).bounds
    assert eight.formula == "(4·(⌈(3 + 2·step)/gcd(g, step, 3)⌉ + 1)² + 1) · 2·|O|"
    assert ten.formula == "4·((2·2·|O|·(⌈(3 + step)/3⌉ + 1) + 2)·1^⌈(3 + 2·step)/3⌉)² + 2·|O|"
    assert (eight.value, ten.value) == (None, None)


def test_bounds_with_a_stream_are_those_of_the_theorems():
    program = program_of("p(X) :- Diamondminus[0,3] a(X).")
    normal = normalise(program)
    eight, _ = analyze(program, objects=5, gcd=1, step=2).bounds
    expected = theorem_8(
        find_windows(normal),
        find_sizes(normal),
        objects=5,
        gcd_of_times=Fraction(1),
        step=Fraction(2),
    )
    assert eight.value == expected


def test_a_punctual_interval_leaves_theorem_10():
    _, ten = analyze(program_of("p(X) :- Boxminus[1,1] a(X).")).bounds
    assert ten.why_not == "it is about programs in MITL-FP"


def test_plain_datalog_has_a_bound_without_times():
    _, ten = analyze(program_of("p(X) :- a(X), b(X)."), objects=10).bounds
    assert (ten.formula, ten.value) == ("7 · 3·|O|", 210)


def test_a_power_that_nobody_could_print_stays_a_formula():
    program = program_of("p(X) :- Diamondminus[0,1000000] a(X), Diamondminus[0,1/1000] b(X).")
    _, ten = analyze(program, objects=10, step=1).bounds
    assert ten.value is None
    assert "^⌈(1000000 + 2·step)/(1/1000)⌉" in ten.formula
