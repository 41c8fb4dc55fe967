"""Parquet, of which only the columns that are wanted are loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.parquet

from horae.data.file_places import File
from horae.data.formats.table_file import Dialect, TableFile, seekable
from horae.data.table_blocks import BLOCK


def open_table(file: File, _: Dialect) -> TableFile:
    """`ParquetFile` reads just this file; the dataset reader would guess columns from its folder."""

    def blocks(names: Sequence[str]) -> Iterator[pa.Table]:
        with pa.parquet.ParquetFile(seekable(file)) as opened:
            if not opened.metadata.num_rows:
                yield opened.read(columns=list(names))
            for batch in opened.iter_batches(BLOCK, columns=list(names)):
                batch.validate(full=True)  # text that is not UTF-8 would pass
                yield pa.Table.from_batches([batch])

    with pa.parquet.ParquetFile(seekable(file)) as opened:
        return TableFile(list(opened.schema_arrow.names), blocks)
