"""The files of a stream in a directory: written by the workers, micro-batch by micro-batch.

The name of a file begins with the number of its micro-batch. One that runs again after a crash replaces
its own files, so that every answer is there once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pyspark.sql import DataFrame, DataFrameWriter

from horae.spark import catalogue
from horae.spark.file_system import FileSystem
from horae.spark.sinks.tables import counted

MARK = ".stream"
"""A file in a directory of answers: whose they are."""

Write = Callable[[DataFrame], DataFrameWriter]


def claim(system: FileSystem, place: str, stream: str, *, is_new: bool) -> None:
    """The directory is that of this stream from now on."""
    mark, names = f"{place}/{MARK}", system.names(place)
    others = [name for name in names if not name.startswith(".")]
    whose = system.read_text(mark) if MARK in names else ""
    if others and (is_new or whose != stream):
        raise catalogue.OTHER_ANSWERS(path=place)
    system.make_dirs(place)
    system.write_text(mark, stream)


@dataclass(frozen=True)
class BatchFiles:
    """The files of a micro-batch in `place`."""

    system: FileSystem
    place: str
    number: int

    @property
    def _name(self) -> str:
        return f"batch-{self.number:09}"

    def replace(self, frame: DataFrame | None, write: Write, ending: str | None = None) -> None:
        """The rows instead of what an earlier try has left; no frame: there are none.

        The ending of the files is Spark's own for the format, unless one is given.
        """
        draft = f"{self.place}/.{self._name}.draft"
        self.system.delete(draft)
        rows = 0 if frame is None else self._write(frame, write, draft)
        self._remove()
        if rows:
            self._put(draft, ending)
        self.system.delete(draft)

    def _write(self, frame: DataFrame, write: Write, draft: str) -> int:
        return counted(frame, lambda rows: write(rows).save(self.system.name(draft)))

    def _remove(self) -> None:
        for name in self.system.names(self.place):
            if name.startswith((f"{self._name}-", f"{self._name}.")):
                self.system.delete(f"{self.place}/{name}")

    def _put(self, draft: str, ending: str | None) -> None:
        names = [name for name in self.system.names(draft) if not name.startswith(("_", "."))]
        for place, name in enumerate(sorted(names)):
            file = f"{self._name}-{place:05}.{ending or name.partition('.')[2]}"
            self.system.rename(f"{draft}/{name}", f"{self.place}/{file}")
