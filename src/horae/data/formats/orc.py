"""ORC, of which only the columns that are wanted are loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
from pyarrow import orc

from horae.data.formats.table_file import Dialect, TableFile


def open_table(file: Path, _: Dialect) -> TableFile:
    def blocks(names: Sequence[str]) -> Iterator[pa.Table]:
        table = orc.ORCFile(str(file)).read(columns=list(names))
        table.validate(full=True)
        yield table

    return TableFile(list(orc.ORCFile(str(file)).schema.names), blocks)
