"""Programs and data as MeTeoR has them, unchanged."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

import horae
from horae.source.errors import InputError

PROGRAM = """\
Overheat(X): - ALWAYS[-2,0]SOMETIME[-1,0]HighTemperature(X)
Danger(X,Y):-Overheat(X),<->[0,5]NearBy(X,Y)
Cooled(X):-Overheat(X)UNTIL[-3,-1]Fan(X)
"""
FACTS = """\
HighTemperature(Kiln1)@[0,4]
HighTemperature(ID0)@[0,+inf)
NearBy(Kiln1,Tank)@1
Fan(Kiln1)@3
Alarm@[7]
"""


def answers(found: Iterable[dict[str, object]]) -> set[str]:
    return {f"{a['predicate']}{a['args']}@{a['interval']}" for a in found}


def test_a_program_with_its_facts():
    """`Overheat(Kiln1)`: some high temperature within 1 ago, from 2 ago until now: from 2 to 5."""
    found = horae.compile(PROGRAM, language="datalogmtl").evaluate(FACTS)
    assert answers(found) == {
        "Overheat['Kiln1']@[2,5]",
        "Overheat['ID0']@[2,inf)",
        "Danger['Kiln1', 'Tank']@[2,5]",
        "Cooled['Kiln1']@[4,5]",
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A file per predicate; the last two columns are the ends of closed intervals."""
    (tmp_path / "HighTemperature.csv").write_text("who,left,right\nKiln1,0,4\nID0,0,1\n")
    (tmp_path / "0_NearBy_1.csv").write_text("a,b,left,right\nKiln1,Tank,1,1\n")
    (tmp_path / "Fan.csv").write_text("who,from,to\nKiln1,3,3\n")
    (tmp_path / "Unknown.csv").write_text("what,left,right\nx,3,3\n")
    return tmp_path


EXPECTED = {
    "Overheat['Kiln1']@[2,5]",
    "Overheat['ID0']@[2,2]",
    "Danger['Kiln1', 'Tank']@[2,5]",
    "Cooled['Kiln1']@[4,5]",
}


def test_a_folder_of_tables(folder: Path):
    program = horae.compile(PROGRAM, language="datalogmtl")
    assert answers(program.run_files([str(folder)], engine="local")) == EXPECTED


@pytest.mark.spark
def test_a_folder_of_tables_on_spark(spark, folder: Path):
    program = horae.compile(PROGRAM, language="datalogmtl")
    assert answers(program.run_files([str(folder)], master="local[2]", shards=2)) == EXPECTED


def test_a_folder_of_nothing_that_the_program_knows(folder: Path):
    program = horae.compile("p(X) :- q(X).", language="datalogmtl")
    with pytest.raises(InputError, match="INP030"):
        program.run_files([str(folder)], engine="local")


def test_only_folders_are_read_by_position(tmp_path: Path):
    (tmp_path / "q.csv").write_text("who,x,y\na,1,2\n")
    program = horae.compile("p(X) :- q(X).", language="datalogmtl")
    with pytest.raises(InputError, match="INP0"):
        program.run_files([f"q={tmp_path / 'q.csv'}"], engine="local")


# --- dates in facts


DATED = {
    "datalogmtl": "q(X) :- Diamondminus[0,5] p(X).",
    "lars": "q(X) :- win[5] <> p(X).",
    "cql": "REGISTER STREAM p(x string);\nq: SELECT x FROM p [RANGE 5];",
}


@pytest.mark.parametrize("language", DATED)
def test_dates_are_the_same_in_all_rule_languages(language: str):
    program = horae.compile(DATED[language], language=language)
    dated = "p(a)@2026-11-16T09:53:30\np(B)@2026-11-16T10:53:31+01:00"
    plain = 'p(a)@1794822810\np("B")@1794822811'
    assert program.evaluate(dated) == program.evaluate(plain)
    assert program.evaluate(dated)


@pytest.mark.spark
@pytest.mark.parametrize("language", ["datalogmtl", "lars", "cql"])
def test_dates_on_spark(spark, tmp_path: Path, language: str):
    (tmp_path / "d.facts").write_text("p(a)@2026-11-16T09:53:30\np(B)@2026-11-16 09:53:31\n")
    program = horae.compile(DATED[language], language=language)
    found = program.run_files([str(tmp_path / "d.facts")], master="local[2]", shards=2)
    assert found == program.run_files([str(tmp_path / "d.facts")], engine="local")
    assert found
