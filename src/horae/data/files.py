"""Which files a path means: itself, the files of a directory, or the matches of a glob."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from horae.data import catalogue
from horae.data.endings import EVENTS, ending_of
from horae.data.file_places import HERE, File, FileT, Places
from horae.data.given_source import is_table, source_for_spark
from horae.data.topics import is_topic, topic_for_spark
from horae.source.suggest import closest


def find_files(path: str | Path, endings: tuple[str, ...] = EVENTS) -> list[Path]:
    """The files of this machine that a path means."""
    return files_at(HERE, str(path), endings)


def files_at(places: Places[FileT], path: str, endings: tuple[str, ...] = EVENTS) -> list[FileT]:
    """Sorted by name, so that the order of rows does not depend on the machine.

    `endings` are those of formats; compressed text has another one behind it.
    """
    if is_topic(path):
        raise topic_for_spark(path)
    if is_table(path):
        raise source_for_spark(path)
    files = _paths_at(places, path)
    for file in files:
        if ending_of(file) not in endings:
            raise catalogue.unknown_ending(file, endings)
    return [places.file(file) for file in files]


def _paths_at(places: Places[FileT], path: str) -> list[str]:
    """A glob that matches directories alone means their files."""
    if places.is_dir(path):
        found = _in_directory(places, path)
        if not found:
            raise catalogue.no_files_in(path)
        return found
    if places.exists(path):
        return [path]
    files, directories = places.matches(path)
    found = files or [file for each in directories for file in _in_directory(places, each)]
    if not found:
        raise _no_such_file(places, path)
    return found


@contextmanager
def reading(file: str | File) -> Iterator[None]:
    """What goes wrong while a file is read is an error about the file."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise catalogue.unreadable(str(file), "it is not UTF-8 text", "save it as UTF-8") from error
    except (OSError, pa.ArrowException, csv.Error, OverflowError) as error:
        raise catalogue.unreadable(str(file), *_reason(error)) from error


def _reason(error: Exception) -> tuple[str, str]:
    """Why a file cannot be read, and what would help if that is known."""
    text = next(iter(str(error).splitlines()), type(error).__name__)
    if "invalid utf8" in text.lower():
        return "it is not UTF-8 text", "save it as UTF-8"
    if "Parquet magic bytes" in text:
        return "it is not a Parquet file", "the ending of a file must tell its format"
    return (error.strerror if isinstance(error, OSError) and error.strerror else text), ""


def _no_such_file(places: Places[FileT], path: str) -> Exception:
    """The error, which names a file of a similar name in the same directory if there is one."""
    folder, slash, name = path.rpartition("/")
    names = [f for f in places.names(f"{folder}{slash}" or ".") if not f.startswith(".")]
    similar = _similar(name, {Path(name).stem: name for name in names})
    return catalogue.no_such_file(path, similar and f"{folder}{slash}{similar}")


def _similar(name: str, names: Mapping[str, str]) -> str | None:
    """Endings do not count: they make any two short names alike. `names` has them without, too."""
    own = Path(name).stem
    stem = own if own in names else closest(own, names)
    return None if stem is None else names[stem]


def _in_directory(places: Places[FileT], directory: str) -> list[str]:
    """Names that start with `_` or `.` are no data: Spark writes its markers so."""
    return [
        places.joined(directory, file)
        for file in places.walk(directory)
        if not any(part.startswith(("_", ".")) for part in Path(file).parts)
    ]
