"""A checkpoint goes on with its own program, options and shards, and with no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.stream_runs import Drop

pytestmark = pytest.mark.long

COUNT = "input int a\noutput int n := n[-1, 0] + a\n"


@pytest.fixture
def started(spark: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Drop:
    drop = Drop.of(tmp_path / "run", capsys, "c.lola", COUNT)
    drop.drop("e.csv", "time,a\n1,2\n2,3\n")
    drop.stream("--checkpoint", drop.path("cp"), "--output", drop.path("out"))
    drop.drop("f.csv", "time,a\n3,4\n")
    return drop


def test_another_program_or_other_options(started: Drop):
    place = ("--stream", "--shards", "2", "--checkpoint", started.path("cp"))
    for options in (("--emit", "changes"), ("--lateness", "3 s"), ("--shards", "3")):
        code, out, err = started.run(*place, *options)
        assert (code, out) == (3, []), options
        assert "error[CHK001]" in err
    Path(started.spec).write_text(COUNT.replace("+ a", "- a"))
    code, _, err = started.run(*place)
    assert (code, "error[CHK001]" in err) == (3, True)


def test_answers_of_another_stream_are_not_mixed_with_these(started: Drop):
    code, _, err = started.run("--stream", "--output", started.path("out"))
    assert (code, "error[CHK005]" in err) == (3, True)


def test_a_finished_stream_does_not_go_on(started: Drop):
    place = ("--checkpoint", started.path("cp"), "--output", started.path("out"))
    started.stream(*place, "--finish")
    started.drop("g.csv", "time,a\n5,6\n")
    code, _, err = started.run("--stream", "--shards", "2", *place)
    assert (code, "error[CHK003]" in err) == (3, True)
    assert [row["value"] for row in started.written("out")] == [2, 5, 9]
