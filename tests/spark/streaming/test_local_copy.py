"""Copies of stored state beside the store: they save reading it, and nothing depends on them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from tests.spark.streaming.in_memory import MapState, Operator
from tests.spark.streaming.sums import ROWS, Sums

from horae.spark.streaming import processor
from horae.spark.streaming.local_copy import LocalCopy
from horae.spark.streaming.watermark import Watermark

EXPECTED = [(1, 7, 10), (2, 7, 30), (3, 7, 60)]


def test_what_was_written_is_read(tmp_path: Path):
    copy = LocalCopy(tmp_path / "shard")
    assert copy.read() == {}
    copy.write("segment/1", b"old")
    copy.write("segment/1", b"new")
    copy.write("log/ünï", b"")
    copy.write("gone", b"x")
    copy.write("gone", None)
    copy.write("never there", None)
    assert copy.read() == {"segment/1": b"new", "log/ünï": b""}
    copy.replace({"only": b"1"})
    assert copy.read() == {"only": b"1"}


@pytest.mark.parametrize("place", [None, "file/shard"])
def test_there_may_be_nowhere_to_keep_it(tmp_path: Path, place: str | None):
    (tmp_path / "file").write_text("not a folder")
    copy = LocalCopy(None if place is None else tmp_path / place)
    copy.write("a", b"1")
    copy.replace({"a": b"1"})
    assert copy.read() == {}


def test_copies_of_queries_that_have_ended_make_room(tmp_path: Path):
    old, used, new = (LocalCopy(tmp_path / name) for name in ("old", "used", "new"))
    for copy in (old, used):
        copy.write("a", b"1")
        assert copy.folder is not None
        os.utime(copy.folder, (time.time() - 2 * 86_400,) * 2)
    used.write("a", b"2")
    new.write("a", b"3")
    assert [copy.read() for copy in (old, used, new)] == [{}, {"a": b"2"}, {"a": b"3"}]


class Stream:
    """One key, a row for each micro-batch, and a new worker for each; reads of the store are counted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.reads, self.folder = 0, folder
        self.operator = Operator(Sums(width=1), Watermark(0), Random(1))
        self.operator._again = self.operator._restart = 0.0
        iterator = MapState.iterator

        def counted(state: MapState) -> Iterator[tuple[Any, Any]]:
            self.reads += 1
            return iterator(state)

        monkeypatch.setenv("SPARK_LOCAL_DIRS", str(folder))
        monkeypatch.setattr(MapState, "iterator", counted)

    def run(self, at: int, *, is_last: bool = False) -> None:
        processor._RUNNING.clear()
        row = pa.Table.from_pylist([{"time": at, "key": 7, "value": 10 * at}], ROWS)
        self.operator.run([(0, row)], is_last=is_last)

    @property
    def answers(self) -> list[tuple[Any, ...]]:
        return [tuple(row.values()) for t in self.operator.answers for row in t.to_pylist()]

    @property
    def files(self) -> list[Path]:
        return [file for file in self.folder.rglob("*") if file.is_file()]


@pytest.fixture
def stream(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Stream:
    return Stream(monkeypatch, tmp_path)


def test_another_worker_goes_on_from_the_copy(stream: Stream):
    for at in (1, 2, 3):
        stream.run(at, is_last=at == 3)
    assert (stream.answers, stream.reads) == (EXPECTED, 0)


@pytest.mark.parametrize("damage", ["changed", "cut", "removed", "another"])
def test_a_copy_that_is_not_the_stored_state_does_not_count(stream: Stream, damage: str):
    stream.run(1)
    stream.run(2)
    file = stream.files[0]
    match damage:
        case "changed":
            file.write_bytes(file.read_bytes() + b"1")
        case "cut":
            file.write_bytes(b"\xff")
        case "removed":
            file.unlink()
        case _:
            (file.parent / "more").write_bytes(b"\x00\x00\x00\x01ab")
    stream.run(3, is_last=True)
    assert (stream.answers, stream.reads) == (EXPECTED, 1)


def test_it_is_whole_again_after_the_store_was_read(stream: Stream):
    stream.run(1)
    for file in stream.files:
        file.unlink()
    stream.run(2)
    stream.run(3, is_last=True)
    assert (stream.answers, stream.reads) == (EXPECTED, 1)


def test_a_copy_that_is_ahead_of_the_store_does_not_count(stream: Stream):
    """As after a micro-batch that was not committed."""
    stream.run(1)
    stream.operator._again = 1.0
    stream.run(2)
    stream.operator._again = 0.0
    stream.run(3, is_last=True)
    assert stream.answers == EXPECTED
