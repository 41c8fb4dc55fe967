"""The examples of the package are clean, formatted, and do what their comments say."""

from __future__ import annotations

import csv

import pytest

import horae
from horae.analysis.report import analyze
from horae.examples import example
from horae.languages.rtlola.check import load
from horae.languages.rtlola.format import format_source
from horae.programs.rtlola import RTLolaProgram
from horae.source.text import Source

SPECS = sorted(example(".").glob("*.lola"))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_it_is_clean_and_formatted(path):
    source = Source(path.name, path.read_text(encoding="utf-8"))
    assert load(source)[1] == []
    assert format_source(source) == source.text


@pytest.mark.parametrize(
    ("name", "is_bounded"),
    [("acc_variable", False), ("acc_fixed_rate", True), ("acc_real_time", True)],
)
def test_the_variants_differ_in_memory(name, is_bounded):
    program = horae.load(example(f"{name}.lola"))
    assert isinstance(program, RTLolaProgram)
    fragment = analyze(program.checked).to_dict()["fragment"]
    assert isinstance(fragment, dict)
    assert fragment["contains_program"] is is_bounded


def test_the_ratings_notify_on_every_day():
    program = horae.load(example("ratings.lola"))
    assert isinstance(program, RTLolaProgram)
    with example("ratings.csv").open(encoding="utf-8") as lines:
        rows = [
            {"ts": int(r["ts"]), "uid": r["uid"], "pid": r["pid"], "stars": float(r["stars"])}
            for r in csv.DictReader(lines)
        ]
    assert len(rows) == 300
    found = program.evaluate(rows, emit="triggers")
    days = {row["ts"] for row in rows}
    assert {answer["time"] // 86400 * 86400 for answer in found} == days - {max(days)}
