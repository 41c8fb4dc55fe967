"""Rows of several streams and relations in one table.

`name` says whose row it is; columns of the same type share their places. For `s(A int, B int)` and
`t(A int, C string)` the columns are `name`, `time`, `order`, `int0`, `int1` and `string0`; what an
input does not have is null. Rows of relations have no time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.rows_of_inputs import ORDER, TIME, place_name, schema_of
from horae.data.schema import RegisteredInput
from horae.data.table_blocks import repeated
from horae.data.types import Type
from horae.data.values import ARROW_TYPES

NAME = "name"


@dataclass(frozen=True)
class RowLayout:
    inputs: tuple[RegisteredInput, ...]

    @property
    def streams(self) -> tuple[RegisteredInput, ...]:
        return tuple(item for item in self.inputs if item.is_stream)

    @property
    def relations(self) -> tuple[RegisteredInput, ...]:
        return tuple(item for item in self.inputs if not item.is_stream)

    def columns(self, item: RegisteredInput) -> tuple[str, ...]:
        """Where the columns of an input are, in their order."""
        used: Counter[Type] = Counter()
        found = []
        for column in item.columns:
            found.append(f"{column.type.value}{used[column.type]}")
            used[column.type] += 1
        return tuple(found)

    @cached_property
    def schema(self) -> pa.Schema:
        fields: dict[str, pa.DataType] = {NAME: pa.string(), TIME: pa.int64(), ORDER: pa.string()}
        for item in self.inputs:
            for name, column in zip(self.columns(item), item.columns, strict=True):
                fields[name] = ARROW_TYPES[column.type]
        return pa.schema(fields)

    def pack(self, item: RegisteredInput, rows: pa.Table) -> pa.Table:
        """`rows` has the columns of `schema_of(item)`."""
        own: dict[str, Any] = {NAME: repeated(item.name, pa.string(), rows.num_rows)}
        if item.is_stream:
            own |= {TIME: rows.column(TIME), ORDER: rows.column(ORDER)}
        own |= {name: rows.column(place_name(i)) for i, name in enumerate(self.columns(item))}
        arrays = [
            own[field.name] if field.name in own else repeated(None, field.type, rows.num_rows)
            for field in self.schema
        ]
        return pa.table(arrays, schema=self.schema)

    def pack_all(self, rows: Mapping[str, pa.Table]) -> pa.Table:
        """The rows of all inputs, by their names."""
        packed = [self.pack(i, rows[i.name]) for i in self.inputs if i.name in rows]
        return pa.concat_tables([self.schema.empty_table(), *packed])

    def unpack(self, rows: pa.Table) -> dict[str, pa.Table]:
        """The table of each input by its name, as `pack` takes them."""
        plain = rows.select(self.schema.names).cast(self.schema)
        found = {item.name: self._of(item, plain) for item in self.inputs}
        if sum(table.num_rows for table in found.values()) != rows.num_rows:
            raise ValueError(f"{NAME}: a row belongs to none of {', '.join(found)}")
        return found

    def _of(self, item: RegisteredInput, rows: pa.Table) -> pa.Table:
        own = rows_of(rows, [item])
        columns = [*self.columns(item), *([TIME, ORDER] if item.is_stream else [])]
        return own.select(columns).rename_columns(schema_of(item).names)

    def shown(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """A row as people read it."""
        item = next(item for item in self.inputs if item.name == row[NAME])
        values = [row[name] for name in self.columns(item)]
        return {"time": row[TIME], "stream": item.name, "row": values}


def are_of(rows: pa.Table, names: Iterable[str]) -> npt.NDArray[np.bool_]:
    """Which rows belong to one of these inputs."""
    known = pa.array(list(names), rows.schema.field(NAME).type)
    found: npt.NDArray[np.bool_] = pc.is_in(rows.column(NAME), known).to_numpy()
    return found


def rows_of(rows: pa.Table, items: Iterable[RegisteredInput]) -> pa.Table:
    """The rows that belong to one of these inputs."""
    own = are_of(rows, [item.name for item in items])
    return rows if own.all() else rows.filter(pa.array(own))
