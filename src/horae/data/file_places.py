"""Where files are looked for: on this machine, or wherever Spark reads them."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Literal, NamedTuple, Protocol, TypeVar

_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")


class File(Protocol):
    """A `Path`, or a file that is elsewhere; its text is the path that users know."""

    @property
    def suffix(self) -> str: ...

    def open(self, mode: Literal["rb"]) -> IO[bytes]: ...


FileT = TypeVar("FileT", bound=File, covariant=True)


class Matches(NamedTuple):
    """The paths that a glob matches, sorted."""

    files: list[str]
    directories: list[str]


class Places(Protocol[FileT]):
    """Paths are text, as users write them."""

    def exists(self, path: str) -> bool: ...

    def is_dir(self, path: str) -> bool: ...

    def names(self, directory: str) -> list[str]:
        """What stands in a directory, sorted; nothing if there is no such directory."""

    def walk(self, directory: str) -> list[str]:
        """The files below a directory, relative to it, sorted by their parts."""

    def matches(self, pattern: str) -> Matches: ...

    def size(self, path: str) -> int:
        """Of a file, in bytes."""

    def joined(self, directory: str, name: str) -> str:
        """A path below another one, as users would write it."""

    def file(self, path: str) -> FileT: ...


class _ThisMachine:
    """As Python sees it."""

    def exists(self, path: str) -> bool:
        return Path(path).exists()

    def is_dir(self, path: str) -> bool:
        return Path(path).is_dir()

    def names(self, directory: str) -> list[str]:
        try:
            return sorted(file.name for file in Path(directory).iterdir())
        except OSError:
            return []

    def walk(self, directory: str) -> list[str]:
        root = Path(directory)
        files = (file for file in sorted(root.rglob("*")) if file.is_file())
        return [str(file.relative_to(root)) for file in files]

    def matches(self, pattern: str) -> Matches:
        found = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207
        paths = [Path(path) for path in found]
        return Matches(
            [str(path) for path in paths if path.is_file()],
            [str(path) for path in paths if path.is_dir()],
        )

    def size(self, path: str) -> int:
        return Path(path).stat().st_size

    def joined(self, directory: str, name: str) -> str:
        return str(Path(directory, name))

    def file(self, path: str) -> Path:
        return Path(path)


HERE: Places[Path] = _ThisMachine()


_PLACES: ContextVar[Places[File] | None] = ContextVar("places", default=None)


def current_places() -> Places[File]:
    """Where this process reads files: this machine, unless it is told otherwise."""
    return _PLACES.get() or HERE


@contextmanager
def looking_in(places: Places[File]) -> Iterator[None]:
    """Files that are read in this process meanwhile are in these places."""
    before = _PLACES.set(places)
    try:
        yield
    finally:
        _PLACES.reset(before)


def is_uri(path: str) -> bool:
    """`file:/a` and `hdfs://host/a`; a plain path may have a colon too."""
    return _URI.match(path) is not None
