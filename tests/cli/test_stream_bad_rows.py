"""`--bad-rows`: what cannot be read ends the run, or is kept apart while all else goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.cli.stream_runs import Drop

pytestmark = pytest.mark.long

COUNT = "input int a\noutput int n := n[-1, 0] + a\n"
SEEN = "seen(X) :- win[10] <> tram(X).\n"
CASES: list[tuple[str, str, str, str, str | bytes, str]] = [
    # spec, its text, table, file, content with bad rows, content without them
    ("c.lola", COUNT, "", "e.csv", "time,a\n1,2\n2,x\n3\nsoon,1\n5,6\n", "time,a\n1,2\n5,6\n"),
    (
        "c.lola",
        COUNT,
        "",
        "e.jsonl",
        b'nothing\n{"time": 1, "a": 2}\n{"a": 3}\n{"time": 4, "a": "\xff"}\n{"time": 5, "a": 6}\n',
        '{"time": 1, "a": 2}\n{"time": 5, "a": 6}\n',
    ),
    (
        "s.lars",
        SEEN,
        "",
        "e.facts",
        b"tram(a)@1\ntram(a,b)@2\ntram(b)@1.5\ntram(\xff)@2\ntram(\ntram(c)@4\n",
        "tram(a)@1\ntram(c)@4\n",
    ),
    (
        "s.lars",
        SEEN,
        "tram",
        "e.jsonl",
        'oops\n{"x": "a", "time": 1}\n{"x": "a", "time": "late"}\n{"x": "c", "time": 4}\n',
        '{"x": "a", "time": 1}\n{"x": "c", "time": 4}\n',
    ),
    (
        "q.cql",
        "REGISTER STREAM s(A int);\nq: SELECT SUM(A) FROM s [RANGE 5];\n",
        "s",
        "e.csv",
        "a,time\n1,3\nx,4\n,5\n2,6,7\n3,8\n",
        "a,time\n1,3\n3,8\n",
    ),
    (
        "q.cql",
        "REGISTER STREAM s(A int);\nREGISTER RELATION r(A int);\n"
        "q: SELECT s.A FROM s [RANGE 5], r WHERE s.A = r.A;\n",
        "",
        "e.facts",
        "r(1)\nr(x)\ns(1)@3\ns(2,3)@4\ns(1)\ns(1)@7\n",
        "r(1)\ns(1)@3\ns(1)@7\n",
    ),
    (
        "b.dmtl",
        "busy(X) :- Diamondminus[0,5] up(X).\n",
        "",
        "e.facts",
        "up(a)@1\nup(b)@1/7\nup(a)@\nup(c)@[3,2]\nup(d)@[4,5]\n",
        "up(a)@1\nup(d)@[4,5]\n",
    ),
]
NAMES = [f"{case[0].partition('.')[2]}-{case[3].partition('.')[2]}" for case in CASES]


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_bad_rows(case: Any, spark: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    name, text, table, file, content, good = case
    drop = Drop.of(tmp_path / "run", capsys, name, text, table)
    drop.drop(file, content)
    code, out, err = drop.run("--stream", "--finish", "--shards", "2")
    assert (code, out) == (3, [])
    assert "error[" in err
    assert "Traceback" not in err
    found = drop.stream("--finish", "--bad-rows", "keep", "--dead-letters", drop.path("dead"))
    letters = drop.written("dead")
    drop.drop(file, good)
    assert found == drop.batch()
    rows = content.splitlines() if isinstance(content, str) else content.split(b"\n")
    assert len(letters) == len([row for row in rows if row]) - len(good.splitlines())
    for letter in letters:
        assert letter["reason"] == "bad"
        assert letter["code"][:3] in ("INP", "DMT")
        assert letter["message"]
        assert letter["row"]


def test_they_are_told_of_where_nobody_keeps_them(
    spark: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    drop = Drop.of(tmp_path / "run", capsys, "c.lola", COUNT)
    drop.drop("e.csv", "time,a\n1,2\n2,x\n")
    code, _, err = drop.run("--stream", "--finish", "--bad-rows", "keep")
    assert code == 0
    assert "1 row was bad and not used: --dead-letters keeps them" in err
