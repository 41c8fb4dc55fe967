"""Paths and tables that a Python program gives: files, and tables of pandas, polars and Arrow."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from typing import Any

import numpy as np
import pyarrow as pa

from horae.data import catalogue_python as catalogue
from horae.data.columns import Column
from horae.data.endings import FACTS, ending_of
from horae.data.facts import columns_of_dicts
from horae.data.typed_columns import Given

_EXACT = 2**53  # doubles hold all whole numbers up to here


def paths_in(found: object) -> list[str] | None:
    """A path, or a list of paths; None if it is neither.

    Text is a path if it is one line with the ending of a file; all else may be facts.
    """
    if isinstance(found, list | tuple) and found and all(map(is_path, found)):
        return [str(fspath(path)) for path in found]
    return [str(fspath(found))] if is_path(found) else None  # type: ignore[call-overload]


def is_path(found: object) -> bool:
    if isinstance(found, str):
        return "\n" not in found and ending_of(found.rstrip()) in FACTS
    return isinstance(found, PathLike)


def table_in(found: object) -> pa.Table | None:
    """The Arrow table of a table of any library; None if it is no table."""
    try:
        return _table(found)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise catalogue.unreadable_table(_first_line(error)) from error


def _first_line(error: Exception) -> str:
    return str(error.args[0] if error.args else error).splitlines()[0]


def _table(found: Any) -> pa.Table | None:
    if isinstance(found, pa.Table):
        return found
    if isinstance(found, pa.RecordBatch):
        return pa.Table.from_batches([found])
    library, name = type(found).__module__.partition(".")[0], type(found).__name__
    if library == "pyspark":
        return None
    if library == "pandas" and name == "DataFrame":
        return _whole_numbers(pa.Table.from_pandas(found, preserve_index=False))
    if library == "polars" and name == "DataFrame":
        return found.to_arrow()  # type: ignore[no-any-return]
    return pa.table(found) if hasattr(found, "__arrow_c_stream__") else None


def _whole_numbers(table: pa.Table) -> pa.Table:
    """Pandas keeps whole numbers as doubles where some are missing."""
    for place, name in enumerate(table.column_names):
        column = table.column(place)
        if pa.types.is_floating(column.type) and column.null_count and _are_whole(column):
            table = table.set_column(place, name, column.cast(pa.int64()))
    return table


def _are_whole(column: Column) -> bool:
    known: Any = column.drop_null()
    values = known.to_numpy()
    return bool(np.all((np.abs(values) <= _EXACT) & (np.rint(values) == values)))


def named_columns_in(found: object) -> tuple[list[str], Mapping[str, Given], int] | None:
    """Names, columns and number of rows of a table, or of a list of dicts; None if it is neither."""
    if isinstance(found, list | tuple) and all(isinstance(row, Mapping) for row in found):
        return columns_of_dicts(found)
    table = table_in(found)
    if table is None:
        return None
    columns = dict(zip(table.column_names, table.columns, strict=True))
    return table.column_names, columns, len(table)
