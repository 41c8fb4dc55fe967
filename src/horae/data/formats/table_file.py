"""A file with named columns, of whatever format its ending says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from horae.data.endings import TABLES, ending_of
from horae.data.file_places import File

if TYPE_CHECKING:
    import pyarrow as pa

    from horae.data.columns import DataType

_DELIMITER = ContextVar("delimiter", default=",")
_LINES_IN_CELLS = ContextVar("lines_in_cells", default=False)


@contextmanager
def delimited(by: str) -> Iterator[None]:
    """CSV files that are read meanwhile have this delimiter, whichever reader reads them."""
    before = _DELIMITER.set(by)
    try:
        yield
    finally:
        _DELIMITER.reset(before)


@contextmanager
def lines_in_cells() -> Iterator[None]:
    """Cells of CSV files that are read meanwhile hold line breaks: no file can be cut at any line."""
    before = _LINES_IN_CELLS.set(True)
    try:
        yield
    finally:
        _LINES_IN_CELLS.reset(before)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a CSV file is written; other formats need no such thing.

    The delimiter is that of the run (`delimited`), unless another one is given. `columns` names the
    columns of a file without header; with `header=True` it replaces the header. An empty cell is null;
    with `keeps_empty`, one in quotes is an empty text. `lines_in_cells`: cells may hold line breaks.
    """

    delimiter: str = field(default_factory=_DELIMITER.get)
    header: bool | None = None
    columns: tuple[str, ...] | None = None
    keeps_empty: bool = False
    lines_in_cells: bool = field(default_factory=_LINES_IN_CELLS.get)

    @property
    def has_header(self) -> bool:
        return self.header or (self.header is None and not self.columns)


@dataclass(frozen=True)
class TableFile:
    """The names of all columns; `blocks` gives some of them, some rows at a time; one block at least.

    No name that is read may be there twice. A format of text may also parse columns on its way: `typed`
    gives them with the types that are asked for, or None where a cell is no such value. What it refuses
    may be right all the same: `blocks` has the text.
    """

    names: list[str]
    blocks: Callable[[Sequence[str]], Iterator[pa.Table]]
    typed: Callable[[Mapping[str, DataType]], pa.Table | None] | None = None

    def read(self, names: Sequence[str]) -> pa.Table:
        import pyarrow as pa

        return pa.concat_tables(self.blocks(names))


def seekable(file: File) -> Any:
    """What Arrow's readers of binary formats take; they read such a file from its end."""
    if isinstance(file, Path):
        return str(file)
    return file.open("rb")


def open_table(file: File, dialect: Dialect | None = None) -> TableFile:
    format = import_module(f"horae.data.formats.{TABLES[ending_of(file)]}")
    opened: TableFile = format.open_table(file, dialect or Dialect())
    return opened
