"""ORC, of which only the columns that are wanted are loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
from pyarrow import orc

from horae.data.file_places import File
from horae.data.formats.table_file import Dialect, TableFile, seekable


def open_table(file: File, _: Dialect) -> TableFile:
    def blocks(names: Sequence[str]) -> Iterator[pa.Table]:
        table = orc.ORCFile(seekable(file)).read(columns=list(names))
        table.validate(full=True)
        yield table

    return TableFile(list(orc.ORCFile(seekable(file)).schema.names), blocks)
