"""Rows of all streams of a CQL program in one table.

`name` says whose row it is; columns of the same type share their places. For `s(A int, B int)` and
`t(A int, C string)` the columns are `name`, `time`, `order`, `int0`, `int1` and `string0`; what a
stream does not have is null.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.schema import Input
from horae.data.types import Type
from horae.data.values import ARROW_TYPES
from horae.languages.cql.kernel.windows import ORDER, TIME, place_name

NAME = "name"


@dataclass(frozen=True)
class RowLayout:
    streams: tuple[Input, ...]

    def columns(self, item: Input) -> tuple[str, ...]:
        """Where the columns of a stream are, in their order."""
        used: Counter[Type] = Counter()
        found = []
        for column in item.columns:
            found.append(f"{column.type.value}{used[column.type]}")
            used[column.type] += 1
        return tuple(found)

    @cached_property
    def schema(self) -> pa.Schema:
        fields: dict[str, pa.DataType] = {NAME: pa.string(), TIME: pa.int64(), ORDER: pa.string()}
        for item in self.streams:
            for name, column in zip(self.columns(item), item.columns, strict=True):
                fields[name] = ARROW_TYPES[column.type]
        return pa.schema(fields)

    def pack(self, item: Input, rows: pa.Table) -> pa.Table:
        """`rows` has `c0`, `c1`, …, `time` and `order`."""
        own: dict[str, Any] = {NAME: pa.repeat(item.name, rows.num_rows)}
        own |= {TIME: rows.column(TIME), ORDER: rows.column(ORDER)}
        own |= {name: rows.column(place_name(i)) for i, name in enumerate(self.columns(item))}
        arrays = [
            own[field.name] if field.name in own else pa.nulls(rows.num_rows, field.type)
            for field in self.schema
        ]
        return pa.table(arrays, schema=self.schema)

    def unpack(self, rows: pa.Table) -> dict[str, pa.Table]:
        """By the names of streams, as `pack` takes them."""
        plain = rows.select(self.schema.names).cast(self.schema)
        found = {item.name: self._of(item, plain) for item in self.streams}
        if sum(table.num_rows for table in found.values()) != rows.num_rows:
            raise ValueError(f"{NAME}: a row belongs to none of {', '.join(found)}")
        return found

    def _of(self, item: Input, rows: pa.Table) -> pa.Table:
        own = rows.filter(pc.equal(rows.column(NAME), pa.scalar(item.name)))
        columns = self.columns(item)
        places = [place_name(i) for i in range(len(columns))]
        return own.select([*columns, TIME, ORDER]).rename_columns([*places, TIME, ORDER])
