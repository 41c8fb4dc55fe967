"""A Parquet file, of which only the columns that the program reads are loaded."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from horae.data.layout import Layout, Place
from horae.data.validate import check_columns


def read_parquet(path: Path, layout: Layout) -> pa.Table:
    """`ParquetFile` reads just this file; the dataset reader would guess columns from its folder."""
    with pa.parquet.ParquetFile(path) as file:
        check_columns(file.schema_arrow.names, layout, Place(str(path)))
        table = file.read(columns=list(layout.columns))
    table.validate(full=True)  # text that is not UTF-8 would pass
    return table
