"""A CSV file as a table of text: types come from the program, not from a guess at the data."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from horae.data import catalogue
from horae.data.files import reading
from horae.data.formats.csv_text import csv_header, read_tidy
from horae.data.layout import Layout, Place
from horae.data.validate import check_columns

_WRONG_LENGTH = re.compile(
    r"Row #(?P<row>\d+): Expected (?P<columns>\d+) columns, got (?P<cells>\d+)"
)


def read_csv(
    path: Path, layout: Layout, header: bool | None, columns: Sequence[str] | None
) -> pa.Table:
    """The columns that the program reads, as text; an empty cell is null, a quoted empty one is not.

    `columns` names the columns of a file without header; with `header=True` it replaces the header.
    """
    if header is False and not columns:
        raise catalogue.header_needed(str(path))
    names = list(columns) if columns else header_of(path)
    data = read_tidy(path)
    check_columns(names, layout, Place(str(path)))
    has_header = header or (header is None and not columns)
    try:
        return _read(data, names, layout, skip=1 if has_header else 0)
    except pa.ArrowInvalid as error:
        found = _WRONG_LENGTH.search(str(error))
        if found is None:
            raise
        index = int(found["row"]) - (2 if has_header else 1)
        problem = f"the row has {found['cells']} cells, but there are {found['columns']} columns"
        help = "a cell that holds a comma or a line break stands in double quotes"
        raise catalogue.malformed_row(Place(str(path)), index, problem, help) from error


def header_of(path: Path) -> list[str]:
    """The names in the first line."""
    with reading(path):
        return csv_header(path)


def _read(data: bytes, names: list[str], layout: Layout, skip: int) -> pa.Table:
    """One thread, because only so Arrow knows the number of a row that it refuses."""
    return pa.csv.read_csv(
        io.BytesIO(data),
        read_options=pa.csv.ReadOptions(use_threads=False, column_names=names, skip_rows=skip),
        parse_options=pa.csv.ParseOptions(newlines_in_values=True),
        convert_options=pa.csv.ConvertOptions(
            include_columns=list(layout.columns),
            column_types=dict.fromkeys(layout.columns, pa.string()),
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )
