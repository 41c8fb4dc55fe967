"""The directory of a checkpoint: on this machine, or on any file system that Spark reaches.

One of this machine is looked at before Spark starts, so that a run that may not go on says so at once.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from horae.data.file_places import is_uri
from horae.source.errors import InputError
from horae.spark.given_settings import given_settings
from horae.spark.streaming import checksums
from horae.spark.streaming.checkpoint_lock import locked

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from horae.spark.file_system import FileSystem

_LOCAL = re.compile(r"file:/*(?=/)")
_SETTING = "spark.hadoop.fs.defaultFS"
_ELSEWHERE = ("HADOOP_CONF_DIR", "YARN_CONF_DIR", "SPARK_CONF_DIR", "PYSPARK_GATEWAY_PORT")
"""With these, Spark may have settings that it does not have here by itself."""


class Folder(Protocol):
    """Names are relative to it, with `/` between their parts."""

    @property
    def location(self) -> str:
        """As Spark takes it."""

    def exists(self, name: str) -> bool: ...

    def names(self, name: str = "") -> list[str]:
        """Of what stands in a directory below; none if there is none."""

    def read(self, name: str) -> bytes:
        """An `OSError` if there is no such file, or it cannot be read."""

    def agrees(self, name: str) -> bool:
        """Whether a file is what Spark has written, as far as somebody can know."""

    def write(self, name: str, content: bytes) -> None:
        """As a whole or not at all, and under a name that Spark passes over until then."""

    def make(self, name: str) -> None: ...

    def locked(self) -> AbstractContextManager[None]:
        """Against other runs, until the end of the block or of the process."""

    def remove(self) -> None: ...


def open_folder(text: str, session: Callable[[], SparkSession]) -> Folder:
    """`session` starts Spark if it is needed to know where the folder is, or to see it."""
    local = _LOCAL.match(text)
    if local is not None:
        return LocalFolder(Path(text[local.end() :]), "file:")
    if not is_uri(text) and not _has_settings():
        return LocalFolder(Path(text))
    return _anywhere(text, session())


def _has_settings() -> bool:
    return _SETTING in given_settings() or any(name in os.environ for name in _ELSEWHERE)


def _anywhere(text: str, spark: SparkSession) -> Folder:
    from horae.spark.file_system import FileSystem

    system = FileSystem(spark)
    if not is_uri(text) and system.is_local:
        return LocalFolder(Path(text))
    return RemoteFolder(system, system.qualified(text).rstrip("/"))


@dataclass(frozen=True)
class LocalFolder:
    path: Path
    scheme: str = ""

    @property
    def location(self) -> str:
        return f"{self.scheme}{self.path.absolute()}"

    def exists(self, name: str) -> bool:
        return (self.path / name).exists()

    def names(self, name: str = "") -> list[str]:
        folder = self.path / name
        return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []

    def read(self, name: str) -> bytes:
        return (self.path / name).read_bytes()

    def agrees(self, name: str) -> bool:
        return checksums.agrees(self.path / name)

    def write(self, name: str, content: bytes) -> None:
        file = self.path / name
        draft = file.with_name(f".{file.name}.draft")
        draft.write_bytes(content)
        draft.replace(file)

    def make(self, name: str) -> None:
        (self.path / name).mkdir(parents=True, exist_ok=True)

    def locked(self) -> AbstractContextManager[None]:
        return locked(self.path)

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


@dataclass(frozen=True)
class RemoteFolder:
    """File systems of other machines look after checksums themselves."""

    system: FileSystem
    location: str

    def exists(self, name: str) -> bool:
        return self.system.exists(self._place(name))

    def names(self, name: str = "") -> list[str]:
        return self.system.names(self._place(name))

    def read(self, name: str) -> bytes:
        try:
            return self.system.read_bytes(self._place(name))
        except InputError as error:
            raise OSError(error.message) from error

    def agrees(self, _: str) -> bool:
        return True

    def write(self, name: str, content: bytes) -> None:
        self.system.write_bytes(self._place(name), content)

    def make(self, name: str) -> None:
        self.system.make_dirs(self._place(name))

    def locked(self) -> AbstractContextManager[None]:
        from horae.spark.streaming.checkpoint_lease import leased

        return leased(self.system, self._place("horae/lock"))

    def remove(self) -> None:
        with suppress(InputError):
            self.system.delete(self.location)

    def _place(self, name: str) -> str:
        return f"{self.location}/{name}" if name else self.location
