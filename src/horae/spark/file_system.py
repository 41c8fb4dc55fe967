"""Files wherever Spark reads them: Hadoop's file systems, through the JVM of the session.

`hdfs://`, `s3a://` and `file://` name theirs; a plain path is on the default file system of the session,
which is this machine unless `fs.defaultFS` says otherwise. Nothing here looks at files with Python, so
that a driver sees what the workers see.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from io import SEEK_CUR, SEEK_END, SEEK_SET, BufferedReader, RawIOBase
from pathlib import PurePath, PurePosixPath
from typing import IO, Any, BinaryIO, Literal, NamedTuple, cast

from py4j.java_gateway import JavaObject, is_instance_of
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from horae.data import catalogue as inputs
from horae.data.file_places import Matches, is_uri
from horae.source.errors import InputError
from horae.spark import catalogue
from horae.spark.globs import EVERYTHING, part_matches, path_pattern, split_glob

LOCAL = "file"
_CHUNK = 1 << 16
_BETWEEN = "\0"  # no name of a file has it


@dataclass(frozen=True)
class FileSystem:
    """All file systems of a session. Paths are text, as users write them."""

    spark: SparkSession

    # --- what is there

    def exists(self, path: str) -> bool:
        return self._status(path) is not None

    def is_dir(self, path: str) -> bool:
        status = self._status(path)
        return status is not None and bool(status.isDirectory())

    def is_file(self, path: str) -> bool:
        status = self._status(path)
        return status is not None and not status.isDirectory()

    def size(self, path: str) -> int:
        """Of a file, or of all files below a directory, in bytes."""
        with _about(path):
            summary = self._system(path).getContentSummary(self._path(path))
            return int(summary.getLength())

    def names(self, directory: str) -> list[str]:
        """What stands in a directory, sorted; nothing if there is no such directory."""
        return self.below([directory])[directory] if self.is_dir(directory) else []

    def walk(self, directory: str) -> list[str]:
        """The files below a directory, relative to it, sorted by their parts."""
        files, level = [], [""]
        while level:
            found = self._entries(
                [joined(directory, each) if each else directory for each in level]
            )
            entries = [(f"{level[at]}/{name}".lstrip("/"), is_dir()) for at, name, is_dir in found]
            files += [path for path, is_folder in entries if not is_folder]
            level = [path for path, is_folder in entries if is_folder]
        return sorted(files, key=lambda file: PurePosixPath(file).parts)

    def below(self, directories: Sequence[str]) -> dict[str, list[str]]:
        """The names of what stands in each of these, sorted; in a file stands nothing."""
        found: dict[str, set[str]] = {directory: set() for directory in directories}
        for place, name, _ in self._entries(directories):
            found[directories[place]].add(name)
        return {directory: sorted(names) for directory, names in found.items()}

    def matches(self, pattern: str) -> Matches:
        """As Python's `glob` has them."""
        start, parts = split_glob(pattern)
        if not parts or not self.is_dir(start):
            return Matches([], [])
        if EVERYTHING in parts:
            below = path_pattern(parts)
            files = [path for path in self.walk(start) if below.fullmatch(path)]
            return Matches(sorted(joined(start, path) for path in files), [])
        return self._matches(start, parts)

    def _matches(self, start: str, parts: Sequence[str]) -> Matches:
        level, found = [start], list[_Entry]()
        for part in parts:
            found = [entry for entry in self._entries(level) if part_matches(part, entry.name)]
            level = [joined(level[entry.place], entry.name) for entry in found]
        folders = [entry.is_dir() for entry in found]
        pairs = sorted(zip(level, folders, strict=True))
        return Matches(
            [path for path, is_folder in pairs if not is_folder],
            [path for path, is_folder in pairs if is_folder],
        )

    def joined(self, directory: str, name: str) -> str:
        return joined(directory, name)

    def qualified(self, path: str) -> str:
        """With its scheme and from the root on, as Spark takes it: `file:/data/a b.csv`."""
        with _about(path):
            return str(self._system(path).makeQualified(self._path(path)).toString())

    def name(self, path: str) -> str:
        """As Spark takes it. Plain paths begin where Python is now, not where the JVM was started."""
        if is_uri(path) or (path.startswith("/") and not self.is_local):
            return path
        # Hadoop takes what stands before a colon for a scheme, unless a slash comes first.
        return f"{LOCAL}:{os.path.abspath(path)}" if self.is_local else f"./{path}"  # noqa: PTH100

    # --- reading

    def file(self, path: str) -> StoredFile:
        """For readers of files: what is compressed is read as text (`data.formats.text`)."""
        return StoredFile(self, path)

    def open(self, path: str) -> BinaryIO:
        """The bytes as they are stored."""
        with _about(path):
            system, place = self._system(path), self._path(path)
            size = int(system.getFileStatus(place).getLen())
            stream = system.open(place)
        return cast("BinaryIO", BufferedReader(_JavaInput(stream, size, path), _CHUNK))

    def read_bytes(self, path: str) -> bytes:
        """All of a small file, as it is stored."""
        with self.open(path) as file:
            return file.read()

    def read_text(self, path: str) -> str:
        return self.read_bytes(path).decode()

    # --- writing

    def make_dirs(self, path: str) -> None:
        with _about(path):
            self._system(path).mkdirs(self._path(path))

    def write_bytes(self, path: str, content: bytes) -> None:
        """As a whole or not at all; what was there before is replaced. Missing directories are made."""
        folder, _, name = path.rpartition("/")
        draft = f"{folder}/.{name}.draft" if folder else f".{name}.draft"
        with _about(path):
            self._put(draft, content)
            self.rename(draft, path)

    def write_text(self, path: str, text: str) -> None:
        self.write_bytes(path, text.encode())

    def _put(self, path: str, content: bytes) -> None:
        stream = self._system(path).create(self._path(path), True)
        try:
            stream.write(bytearray(content))
        finally:
            stream.close()

    def rename(self, path: str, to: str) -> None:
        """Of a file or directory; a file takes the place of another one."""
        with _about(to):
            system, old, new = self._system(path), self._path(path), self._path(to)
            if system.getUri().getScheme() == LOCAL:
                if not system.rename(old, new):
                    raise inputs.CANNOT_WRITE(what=to, reason="it cannot be renamed to that")
            else:
                self._replace(system, old, new)

    def _replace(self, system: JavaObject, old: JavaObject, new: JavaObject) -> None:
        """At once where the file system can; object stores cannot, and have the new one next."""
        hadoop = self._jvm.org.apache.hadoop.fs
        kind = hadoop.Options.Rename
        options = self._gateway.new_array(kind, 1)
        options[0] = kind.OVERWRITE
        try:
            context = hadoop.FileContext.getFileContext(system.getUri(), self._settings)
        except Py4JJavaError:
            system.delete(new, False)
            system.rename(old, new)
        else:
            context.rename(old, new, options)

    def delete(self, path: str) -> bool:
        """A file, or a directory with all that is in it; whether it was there."""
        with _about(path):
            return bool(self._system(path).delete(self._path(path), True))

    # --- Hadoop

    @property
    def _jvm(self) -> Any:
        return self.spark._jvm

    @property
    def _gateway(self) -> Any:
        return self.spark.sparkContext._gateway

    @cached_property
    def _settings(self) -> JavaObject:
        """Hadoop's, with those that the session adds to them."""
        return self.spark._jsparkSession.sessionState().newHadoopConf()

    @cached_property
    def is_local(self) -> bool:
        """Whether plain paths are of this machine."""
        default = self._jvm.org.apache.hadoop.fs.FileSystem.getDefaultUri(self._settings)
        return str(default.getScheme()) == LOCAL

    def _path(self, path: str) -> JavaObject:
        return self._jvm.org.apache.hadoop.fs.Path(self.name(path))

    def _system(self, path: str) -> JavaObject:
        """Hadoop keeps checksums beside local files, for which others who write there do not care."""
        found = self._path(path).getFileSystem(self._settings)
        return found.getRawFileSystem() if found.getUri().getScheme() == LOCAL else found

    def hadoop(self, path: str) -> tuple[JavaObject, JavaObject]:
        """The file system of a path, and the path, as Hadoop has them: for what nobody else needs."""
        with _about(path):
            return self._system(path), self._path(path)

    def _status(self, path: str) -> JavaObject | None:
        with _about(path):
            try:
                return self._system(path).getFileStatus(self._path(path))
            except Py4JJavaError as error:
                if _is_missing(error):
                    return None
                raise

    def _entries(self, directories: Sequence[str]) -> list[_Entry]:
        """Of all directories at once: a call of the JVM takes its time."""
        if not directories:
            return []
        with _about(directories[0]):
            paths = self._gateway.new_array(self._jvm.org.apache.hadoop.fs.Path, len(directories))
            for place, directory in enumerate(directories):
                paths[place] = self._path(directory)
            statuses = self._system(directories[0]).listStatus(paths)
            texts = self._texts(statuses)
        places = {self.qualified(d).rstrip("/"): place for place, d in enumerate(directories)}
        parts = [text.rpartition("/") for text in texts]
        return [
            _Entry(places[parent], name, partial(_is_dir, statuses, at))
            for at, (parent, _, name) in enumerate(parts)
            if parent in places  # Hadoop lists a file as itself
        ]

    def _texts(self, statuses: JavaObject) -> list[str]:
        """The paths of many files by one call."""
        paths = self._jvm.org.apache.hadoop.fs.FileUtil.stat2Paths(statuses)
        count = len(paths)
        objects = self._gateway.new_array(self._jvm.java.lang.Object, count)
        self._jvm.java.lang.System.arraycopy(paths, 0, objects, 0, count)
        joined = str(self._jvm.org.apache.commons.lang3.StringUtils.join(objects, _BETWEEN))
        return joined.split(_BETWEEN) if joined else []


