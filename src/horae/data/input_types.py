"""What is known of an input before a run: the types of its columns, by table.

The types of answers follow from them. Tables without types, such as CSV, have columns of type None; what
is written as facts has no columns at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
from pyarrow import orc
from pyarrow import parquet as pq

from horae.data.columns import DataType
from horae.data.endings import FACTS, ending_of
from horae.data.facts import NamedPath, named_path
from horae.data.file_places import File, current_places
from horae.data.files import files_at
from horae.data.formats.table_file import seekable
from horae.data.python_tables import paths_in, table_in
from horae.data.topics import is_topic

ColumnTypes = Mapping[str, DataType | None]


@dataclass(frozen=True)
class InputTypes:
    """`has_facts`: there is also input without columns. A table that is the only one has no name."""

    tables: Mapping[str, ColumnTypes] = field(default_factory=dict)
    has_facts: bool = False

    def named(self, *names: str) -> Iterator[DataType | None]:
        """The types of all columns with one of these names; those of input without columns are None."""
        for columns in self.tables.values():
            yield from (type for name, type in columns.items() if name in names)
        if self.has_facts:
            yield None


NOTHING_KNOWN = InputTypes(has_facts=True)


def types_of_inputs(inputs: object) -> InputTypes:
    """Of what a Python program gives to `evaluate`."""
    if isinstance(inputs, Mapping):
        found = {str(name): _columns_of(given) for name, given in inputs.items()}
    else:
        found = {"": _columns_of(inputs)}
    known = {name: columns for name, columns in found.items() if columns is not None}
    return InputTypes(known, has_facts=len(known) < len(found))


def types_of_files(inputs: Sequence[str], *, has_names: bool) -> InputTypes:
    """Of `PATH`, or `NAME=PATH`: of tables in files that keep types; the first file tells."""
    named = [
        named_path(text, current_places()) if has_names else NamedPath("", text) for text in inputs
    ]
    found = [(name, _columns_of_files(path)) for name, path in named]
    tables = {name: columns for name, columns in found if name is not None and columns is not None}
    return InputTypes(tables, has_facts=len(tables) < len(found))


def _columns_of_files(path: str) -> ColumnTypes | None:
    """Spark reads all files of a table with the types of one."""
    return None if is_topic(path) else _columns_of_file(files_at(current_places(), path, FACTS)[0])


def _columns_of_file(file: File) -> ColumnTypes | None:
    match ending_of(file):
        case ".parquet":
            return types_of_schema(pq.read_schema(seekable(file)))
        case ".orc":
            return types_of_schema(orc.ORCFile(seekable(file)).schema)
        case _:
            return None


def _columns_of(given: object) -> ColumnTypes | None:
    paths = paths_in(given)
    if paths is not None:
        files = [file for path in paths for file in files_at(current_places(), path, FACTS)]
        return _in_common([_columns_of_file(file) for file in files])
    if isinstance(given, list | tuple):
        return None
    table = table_in(given)
    return None if table is None else types_of_schema(table.schema)


def _in_common(found: Sequence[ColumnTypes | None]) -> ColumnTypes | None:
    """Columns that have different types in files have none."""
    known = [columns for columns in found if columns is not None]
    if len(known) < len(found):
        return None
    names = dict.fromkeys(name for columns in known for name in columns)
    types = {name: {columns.get(name) for columns in known} for name in names}
    return {name: own.pop() if len(own) == 1 else None for name, own in types.items()}


def types_of_schema(schema: pa.Schema) -> ColumnTypes:
    """Text has no type of its own as a time; where a column has codes, its values count."""
    return {name: _plain(type) for name, type in zip(schema.names, schema.types, strict=True)}


def _plain(type: DataType) -> DataType:
    return type.value_type if pa.types.is_dictionary(type) else type
