"""A stream that ends without an answer says how far it is decided."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.stream_runs import Drop

from horae.cli.stream import undecided_text
from horae.spark.streaming.snapshot import Told, take_snapshot

NOTHING = take_snapshot(Told(), 0.0)


@pytest.mark.parametrize(
    ("last", "decided", "words"),
    [
        (None, None, "no answers: no rows came yet"),
        (5_000, None, "nothing is decided of the rows up to time 5"),
        (5_500, 3_000, "times up to 3 are decided and have none, rows came up to time 5.5"),
    ],
)
def test_what_is_decided(last, decided, words):
    text = undecided_text(replace(NOTHING, last=last, decided=decided), 1000)
    assert words in text
    assert "--finish" in text


def test_a_stream_without_answers(spark, tmp_path: Path, capsys):
    """`hot` waits for rows after 5; with `--finish` none come."""
    drop = Drop.of(tmp_path / "run", capsys, "m.lars", "hot(X) :- win[2] [] warm(X).\n")
    drop.drop("a.facts", "warm(a)@5\n")
    code, lines, err = drop.run("--stream")
    assert (code, lines) == (0, [])
    assert "no answers yet: times up to 4 are decided and have none" in err
