"""Files of tables as columns of Arrow: the names of all columns first, then those that are wanted.

Cells of CSV are text, an empty one is null. Where Arrow refuses a CSV file, Python reads it again: that
accepts all that is right and names the row that is wrong.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from horae.data import catalogue
from horae.data.formats.csv_text import csv_rows, read_tidy
from horae.data.layout import Place


@dataclass(frozen=True)
class TableFile:
    """`read` gives some of the columns, by their names; no name may be there twice."""

    names: list[str]
    read: Callable[[Sequence[str]], pa.Table]


def open_table(file: Path) -> TableFile:
    return _open_csv(file) if is_csv(file) else _open_parquet(file)


def is_csv(file: Path) -> bool:
    """Then numbers are text, and what they are comes from elsewhere."""
    return file.suffix.lower() == ".csv"


# --- Parquet


def _open_parquet(file: Path) -> TableFile:
    """`ParquetFile` reads just this file; the dataset reader would guess columns from its folder."""

    def read(names: Sequence[str]) -> pa.Table:
        with pyarrow.parquet.ParquetFile(file) as opened:
            table = opened.read(columns=list(names))
        table.validate(full=True)  # text that is not UTF-8 would pass
        return table

    with pyarrow.parquet.ParquetFile(file) as opened:
        return TableFile(list(opened.schema_arrow.names), read)


# --- CSV


def _open_csv(file: Path) -> TableFile:
    text = read_tidy(file)
    header = next(csv_rows(text), [])
    names = [name.strip() for name in header]
    if not names:
        raise catalogue.empty_file(str(file))

    def read(wanted: Sequence[str]) -> pa.Table:
        table = _quickly(text, header)
        if table is None:
            table = _slowly(text, len(names), Place(str(file)))
        return table.rename_columns(names).select(list(wanted))

    return TableFile(names, read)


def _quickly(text: bytes, header: list[str]) -> pa.Table | None:
    """None if Arrow does not take it, or takes it otherwise than Python."""
    if b"\0" in text:
        return None
    try:
        return pa.csv.read_csv(
            io.BytesIO(text),
            parse_options=pa.csv.ParseOptions(newlines_in_values=b'"' in text),
            convert_options=pa.csv.ConvertOptions(
                column_types=dict.fromkeys(header, pa.string()),
                null_values=[""],
                strings_can_be_null=True,
            ),
        )
    except pa.ArrowInvalid:
        return None


def _slowly(text: bytes, width: int, place: Place) -> pa.Table:
    rows = [row for row in csv_rows(text) if row][1:]
    for index, row in enumerate(rows):
        if len(row) != width:
            problem = f"the row has {len(row)} cells, but there are {width} columns"
            help = "a value with a comma in it stands in double quotes"
            raise catalogue.malformed_row(place, index, problem, help)
    cells = zip(*rows, strict=True) if rows else ([] for _ in range(width))
    columns = [pa.array([cell or None for cell in column], pa.string()) for column in cells]
    return pa.table(columns, names=[str(place) for place in range(width)])
