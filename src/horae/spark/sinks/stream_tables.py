"""Answers of a stream as typed tables that the workers write, micro-batch by micro-batch.

Each output has a directory. Its files have the number of their micro-batch in their names: one that runs
again after a crash replaces its own, so that every answer is there once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pyspark import StorageLevel
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from horae.data.targets import Directory
from horae.engine.typed_answers import TypedAnswers
from horae.spark import catalogue
from horae.spark.file_system import FileSystem
from horae.spark.parcels import ParcelKind
from horae.spark.sinks.tables import Derived, counted, write_format

_MARK = ".stream"  # in the directory: whose answers it has


@dataclass
class StreamTables:
    """The tables of a stream; `count` is how many answers this run has written."""

    target: Directory
    typed: TypedAnswers
    count: int = 0

    def claim(self, system: FileSystem, stream: str, *, is_new: bool) -> None:
        """The directory is that of this stream from now on."""
        mark, names = f"{self._place}/{_MARK}", system.names(self._place)
        others = [name for name in names if name != _MARK and not name.endswith(".draft")]
        whose = system.read_text(mark) if _MARK in names else ""
        if others and (is_new or whose != stream):
            raise catalogue.OTHER_ANSWERS(path=self.target.path)
        system.make_dirs(self._place)
        system.write_text(mark, stream)

    def write(self, parcels: DataFrame, number: int) -> None:
        """The answers among the parcels of a micro-batch."""
        own = parcels.where(f.col("kind") == str(ParcelKind.ANSWERS))
        derived, system = Derived(own, self.typed.program, self.typed), FileSystem(own.sparkSession)
        for output in derived.outputs:
            self.count += self._write(system, derived.table(output), output, number)

    def _write(self, system: FileSystem, table: DataFrame, output: str, number: int) -> int:
        folder, batch = f"{self._place}/{output}", f"batch-{number:09}"
        draft = f"{self._place}/.{output}-{batch}.draft"
        system.delete(draft)
        found = counted(
            table, lambda frame: write_format(frame, self.target).save(system.name(draft))
        )
        system.make_dirs(folder)
        for name in system.names(folder):
            if name.startswith(f"{batch}-"):
                system.delete(f"{folder}/{name}")
        if found:
            for name in _data(system.names(draft)):
                system.rename(f"{draft}/{name}", f"{folder}/{batch}-{name}")
        system.delete(draft)
        return found

    @property
    def _place(self) -> str:
        return self.target.path.rstrip("/")


def _data(names: list[str]) -> Iterator[str]:
    """Without markers and checksums."""
    return (name for name in names if not name.startswith(("_", ".")))


@contextmanager
def held(frame: DataFrame) -> Iterator[DataFrame]:
    """A micro-batch that several look at; it is computed once."""
    kept = frame.persist(StorageLevel.MEMORY_AND_DISK)
    try:
        yield kept
    finally:
        kept.unpersist()
