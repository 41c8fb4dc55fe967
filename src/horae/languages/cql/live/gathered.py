"""The rows of spread queries on their way to the place where they are gathered.

Queries have different columns, so a record carries a table; or what went wrong in a shard, which is an
error only there: of several shards, one must speak, always the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from horae.data.columns import Ints
from horae.data.rows_of_inputs import TIME
from horae.languages.cql.kernel.evaluate import UNTIL, Answered, Elsewhere, Found
from horae.languages.cql.kernel.faults import Failure
from horae.languages.cql.kernel.kept_rows import table_from_bytes, table_to_bytes
from horae.source.errors import InputError

_TYPES: dict[str, pa.DataType] = {
    "query": pa.string(),
    "rows": pa.binary(),
    "failure": pa.string(),
}
SCHEMA = pa.schema(_TYPES)


def pack_found(found: Iterable[tuple[str, Found]]) -> pa.Table:
    records = [(name, *_packed(part)) for name, part in found]
    columns = list(zip(*records, strict=True)) or [()] * len(SCHEMA)
    arrays = [pa.array(c, f.type) for c, f in zip(columns, SCHEMA, strict=True)]
    return pa.table(arrays, schema=SCHEMA)


def _packed(found: Found) -> tuple[bytes | None, str | None]:
    if not isinstance(found, Failure):
        return table_to_bytes(found), None
    e = found.error
    known = [found.step, e.code, e.message, e.place, e.time, e.help]
    return None, json.dumps(known)


def unpack_found(records: pa.Table) -> Iterable[tuple[str, Found]]:
    for record in records.to_pylist():
        rows, failure = record["rows"], record["failure"]
        yield record["query"], _failure(failure) if rows is None else table_from_bytes(rows)


def _failure(text: str) -> Failure:
    step, code, message, place, time, help = json.loads(text)
    return Failure(step, InputError(code, message, place=place, time=time, help=help))


@dataclass
class Gathered:
    """What shards have found of each query, until the times that it is about are evaluated."""

    rows: dict[str, list[pa.Table]] = field(default_factory=dict)
    failures: dict[str, list[Failure]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        return not self.rows and not self.failures

    def add(self, records: pa.Table) -> None:
        for name, found in unpack_found(records):
            if isinstance(found, Failure):
                self.failures.setdefault(name, []).append(found)
            else:
                self.rows.setdefault(name, []).append(found)

    def take(self, due: Ints, schemas: Mapping[str, pa.Schema | None]) -> dict[str, Elsewhere]:
        """The rows of all these times; later ones stay. Queries without a schema are answered."""
        last = int(due[-1])
        return {name: self._take(name, last, schema) for name, schema in schemas.items()}

    def _take(self, name: str, last: int, schema: pa.Schema | None) -> Elsewhere:
        failed = [f for f in self.failures.get(name, []) if int(f.error.time or 0) <= last]
        if failed:
            return min(failed, key=lambda failure: failure.place)
        if schema is None:
            return Answered()
        whole = pa.concat_tables([schema.empty_table(), *self.rows.pop(name, [])])
        return self._split(name, whole, last)

    def _split(self, name: str, rows: pa.Table, last: int) -> pa.Table:
        """Rows up to the time `last`; what is there later waits."""
        start, until = rows.column(TIME).to_numpy(), rows.column(UNTIL).to_numpy()
        later = until > last
        if later.any():
            waiting = rows.filter(pa.array(later))
            self.rows[name] = [_with(waiting, TIME, np.maximum(start[later], last + 1))]
        is_due = start <= last
        return _with(rows.filter(pa.array(is_due)), UNTIL, np.minimum(until[is_due], last))


def _with(rows: pa.Table, name: str, times: Ints) -> pa.Table:
    return rows.set_column(rows.column_names.index(name), name, pa.array(times, pa.int64()))