class _Entry(NamedTuple):
    """`place` is that of its directory among those that were asked for."""

    place: int
    name: str
    is_dir: Callable[[], bool]


def _is_dir(statuses: JavaObject, at: int) -> bool:
    return bool(statuses[at].isDirectory())


def joined(directory: str, name: str) -> str:
    """A path below another one, as users would write it."""
    if is_uri(directory):
        return f"{directory.rstrip('/')}/{name}"
    return str(PurePath(directory, name))


@dataclass(frozen=True)
class StoredFile:
    """A file as readers see it, wherever it is; its text is the path that users know."""

    system: FileSystem
    path: str

    def __str__(self) -> str:
        return self.path

    @property
    def uri(self) -> str:
        """The name that Spark takes."""
        return self.system.name(self.path)

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.path).suffix

    def open(self, mode: Literal["rb"]) -> IO[bytes]:
        return self.system.open(self.path)


class _JavaInput(RawIOBase):
    """An input stream of Java as Python has them."""

    def __init__(self, stream: JavaObject, size: int, path: str) -> None:
        self._stream = stream
        self._size = size
        self._path = path

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        base = {SEEK_SET: 0, SEEK_CUR: self.tell(), SEEK_END: self._size}[whence]
        with _about(self._path):
            self._stream.seek(base + offset)
        return base + offset

    def tell(self) -> int:
        return int(self._stream.getPos())

    def readinto(self, buffer: Any) -> int:
        with _about(self._path):
            found = self._stream.readNBytes(len(buffer))
        buffer[: len(found)] = found
        return len(found)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()


# --- what goes wrong


@contextmanager
def _about(path: str) -> Iterator[None]:
    """What Hadoop refuses is an error about the path."""
    try:
        yield
    except (Py4JJavaError, PySparkException) as error:
        raise _refused(path, error) from error


def _is_missing(error: Py4JJavaError) -> bool:
    return _is_a(error, "java.io.FileNotFoundException")


def _is_a(error: Py4JJavaError, name: str) -> bool:
    from pyspark import SparkContext

    return bool(is_instance_of(SparkContext._gateway, error.java_exception, name))


def _refused(path: str, error: Py4JJavaError | PySparkException) -> InputError:
    if not isinstance(error, Py4JJavaError):
        return inputs.unreadable(path, str(error).splitlines()[0])
    reason = str(error.java_exception.getMessage()).partition("\n")[0]
    if _is_a(error, "org.apache.hadoop.fs.UnsupportedFileSystemException"):
        return catalogue.NO_FILE_SYSTEM(scheme=path.partition(":")[0], place=path)
    if _is_missing(error):
        return inputs.no_such_file(path, None)
    return inputs.unreadable(path, reason)
