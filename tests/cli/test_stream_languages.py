"""`horae run --stream` over a directory, in two runs with one checkpoint: the answers of a batch run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.stream_runs import Drop

SEEN = """input int id
output int seen<int i>
  invoke: id
  extend: id = i
  := seen(i)[-1, 0] + 1
output int alive
  extend: 0.5Hz
  := id[4s, 0, count]
"""
TRAMS = "rel(L,X) :- line(ID,L), win[10] <> tram(ID,X).\n"
QUERY = """REGISTER STREAM tram(ID string, X string);
REGISTER RELATION line(ID string, L string);
rel: SELECT L, X FROM tram [RANGE 10], line WHERE tram.ID = line.ID;
"""
BUSY = "busy(X) :- Diamondminus[0,5] up(X), near(X).\n"
LINES = "line(a1,l1)\nline(a2,l2)\ntram(a1,p1)@36\n"
LATER = "tram(a2,p2)@40\ntram(a1,p3)@38\n"
LAST = "tram(a2,p3)@47\n"

Make = Callable[..., Drop]


@pytest.fixture
def make(spark: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Make:
    """In the one session of all tests."""

    def made(name: str, text: str, table: str = "") -> Drop:
        return Drop.of(tmp_path / "run", capsys, name, text, table)

    return made


def in_two_runs(drop: Drop, first: dict[str, str], then: dict[str, str], *options: str) -> None:
    """Half of the files each; the second run ends the stream."""
    found = []
    for files, more in ((first, ()), (then, ("--finish",))):
        for name, text in files.items():
            drop.drop(name, text)
        found += drop.stream("--checkpoint", drop.path("cp"), "--lateness", "5 s", *options, *more)
    assert sorted(found) == sorted(drop.batch(*options))
    assert found


@pytest.mark.long
def test_rtlola(make: Make):
    drop = make("seen.lola", SEEN)
    first = {"a.csv": "time,id\n1,1\n3,2\n"}
    in_two_runs(drop, first, {"b.csv": "time,id\n2,1\n9,1\n", "c.csv": "time,id\n8,2\n"})


@pytest.mark.long
def test_rtlola_over_json_lines(make: Make):
    drop = make("seen.lola", SEEN)
    first = {"a.jsonl": '{"time": 1, "id": 1}\n\n{"time": 3, "id": 2}\n'}
    in_two_runs(drop, first, {"b.jsonl": '{"time": 2, "id": 1}\n{"time": 9}\n'})


@pytest.mark.long
def test_lars(make: Make):
    drop = make("tram.lars", TRAMS)
    in_two_runs(drop, {"a.facts": LINES}, {"b.facts": LATER, "c.facts": LAST})


@pytest.mark.long
def test_lars_over_a_table(make: Make):
    drop = make("tram.lars", "seen(X) :- win[10] <> tram(ID,X).\n", table="tram")
    first = {"a.csv": "id,x,time\na1,p1,36\n"}
    in_two_runs(drop, first, {"b.csv": "id,x,time\na2,p2,40\na1,p3,38\n"})


@pytest.mark.long
def test_cql(make: Make):
    drop = make("tram.cql", QUERY)
    in_two_runs(drop, {"a.facts": LINES}, {"b.facts": LATER, "c.facts": LAST})


@pytest.mark.long
def test_cql_over_json_lines(make: Make):
    text = (
        "REGISTER STREAM s(A int, B string);\nq: SELECT B, COUNT(*) FROM s [RANGE 5] GROUP BY B;\n"
    )
    drop = make("count.cql", text, table="s")
    first = {"a.jsonl": '{"a": 1, "b": "x", "time": 3}\n{"a": 2, "b": "y", "time": 7}\n'}
    in_two_runs(drop, first, {"b.jsonl": '{"more": 7, "time": 4, "b": "x", "A": 3}\n'})


@pytest.mark.long
def test_datalogmtl(make: Make):
    drop = make("busy.dmtl", BUSY)
    first = {"a.facts": "near(a)\nnear(b)\nup(a)@1\n"}
    in_two_runs(drop, first, {"b.facts": "up(b)@[2,7/2)\nup(a)@9/2\n", "c.facts": "up(b)@20\n"})


@pytest.mark.long
def test_datalogmtl_with_a_precision_of_its_own(make: Make):
    drop = make("busy.dmtl", "busy(X) :- Diamondminus[0,5] up(X).\n")
    drop.drop("a.facts", "up(a)@1/3\n")
    code, _, err = drop.run("--stream", "--finish")
    assert (code, "INP060" in err) == (3, True)
    found = drop.stream("--finish", "--precision", "1/3")
    assert found == drop.batch()


@pytest.mark.long
def test_files_that_come_into_a_directory_of_answers(make: Make):
    """Each micro-batch is a file; late rows are kept apart, with their reason."""
    drop = make("tram.lars", TRAMS)
    options = ["--checkpoint", drop.path("cp"), "--output", drop.path("out")]
    options += ["--dead-letters", drop.path("dead"), "--files-per-batch", "1"]
    drop.drop("a.facts", LINES)
    drop.drop("b.facts", "tram(a2,p2)@47\ntram(a1,p3)@35\n")
    assert drop.stream(*options) == []
    drop.drop("c.facts", "tram(a2,p3)@50\n")
    assert drop.stream(*options, "--finish") == []
    drop.drop("b.facts", "tram(a2,p2)@47\n")
    want = [json.loads(line) for line in drop.batch()]
    assert sorted(map(repr, drop.written("out"))) == sorted(map(repr, want))
    (letter,) = drop.written("dead")
    assert letter["reason"] == "late"
    assert (letter["predicate"], letter["args"], letter["interval"]) == (
        "tram",
        ["a1", "p3"],
        "[35,35]",
    )
    assert "--lateness" in letter["note"]


@pytest.mark.long
@pytest.mark.parametrize(("options", "last"), [((), 1), (("--idle", "10"), 20)])
def test_an_input_that_falls_silent(options: tuple[str, ...], last: int, make: Make):
    """The other one waits for it, or goes on as far as the idle time allows."""
    drop = make("seen.lars", "seen(X) :- win[0] <> tram(X).\nseen(X) :- win[0] <> bus(X).\n")
    drop.drop("a.csv", "x,time\na,1\nb,20\nc,30\nd,31\n")
    silent = drop.folder / "silent"
    silent.mkdir()
    (silent / "b.csv").write_text("x,time\nz,2\n")
    code, out, err = drop.run_beside("tram", f"bus={silent}", "--stream", "--shards", "2", *options)
    assert code == 0, err
    assert max(json.loads(line)["time"] for line in out) == last
