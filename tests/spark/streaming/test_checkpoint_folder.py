"""The directory of a checkpoint: the same things can be done with it wherever it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from horae.source.errors import InputError
from horae.spark.file_system import FileSystem
from horae.spark.streaming.checkpoint import Checkpoint
from horae.spark.streaming.checkpoint_folder import (
    Folder,
    LocalFolder,
    RemoteFolder,
    open_folder,
)

pytestmark = pytest.mark.spark


def _no_session() -> SparkSession:
    raise AssertionError("Spark is not needed")


@pytest.fixture(params=["here", "elsewhere"])
def folder(request: pytest.FixtureRequest, spark: SparkSession, tmp_path: Path) -> Folder:
    path = tmp_path / "a b" / "state"
    if request.param == "here":
        return LocalFolder(path)
    return RemoteFolder(FileSystem(spark), f"file:{path}")


def test_files(folder: Folder):
    assert folder.names() == []
    assert not folder.exists("horae/start.json")
    with pytest.raises(OSError):
        folder.read("horae/start.json")
    folder.make("horae/control")
    folder.write("horae/start.json", b"one")
    folder.write("horae/start.json", b"two")
    assert folder.read("horae/start.json") == b"two"
    assert folder.names("horae") == ["control", "start.json"]
    assert folder.agrees("horae/start.json")
    folder.remove()
    assert not folder.exists("horae")


def test_a_checkpoint_in_it(folder: Folder):
    with folder.locked():
        checkpoint = Checkpoint(folder)
        checkpoint.check()
        assert checkpoint.is_new
        checkpoint.remember("one", [], [])
        checkpoint.check()
    assert not checkpoint.is_new
    assert checkpoint.given() == []
    with pytest.raises(InputError, match="CHK001"):
        checkpoint.remember("another", [], [])
    checkpoint.finish()
    assert checkpoint.is_finished
    folder.write("horae/start.json", b"{")
    with pytest.raises(InputError, match="CHK004"):
        checkpoint.check()


def test_something_else_in_it(folder: Folder):
    folder.make("letters")
    with pytest.raises(InputError, match="CHK004"):
        Checkpoint(folder).check()


@pytest.mark.parametrize("text", ["state", "/data/state", "C:state", "file:/data/state"])
def test_those_of_this_machine_need_no_spark(text: str):
    assert isinstance(open_folder(text, _no_session), LocalFolder)


def test_an_address_of_this_machine():
    assert open_folder("file:///data/state", _no_session).location == "file:/data/state"


def test_spark_may_have_settings(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    asked: list[SparkSession] = []

    def session() -> SparkSession:
        asked.append(spark)
        return spark

    monkeypatch.setenv("HADOOP_CONF_DIR", str(tmp_path))
    assert open_folder(str(tmp_path), session) == LocalFolder(tmp_path)
    assert asked


def test_a_file_system_that_spark_does_not_have(spark: SparkSession):
    with pytest.raises(InputError, match="nosuch"):
        open_folder("nosuch://host/state", lambda: spark)
