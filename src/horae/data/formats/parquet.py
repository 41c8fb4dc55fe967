"""Parquet, of which only the columns that are wanted are loaded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from horae.data.formats.table_file import Dialect, TableFile
from horae.data.table_blocks import BLOCK


def open_table(file: Path, _: Dialect) -> TableFile:
    """`ParquetFile` reads just this file; the dataset reader would guess columns from its folder."""

    def read(names: Sequence[str]) -> pa.Table:
        with pa.parquet.ParquetFile(file) as opened:
            batches = [*opened.iter_batches(BLOCK, columns=list(names))]
            schema = opened.read_row_groups([], columns=list(names)).schema
        table = pa.Table.from_batches(batches, schema)
        table.validate(full=True)  # text that is not UTF-8 would pass
        return table

    with pa.parquet.ParquetFile(file) as opened:
        return TableFile(list(opened.schema_arrow.names), read)
