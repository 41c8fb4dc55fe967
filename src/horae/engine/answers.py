"""Answers of a run: a sequence of dicts that is made of an Arrow table when somebody looks at it.

A language gives its sorted table and says once what an answer shows of it:

    SHAPES = (
        Shape(Field("time", value=in_seconds), Field("stream"), json_field("value")),
        Shape(Field("time", value=in_seconds), Field("trigger"), Field("message"), when="trigger"),
    )
    Answers(sort_rows(table, ["time", "stream", Key("params", by=json.loads)]), SHAPES)

A row has the last shape whose column `when` is not null in it, else the first. A field is a key of the
dict; its `value` makes of an entry of the column what the dict has under that key, and JSON writes the
same. It is called once per distinct entry of some ten thousand rows, never once per row.

From these, `Answers` makes dicts, lines of JSON, and a table with a column per field.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array
from horae.source.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

Answer = dict[str, Any]
Translate = Callable[[Any], Any]
_CHUNK = 1 << 16


def unchanged(entry: Any) -> Any:
    return entry


# --- what an answer shows of a row


@dataclass(frozen=True)
class Field:
    """A key of answers, and the column that it is read from; that of the same name if none is told.

    `value` makes the value in the dict of an entry of the column. `typed` makes the column of
    `to_arrow`; without it, that is the column as it is.
    """

    name: str
    column: str = ""
    value: Translate = unchanged
    typed: Callable[[Array], Array] = unchanged

    @property
    def source(self) -> str:
        return self.column or self.name


def json_field(name: str, column: str = "") -> Field:
    """A column of JSON text, which the dict has parsed and a table has as Python writes it."""
    return Field(name, column, json.loads, lambda texts: _per_distinct(texts, _rewritten))


@dataclass(frozen=True)
class Mark:
    """A key with the same value in all answers of a shape."""

    name: str
    constant: bool


class Shape:
    """The keys of one kind of answers, in their order; `when` is a column that only these have."""

    def __init__(self, *fields: Field | Mark, when: str | None = None) -> None:
        self.fields = fields
        self.when = when


Shapes = tuple[Shape, ...]


# --- the answers


class Answers(Sequence[Answer]):
    """Sorted answers, which nothing changes: a sequence of dicts that equals the list of them."""

    __hash__ = None  # type: ignore[assignment]  # as of a list

    def __init__(self, table: pa.Table, shapes: Shapes) -> None:
        self._table = table
        self._shapes = shapes

    def __len__(self) -> int:
        return self._table.num_rows

    def __iter__(self) -> Iterator[Answer]:
        for batch in self._table.to_batches(max_chunksize=_CHUNK):
            yield from _dicts(batch, self._shapes)

    @overload
    def __getitem__(self, index: int) -> Answer: ...

    @overload
    def __getitem__(self, index: slice) -> Answers: ...

    def __getitem__(self, index: int | slice) -> Answer | Answers:
        rows = range(len(self))[index]
        if isinstance(rows, range):
            return Answers(self._rows(rows), self._shapes)
        return next(iter(Answers(self._table.slice(rows, 1), self._shapes)))

    def _rows(self, rows: range) -> pa.Table:
        if rows.step == 1:
            return self._table.slice(rows.start, len(rows))
        return self._table.take(np.asarray(rows, np.int64))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Answers | list):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __repr__(self) -> str:
        return repr(list(self))

    def json_lines(self) -> Iterator[str]:
        """Chunks of text, each of whole lines."""
        for batch in self._table.to_batches(max_chunksize=_CHUNK):
            yield "".join(_lines(batch, self._shapes))

    def to_arrow(self) -> pa.Table:
        """A column per key, null where an answer has no such key."""
        columns: dict[str, Any] = {}
        for shape, is_of in zip(self._shapes, _masks(self._table, self._shapes), strict=True):
            for field in shape.fields:
                if field.name not in columns:
                    columns[field.name] = _typed(self._table, field, is_of)
        return pa.table(columns)

    def to_pandas(self) -> pd.DataFrame:
        return self.to_arrow().to_pandas()

    def to_polars(self) -> pl.DataFrame:
        try:
            import polars as pl
        except ModuleNotFoundError:
            raise _no_polars() from None
        found: pl.DataFrame = pl.from_arrow(self.to_arrow())
        return found


def _no_polars() -> InputError:
    return InputError(
        "ENV030",
        "polars is not installed",
        help="install it with `pip install polars`, or use `to_arrow` or `to_pandas`",
    )


# --- rows as dicts, as lines, as columns


def _masks(rows: pa.RecordBatch | pa.Table, shapes: Shapes) -> list[Any]:
    """Which rows have which shape: the last one that is meant, else the first."""
    masks: list[Any] = []
    rest: Any = pa.repeat(pa.scalar(True), rows.num_rows)
    for shape in reversed(shapes):
        mine = rest if shape.when is None else pc.and_(rest, pc.is_valid(rows.column(shape.when)))
        masks.append(mine)
        rest = pc.and_not(rest, mine)
    return masks[::-1]


def _dicts(batch: pa.RecordBatch, shapes: Shapes) -> Iterator[Answer]:
    if len(shapes) == 1:
        return _dicts_of(batch, shapes[0])
    masks = [mask.to_numpy(zero_copy_only=False) for mask in _masks(batch, shapes)]
    parts = [_dicts_of(batch.filter(pa.array(m)), s) for m, s in zip(masks, shapes, strict=True)]
    return (next(parts[number]) for number in np.argmax(masks, axis=0).tolist())


def _dicts_of(batch: pa.RecordBatch, shape: Shape) -> Iterator[Answer]:
    names = [field.name for field in shape.fields]
    columns = [_values(batch, field) for field in shape.fields]
    return (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))


def _values(batch: pa.RecordBatch, field: Field | Mark) -> Iterable[Any]:
    """A list belongs to one answer: whoever changes it changes no other."""
    if isinstance(field, Mark):
        return [field.constant] * batch.num_rows
    column = batch.column(field.source)
    if field.value is unchanged:
        return column.to_pylist()
    entries, places = _distinct(column)
    values = [*map(field.value, entries), None]
    found = (values[place] for place in places.fill_null(len(entries)).to_pylist())
    return ([*value] if isinstance(value, list) else value for value in found)


def _lines(batch: pa.RecordBatch, shapes: Shapes) -> list[str]:
    lines: Any = pa.nulls(batch.num_rows, pa.string())
    for shape, is_of in zip(shapes, _masks(batch, shapes), strict=True):
        if pc.any(is_of).as_py():
            lines = pc.if_else(is_of, _lines_of(batch, shape), lines)
    found: list[str] = lines.to_pylist()
    return found


def _lines_of(batch: pa.RecordBatch, shape: Shape) -> Array:
    parts: list[Any] = []
    for field in shape.fields:
        parts += [f"{', ' if parts else '{'}{json.dumps(field.name)}: ", _texts(batch, field)]
    joined: Array = pc.binary_join_element_wise(*parts, "}\n", "")
    return joined


def _texts(batch: pa.RecordBatch, field: Field | Mark) -> Any:
    if isinstance(field, Mark):
        return json.dumps(field.constant)
    column = batch.column(field.source)
    if field.value is unchanged and pa.types.is_integer(column.type):
        return column.cast(pa.string()).fill_null("null")
    value = field.value
    return _per_distinct(column, lambda entry: _json(value(entry))).fill_null("null")


def _typed(table: pa.Table, field: Field | Mark, is_of: Any) -> Any:
    if isinstance(field, Mark):
        return pc.if_else(is_of, field.constant, pa.scalar(None, pa.bool_()))
    return field.typed(table.column(field.source).combine_chunks())


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _rewritten(text: str) -> str:
    """As Python writes the value: kernels write some doubles in other digits."""
    return _json(json.loads(text))


def _distinct(column: Array) -> tuple[list[Any], Any]:
    """The distinct entries, and the place among them of each; nulls have none."""
    encoded: Any = column.dictionary_encode()
    return encoded.dictionary.to_pylist(), encoded.indices


def _per_distinct(column: Array, translate: Callable[[Any], str]) -> Any:
    """Text of each distinct entry, made once; nulls stay."""
    entries, places = _distinct(column)
    return pa.array([*map(translate, entries)], pa.string()).take(places)


# --- their order


@dataclass(frozen=True)
class Key:
    """Rows are compared by what `by` makes of the entries of a column: 9 before 10, even as text."""

    column: str
    by: Translate


def sort_rows(table: pa.Table, keys: Sequence[str | Key]) -> pa.Table:
    """In the order of the keys, the first before all others; nulls come first."""
    columns: dict[str, Any] = {}
    for number, key in enumerate(keys):
        columns[str(number)] = table.column(key) if isinstance(key, str) else _ranks(table, key)
    order: list[Any] = [(name, "ascending", "at_start") for name in columns]
    return table.take(pc.sort_indices(pa.table(columns), order))


def _ranks(table: pa.Table, key: Key) -> Array:
    entries, places = _distinct(table.column(key.column).combine_chunks())
    values = [*map(key.by, entries)]
    order = sorted(range(len(values)), key=values.__getitem__)
    is_new = [values[a] != values[b] for a, b in pairwise(order)]
    ranks = np.empty(len(values), np.int64)
    ranks[order] = np.cumsum([0, *is_new][: len(values)])
    found: Array = pa.array(ranks).take(places)
    return found
