"""One run at a time has a checkpoint, on file systems of other machines.

HDFS lets one client write a file, for as long as that client lives: an empty file that a run keeps
open is its lock. A minute after the client was last heard of, another one may have it; where that was
a process of this machine that is gone, at once. Who it was stands in a file beside the lock.

Object stores have no such files. There Spark's logs alone refuse the second one of two runs, as soon
as it plans a micro-batch that the other one has planned.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from typing import Any

from py4j.java_gateway import JavaObject, is_instance_of
from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkContext

from horae.data import catalogue as inputs
from horae.source.errors import InputError
from horae.spark.file_system import FileSystem
from horae.spark.streaming.checkpoint_lock import in_use

_HAS_LEASES = "fs.capability.lease.recoverable"
_HDFS = "org.apache.hadoop.hdfs.DistributedFileSystem"
_HELD = ("AlreadyBeingCreatedException", "RecoveryInProgressException", "FileAlreadyExists")
_FORGOTTEN = 75  # seconds; a client of HDFS counts as dead after a minute
_LEAVING = 5  # seconds until a JVM without its Python is gone
_PAUSE = 0.5


@contextmanager
def leased(system: FileSystem, lock: str) -> Iterator[None]:
    _make_dirs(system, lock.rpartition("/")[0])
    files, path = system.hadoop(lock)
    if not files.hasPathCapability(path, _HAS_LEASES):
        yield
        return
    held = _Lock(system, lock).take()
    try:
        yield
    finally:
        with suppress(Py4JError):  # the JVM may be gone, and the lock with it
            held.close()


@dataclass(frozen=True)
class _Holder:
    """A JVM, as the machine knows it and as the file system does."""

    host: str
    process: int
    started: str
    client: str


@dataclass(frozen=True)
class _Lock:
    system: FileSystem
    lock: str

    def take(self) -> JavaObject:
        """The file, open. It is waited for while its holder may be gone."""
        begin = time.monotonic()
        while True:
            try:
                held = self._open()
            except Py4JJavaError as error:
                reason = str(error.java_exception.toString())
                if not any(name in reason for name in _HELD):
                    raise _cannot_write(self.lock, error) from error
                if time.monotonic() > begin + self._patience(reason):
                    raise in_use() from error
            else:
                self.system.write_text(self._owner, json.dumps(asdict(self._me())))
                return held
            time.sleep(_PAUSE)

    def _open(self) -> JavaObject:
        files, path = self.system.hadoop(self.lock)
        return files.append(path) if files.exists(path) else files.create(path, False)

    def _patience(self, reason: str) -> float:
        """How long the holder is waited for, in seconds; one that is gone loses the lock here."""
        holder = self._holder()
        if holder is None or not holder.client or holder.client not in reason:
            return _FORGOTTEN
        if holder.host != socket.gethostname():
            return _FORGOTTEN
        if self._started(holder.process) == holder.started:
            return _LEAVING
        files, path = self.system.hadoop(self.lock)
        with suppress(Py4JJavaError):
            files.recoverLease(path)
        return _FORGOTTEN

    # --- who has it

    @property
    def _owner(self) -> str:
        return f"{self.lock}.owner"

    def _holder(self) -> _Holder | None:
        try:
            return _Holder(**json.loads(self.system.read_text(self._owner)))
        except (InputError, ValueError, TypeError):
            return None

    def _me(self) -> _Holder:
        process = int(self._processes.current().pid())
        return _Holder(socket.gethostname(), process, self._started(process), self._client())

    def _client(self) -> str:
        """The name under which HDFS knows this process; empty behind a view of several file systems."""
        files, _ = self.system.hadoop(self.lock)
        is_hdfs = is_instance_of(SparkContext._gateway, files, _HDFS)
        return str(files.getClient().getClientName()) if is_hdfs else ""

    def _started(self, process: int) -> str:
        """When the process with this number was started; empty if there is none."""
        found = self._processes.of(process)
        return str(found.get().info().startInstant()) if found.isPresent() else ""

    @property
    def _processes(self) -> Any:
        jvm: Any = self.system.spark._jvm
        return jvm.java.lang.ProcessHandle


def _make_dirs(system: FileSystem, folder: str) -> None:
    try:
        system.make_dirs(folder)
    except InputError as error:
        raise inputs.CANNOT_WRITE(what=f"`{folder}`", reason=error.message) from error


def _cannot_write(file: str, error: Py4JJavaError) -> InputError:
    reason = str(error.java_exception.getMessage()).partition("\n")[0]
    return inputs.CANNOT_WRITE(what=f"`{file}`", reason=reason)
