"""A damaged checkpoint gives a clear error, and no answer; one that a crash left gives all of them."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.faults.cases import CASES
from tests.faults.damages import DAMAGES
from tests.faults.driver import Stream

from horae.cli.main import main
from horae.spark.streaming.checkpoint_lock import locked

_CASE = CASES["lars"]
_FILES, _LATER = 6, 2
_QUICK = {"state garbled, no checksums"}
_KINDS = [
    pytest.param(kind, marks=() if kind in _QUICK else pytest.mark.faults) for kind in DAMAGES
]


@pytest.fixture(scope="module")
def stopped(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Stream:
    """It has read four of six files."""
    folder = tmp_path_factory.mktemp("stopped")
    stream = Stream(_CASE, folder, folder, "local[2]")
    _CASE.lay_out(folder, _FILES, seed=1)
    later = sorted((folder / "in").iterdir())[-_LATER:]
    kept = [file.rename(folder / file.name) for file in later]
    assert main(stream.command(finish=False)) == 0
    for file in kept:
        file.rename(folder / "in" / file.name)
    return stream


@pytest.fixture(scope="module")
def expected(stopped: Stream) -> Counter[str]:
    return stopped.expected()


@pytest.fixture
def stream(stopped: Stream, tmp_path: Path) -> Stream:
    """A copy, to damage."""
    copy = replace(stopped, place=tmp_path)
    shutil.copytree(stopped.checkpoint, copy.checkpoint)
    shutil.copytree(stopped.output, copy.output)
    return copy


def _refused(stream: Stream, capsys: pytest.CaptureFixture[str]) -> str:
    """What a run says that ends with an error, and changes no answer."""
    before = stream.answers()
    assert main(stream.command()) == 3
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert stream.answers() == before
    return said


@pytest.mark.parametrize("kind", _KINDS)
def test_damage_is_noticed(kind: str, stream: Stream, capsys: pytest.CaptureFixture[str]):
    DAMAGES[kind](stream.checkpoint)
    said = _refused(stream, capsys)
    print(said)
    assert "error[CHK001]" in said if kind == "an older layout" else "error[CHK004]" in said


@pytest.mark.faults
@pytest.mark.parametrize("lost", [(), ("commits/3", "commits/.3.crc")])
def test_what_a_crash_leaves_goes_on(lost: tuple[str, ...], stream: Stream, expected: Counter[str]):
    for file in lost:
        (stream.checkpoint / file).unlink()
    assert main(stream.command()) == 0
    assert stream.answers() == expected


@pytest.mark.faults
def test_a_run_that_ended_before_its_first_micro_batch(stopped: Stream, tmp_path: Path):
    stream = replace(stopped, place=tmp_path)
    (stream.checkpoint / "horae" / "control").mkdir(parents=True)
    assert main(stream.command()) == 0
    assert stream.answers() == stopped.expected()


@pytest.mark.faults
def test_another_program(stream: Stream, capsys: pytest.CaptureFixture[str]):
    program = stream.folder / _CASE.spec
    program.write_text(_CASE.program.replace("X > 60", "X > 61"))
    try:
        assert "error[CHK001]" in _refused(stream, capsys)
    finally:
        program.write_text(_CASE.program)


@pytest.mark.faults
def test_another_lateness(stream: Stream, capsys: pytest.CaptureFixture[str]):
    other = replace(stream, case=replace(_CASE, lateness="7"))
    assert "error[CHK001]" in _refused(other, capsys)


@pytest.mark.faults
def test_other_shards(stream: Stream, capsys: pytest.CaptureFixture[str]):
    assert "error[CHK001]" in _refused(replace(stream, shards=3), capsys)


def test_answers_of_another_stream(stream: Stream, capsys: pytest.CaptureFixture[str]):
    (stream.output / ".stream").write_text("another")
    assert "error[CHK005]" in _refused(stream, capsys)


@pytest.mark.faults
def test_answers_that_somebody_took_away_do_not_matter(stream: Stream, expected: Counter[str]):
    taken = stream.answers()
    shutil.rmtree(stream.output)
    assert main(stream.command()) == 0
    assert stream.answers() + taken == expected


def test_two_runs_at_once(stream: Stream, capsys: pytest.CaptureFixture[str]):
    with locked(stream.checkpoint):
        assert "error[CHK006]" in _refused(stream, capsys)


@pytest.mark.faults
def test_a_checkpoint_of_something_else(stream: Stream, capsys: pytest.CaptureFixture[str]):
    shutil.rmtree(stream.checkpoint / "horae")
    assert "error[CHK004]" in _refused(stream, capsys)
