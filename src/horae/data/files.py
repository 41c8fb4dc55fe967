"""Which files a path means: itself, the files of a directory, or the matches of a glob."""

from __future__ import annotations

import csv
import glob
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from horae.data import catalogue
from horae.data.endings import EVENTS, ending_of
from horae.data.topics import is_topic, topic_for_spark
from horae.source.suggest import closest


def find_files(path: str | Path, endings: tuple[str, ...] = EVENTS) -> list[Path]:
    """Sorted by name, so that the order of rows does not depend on the machine.

    `endings` are those of formats; compressed text has another one behind it.
    """
    text = str(path)
    if is_topic(text):
        raise topic_for_spark(text)
    found = Path(text)
    if found.is_dir():
        files = _in_directory(found)
    elif found.exists():
        files = [found]
    else:
        files = [Path(match) for match in sorted(glob.glob(text, recursive=True))]  # noqa: PTH207
        files = [file for file in files if file.is_file()]
    if not files:
        raise catalogue.no_files_in(text) if found.is_dir() else _no_such_file(found)
    for file in files:
        if ending_of(file) not in endings:
            raise catalogue.unknown_ending(str(file), endings)
    return files


@contextmanager
def reading(file: str | Path) -> Iterator[None]:
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


def _no_such_file(path: Path) -> Exception:
    """The error, which names a file of a similar name in the same directory if there is one."""
    try:
        names = sorted(f.name for f in path.parent.iterdir() if not f.name.startswith("."))
    except OSError:
        names = []
    similar = _similar(path, {Path(name).stem: name for name in names})
    return catalogue.no_such_file(str(path), similar and str(path.with_name(similar)))


def _similar(path: Path, names: Mapping[str, str]) -> str | None:
    """Endings do not count: they make any two short names alike. `names` has them without, too."""
    stem = path.stem if path.stem in names else closest(path.stem, names)
    return None if stem is None else names[stem]


def _in_directory(directory: Path) -> list[Path]:
    """Names that start with `_` or `.` are no data: Spark writes its markers so."""
    files = (file for file in sorted(directory.rglob("*")) if file.is_file())
    return [
        file
        for file in files
        if not any(part.startswith(("_", ".")) for part in file.relative_to(directory).parts)
    ]
