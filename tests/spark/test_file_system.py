"""Files as Hadoop has them: what is there, what is in them, and what replaces them."""

from __future__ import annotations

import gzip
import json
import zlib

import pytest

from horae.data.file_places import HERE, is_uri
from horae.data.formats.text import open_text, read_text
from horae.source.errors import InputError
from horae.spark.file_system import FileSystem, StoredFile, joined

ODD = "a b%20[x]{y}:ä.csv"


@pytest.fixture
def system(spark) -> FileSystem:
    return FileSystem(spark)


@pytest.fixture(params=["plain", "uri"])
def folder(request, tmp_path) -> str:
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    for name in ("b.csv", ODD, ".hidden", "sub/c.csv", "sub/deep/d.csv"):
        (tmp_path / name).write_text(f"in {name}\n")
    return str(tmp_path) if request.param == "plain" else tmp_path.as_uri()


def test_what_is_there(system, folder):
    assert system.names(folder) == [".hidden", ODD, "b.csv", "sub"]
    assert system.walk(folder) == [".hidden", ODD, "b.csv", "sub/c.csv", "sub/deep/d.csv"]
    assert system.is_dir(folder)
    assert system.is_file(joined(folder, ODD))
    assert not system.exists(joined(folder, "c.csv"))
    assert system.size(joined(folder, "b.csv")) == len("in b.csv\n")
    assert system.names(joined(folder, "none")) == []


def test_several_directories_at_once(system, folder):
    deep, file = joined(folder, "sub/deep"), joined(folder, "b.csv")
    found = system.below([joined(folder, "sub"), deep, file])
    assert [*found.values()] == [["c.csv", "deep"], ["d.csv"], []]


@pytest.mark.parametrize(
    "pattern",
    [
        *("*", "*.csv", "?.csv", ".h*", "*/*.csv", "**/*.csv", "**", "sub/**", "*/deep/[a-d].csv"),
        *("*[[]*", "[!a]*.csv", "s*/", "*/none", "b.csv/*"),
    ],
)
def test_globs_are_those_of_python(system, folder, tmp_path, pattern):
    found = system.matches(f"{folder}/{pattern}")
    here = HERE.matches(f"{tmp_path}/{pattern}")
    shown = [file.replace(folder, str(tmp_path)) for file in found.files]
    assert shown == here.files
    if "**" not in pattern:
        assert len(found.directories) == len(here.directories)


def test_reading(system, folder):
    file = system.file(joined(folder, ODD))
    assert read_text(file) == f"in {ODD}\n"
    with open_text(file) as lines:
        assert next(lines) == f"in {ODD}\n"


def test_what_spark_takes(spark, system, tmp_path):
    (tmp_path / ODD).write_text("x\n")
    uri = StoredFile(system, str(tmp_path / ODD)).uri
    assert uri == f"file:{tmp_path}/{ODD}"


def test_a_plain_path_starts_where_python_is(system, tmp_path, monkeypatch):
    (tmp_path / "here.csv").write_text("x\n")
    monkeypatch.chdir(tmp_path)
    assert system.is_file("here.csv")
    assert system.qualified("here.csv") == f"file:{tmp_path}/here.csv"


def test_plain_paths_of_another_default(spark, tmp_path):
    """Not of this machine; what stands before a colon is no scheme."""
    spark.conf.set("fs.defaultFS", "hdfs://nowhere:1")
    try:
        system = FileSystem(spark)
        assert [system.name(path) for path in ("/a", "a/b", "p=hdfs://h/a")] == [
            "/a",
            "./a/b",
            "./p=hdfs://h/a",
        ]
        assert system.name(tmp_path.as_uri()) == tmp_path.as_uri()
        assert system.is_dir(tmp_path.as_uri())
    finally:
        spark.conf.unset("fs.defaultFS")


def test_compressed_text(system, tmp_path):
    file = tmp_path / "a.csv.gz"
    file.write_bytes(gzip.compress(b"one\ntwo\n"))
    assert read_text(system.file(str(file))) == "one\ntwo\n"


def test_a_large_file_comes_whole(system, tmp_path):
    content = bytes(range(256)) * 2000
    (tmp_path / "large").write_bytes(content)
    assert zlib.crc32(system.read_bytes(str(tmp_path / "large"))) == zlib.crc32(content)


def test_a_part_of_a_large_file(system, tmp_path):
    """The footer of a Parquet file, without what comes before it."""
    (tmp_path / "large").write_bytes(bytes(1 << 20) + b"end")
    with system.open(str(tmp_path / "large")) as file:
        assert file.seek(-3, 2) == 1 << 20
        assert file.read() == b"end"
        assert file.seek(1) == file.tell() == 1
        assert len(file.read(10)) == 10


def test_writing_replaces_and_leaves_nothing_else(system, tmp_path):
    path = str(tmp_path / "made" / "a.json")
    for number in (1, 2):
        system.write_text(path, json.dumps({"ä": number}))
    assert json.loads(system.read_text(path)) == {"ä": 2}
    assert [found.name for found in (tmp_path / "made").iterdir()] == ["a.json"]


def test_removing(system, tmp_path):
    system.make_dirs(str(tmp_path / "x" / "y"))
    assert system.delete(str(tmp_path / "x"))
    assert not system.delete(str(tmp_path / "x"))


def test_a_file_system_that_is_not_there(system):
    with pytest.raises(InputError, match=r"INP080: .*`nofs://`"):
        system.exists("nofs://somewhere/a.csv")


def test_a_file_that_is_not_there(system, tmp_path):
    with pytest.raises(InputError, match="INP001"):
        system.read_bytes(str(tmp_path / "none.csv"))


def test_plain_paths_and_uris():
    assert [*map(is_uri, ["hdfs://h/a", "file:/a", "/a:/b", "a:b", "c:/x"])] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert joined("file:///a/", "b.csv") == "file:///a/b.csv"
    assert joined("./a/", "b.csv") == "a/b.csv"
