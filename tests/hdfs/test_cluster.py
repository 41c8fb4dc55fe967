"""The cluster that the tests run on."""

from __future__ import annotations

from pathlib import Path

import pyspark
import pytest
from tests.hdfs.cluster import Hdfs

pytestmark = pytest.mark.hdfs

_CLIENT = "hadoop-client-api-*.jar"


def test_files_go_there_and_come_back(running: Hdfs, tmp_path: Path):
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "a.csv").write_text("time,x\n1,2\n")
    running.put(tmp_path / "given", "round/trip")
    assert running.files("round") == ["trip", "trip/a.csv"]
    back = running.get("round/trip", tmp_path / "back")
    assert (back / "a.csv").read_text() == "time,x\n1,2\n"
    assert running.has("round/trip/a.csv")
    assert not running.has("round/trip/b.csv")


def test_its_version_is_that_of_sparks_jars(jars: Path):
    sparks = (Path(pyspark.__file__).parent / "jars").glob(_CLIENT)
    assert [jar.name for jar in jars.glob(_CLIENT)] == [jar.name for jar in sparks]
