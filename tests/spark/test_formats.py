"""Formats and compressed text through Spark: the answers of a run in process, in every language."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.data.test_formats import PROGRAMS, write

import horae
from horae.data.endings import ending_of

pytestmark = pytest.mark.spark


@pytest.mark.parametrize("name", ["p.orc", "p.csv.gz", "p.jsonl.zst", "p.facts.gz"])
def test_the_same_answers(name: str, tmp_path: Path):
    file = write(tmp_path, name)
    for language, text in PROGRAMS.items():
        is_facts = ending_of(name) == ".facts"
        given = str(file) if language == "rtlola" or is_facts else f"p={file}"
        if not (language == "rtlola" and is_facts):
            program = horae.compile(text, language)
            expected = program.run_files([given], engine="local")
            assert program.run_files([given]) == expected


def test_other_delimiters(tmp_path: Path):
    """Empty cells between tabs, and spaces around others, are what they are in process."""
    (tmp_path / "p.csv").write_text('x\ts\t time\n7\t"a\tb" \t1\n\tc\t2\n 8\t\t3\n')
    program = horae.compile(PROGRAMS["rtlola"])
    expected = program.run_files([str(tmp_path / "p.csv")], engine="local", delimiter="tab")
    assert program.run_files([str(tmp_path / "p.csv")], delimiter="tab") == expected
    assert [(a["time"], a["value"]) for a in expected] == [*((1, 7), (1, "a\tb"), (2, "c"), (3, 8))]
