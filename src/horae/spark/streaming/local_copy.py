"""A copy of a shard's stored chunks on the disk of its executor.

Any worker of an executor may be given any shard. A worker that does not have its kernel would read all
chunks from the state store, through the JVM; that takes longer than a micro-batch of many rows. So
whoever stores chunks leaves a copy of them where the other workers find it.

Nothing depends on a copy: it counts only if its digests are those of the stored state. Spark removes
the folder when the executor ends.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pyspark import TaskContext

_FOLDERS = "SPARK_LOCAL_DIRS"
"""Spark tells its workers where an executor keeps what is its own."""
_QUERY = "sql.streaming.queryId"
"""Spark tells the tasks of a query which one it is."""
_OLD = 86_400  # seconds without use
_NAME = 4  # bytes of the length of a chunk's name, which its file begins with


@dataclass(frozen=True)
class LocalCopy:
    """In this folder, a file for each chunk; None: there is nowhere to keep one."""

    folder: Path | None

    def read(self) -> dict[str, bytes]:
        if self.folder is None:
            return {}
        with suppress(OSError):
            return dict(map(_read, self.folder.iterdir()))
        return {}

    def replace(self, chunks: Mapping[str, bytes]) -> None:
        """All of it; what was there is gone."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            for name, data in chunks.items():
                self.write(name, data)

    def write(self, name: str, data: bytes | None) -> None:
        """One chunk; None: it is gone. A disk that is full leaves a copy that does not count."""
        if self.folder is None:
            return
        file = self.folder / hashlib.blake2b(name.encode(), digest_size=16).hexdigest()
        with suppress(OSError):
            if data is None:
                file.unlink(missing_ok=True)
            else:
                _ready(self.folder)
                label = name.encode()
                file.write_bytes(len(label).to_bytes(_NAME) + label + data)


def _ready(folder: Path) -> None:
    """There, and the time of its last use noted. Copies of queries that have ended make room."""
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for other in folder.parent.iterdir():
            if time.time() - other.stat().st_mtime > _OLD:
                shutil.rmtree(other, ignore_errors=True)
    os.utime(folder)


def _read(file: Path) -> tuple[str, bytes]:
    data = file.read_bytes()
    end = _NAME + int.from_bytes(data[:_NAME])
    return data[_NAME:end].decode(errors="replace"), data[end:]


def local_copy(query: str, stage: int, key: int) -> LocalCopy:
    """Of a shard of a query."""
    first = os.environ.get(_FOLDERS, "").partition(",")[0]
    return LocalCopy(Path(first) / "horae" / f"{query}-{stage}-{key}" if first else None)


def query_of_task() -> str:
    """The query that this worker works for; the same after a restart."""
    task = TaskContext.get()
    return (task.getLocalProperty(_QUERY) if task is not None else None) or ""
