"""A checkpoint on HDFS is protected as one of this machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.cli.stream_runs import Drop
from tests.hdfs.cluster import Hdfs

from horae.spark.file_system import FileSystem
from horae.spark.streaming.checkpoint_folder import Folder, RemoteFolder, open_folder

pytestmark = [pytest.mark.hdfs, pytest.mark.spark]

_COUNT = "input int a\noutput int n := n[-1, 0] + a\n"


@pytest.fixture
def checkpoint(running: Hdfs, tmp_path: Path) -> str:
    return running.place(f"{tmp_path.name}/state")


@pytest.fixture
def system(spark: SparkSession) -> FileSystem:
    return FileSystem(spark)


@pytest.fixture
def folder(spark: SparkSession, checkpoint: str) -> Folder:
    found = open_folder(checkpoint, lambda: spark)
    assert isinstance(found, RemoteFolder)
    return found


@pytest.fixture
def started(
    spark: SparkSession, checkpoint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Drop:
    """It has answered two rows."""
    drop = Drop.of(tmp_path / "run", capsys, "c.lola", _COUNT)
    drop.drop("e.csv", "time,a\n1,2\n2,3\n")
    assert _values(drop.stream("--checkpoint", checkpoint)) == [2]
    drop.drop("f.csv", "time,a\n3,4\n")
    return drop


def _values(lines: list[str]) -> list[int]:
    return [json.loads(line)["value"] for line in lines]


def _refused(drop: Drop, checkpoint: str, *options: str) -> str:
    code, lines, said = drop.run("--stream", "--shards", "2", "--checkpoint", checkpoint, *options)
    assert (code, lines) == (3, [])
    assert "Traceback" not in said
    return said


def test_it_goes_on_and_ends(started: Drop, checkpoint: str):
    assert _values(started.stream("--checkpoint", checkpoint, "--finish")) == [5, 9]
    started.drop("g.csv", "time,a\n5,6\n")
    assert "error[CHK003]" in _refused(started, checkpoint)


def test_another_program(started: Drop, checkpoint: str):
    Path(started.spec).write_text(_COUNT.replace("+ a", "- a"))
    assert "error[CHK001]" in _refused(started, checkpoint)


def test_a_micro_batch_that_is_missing(started: Drop, checkpoint: str, system: FileSystem):
    system.delete(f"{checkpoint}/offsets/0")
    said = _refused(started, checkpoint)
    assert "error[CHK004]" in said


def test_a_start_that_cannot_be_read(started: Drop, checkpoint: str, system: FileSystem):
    system.write_text(f"{checkpoint}/horae/start.json", "no JSON")
    said = _refused(started, checkpoint)
    assert "error[CHK004]" in said
    assert "`horae/start.json` cannot be read" in said


def test_a_directory_with_something_else(started: Drop, running: Hdfs, system: FileSystem):
    foreign = running.place("foreign/state")
    system.make_dirs(foreign)
    system.write_text(f"{foreign}/letter.txt", "mine")
    assert "error[CHK004]" in _refused(started, foreign)
    assert system.read_text(f"{foreign}/letter.txt") == "mine"


def test_two_runs_at_once(started: Drop, checkpoint: str, folder: Folder):
    with folder.locked():
        assert "error[CHK006]" in _refused(started, checkpoint)
    assert _values(started.stream("--checkpoint", checkpoint)) == [5]


def test_a_file_is_no_directory(started: Drop, running: Hdfs, system: FileSystem):
    system.make_dirs(running.place("plain"))
    system.write_text(running.place("plain/file"), "text")
    assert "error[ENV003]" in _refused(started, running.place("plain/file"))


def test_a_machine_that_is_not_there(started: Drop):
    said = _refused(started, "hdfs://nowhere.invalid/state")
    assert "hdfs://nowhere.invalid/state" in said
