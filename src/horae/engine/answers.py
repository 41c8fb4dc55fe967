"""Answers of a run: a sequence of dicts that is made of an Arrow table when somebody looks at it.

A language gives its sorted table and says once what an answer shows of it:

    time = AnswerField("time", value=in_seconds)
    SHAPES = (
        AnswerShape(time, AnswerField("stream"), json_field("row"), AnswerField("value")),
        AnswerShape(time, AnswerField("trigger"), AnswerField("message"), when="trigger"),
    )
    Answers(sort_rows(table, ["time", "stream", SortKey("row", by=json.loads)]), SHAPES)

A row has the last shape whose column `when` is not null in it, or one of its `names`, else the first. A
field is a key of the dict; its `value` makes of an entry of the column what the dict has under that key,
and JSON writes the same. It is called once per distinct entry of some ten thousand rows, never once per
row.

From these, `Answers` makes dicts, lines of JSON, and a table with a column per field.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data import catalogue
from horae.data.columns import Array, Ints, decimals_as_ints
from horae.engine.number_texts import double_texts
from horae.source.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

Answer = dict[str, Any]
Translate = Callable[[Any], Any]
_CHUNK = 1 << 16
_LARGEST = 2**62


def unchanged(entry: Any) -> Any:
    return entry


# --- what an answer shows of a row


@dataclass(frozen=True)
class AnswerField:
    """A key of answers, and the column that it is read from; that of the same name if none is told.

    `value` makes the value in the dict of an entry of the column. `typed` makes the column of
    `to_arrow`; without it, that is the column as it is. `texts` writes a column of numbers without nulls
    at once, as JSON has it; None where it cannot.
    """

    name: str
    column: str = ""
    value: Translate = unchanged
    typed: Callable[[Array], Array] = unchanged
    texts: Callable[[Array], Array | None] = lambda _: None

    @property
    def source(self) -> str:
        return self.column or self.name


def json_field(name: str, column: str = "") -> AnswerField:
    """A column of JSON text, which the dict has parsed and a table has as Python writes it."""
    return AnswerField(name, column, json.loads, lambda texts: _per_distinct(texts, _rewritten))


def translated_json(name: str, translate: Translate) -> AnswerField:
    """A column of JSON text that means something else, which the dict has and a table has as JSON."""

    def value(text: str) -> Any:
        return translate(json.loads(text))

    return AnswerField(
        name, "", value, lambda texts: _per_distinct(texts, lambda t: _json(value(t)))
    )


@dataclass(frozen=True)
class ListField:
    """A key whose value is a list, each of its items from a column; an object, if they have `keys`."""

    name: str
    items: tuple[AnswerField, ...]
    keys: tuple[str, ...] | None = None


@dataclass(frozen=True)
class AnswerMark:
    """A key with the same value in all answers of a shape."""

    name: str
    constant: bool


AnyField = AnswerField | ListField | AnswerMark


class AnswerShape:
    """The keys of one kind of answers, in their order.

    `when` is a column that only these have, or in which only these have one of the `names`.
    """

    def __init__(
        self, *fields: AnyField, when: str | None = None, names: Sequence[str] | None = None
    ) -> None:
        self.fields = fields
        self.when = when
        self.names = names

    def holds(self, rows: pa.RecordBatch | pa.Table) -> Any:
        """Which rows are such, if none of the later shapes is theirs; None for all."""
        if self.when is None:
            return None
        column: Any = rows.column(self.when)
        return pc.is_valid(column) if self.names is None else one_of(column, self.names)


AnswerShapes = tuple[AnswerShape, ...]
TypedTables = Callable[[pa.Table, str, int], pa.Table]
"""The typed table of an output, of rows of answers with so many ticks in a second."""


# --- the answers


class Answers(Sequence[Answer]):
    """Sorted answers, which nothing changes: a sequence of dicts that equals the list of them."""

    __hash__ = None  # type: ignore[assignment]  # as of a list

    def __init__(
        self,
        table: pa.Table,
        shapes: AnswerShapes,
        ticks: int = 1,
        tables: TypedTables | None = None,
    ) -> None:
        self._table = table
        self._shapes = shapes
        self._ticks = ticks
        self._tables = tables

    def in_ticks(self, ticks: int) -> Answers:
        """Of rows whose times count so many ticks in a second."""
        return Answers(self._table, self._shapes, ticks, self._tables)

    def with_tables(self, tables: TypedTables) -> Answers:
        """With a typed table per output."""
        return Answers(self._table, self._shapes, self._ticks, tables)

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
            return Answers(self._rows(rows), self._shapes, self._ticks, self._tables)
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

    def to_arrow(self, output: str | None = None) -> pa.Table:
        """The typed table of one output; without a name, all answers with a column per key."""
        if output is not None:
            assert self._tables is not None, "programs give answers their tables"
            return self._tables(self._table, output, self._ticks)
        batch = self._batch()
        columns = {name: _column(batch, f) for name, f in _by_key(batch, self._shapes).items()}
        return pa.table(columns)

    def texts(self, key: str, write: Callable[[Any], str | None]) -> Array:
        """The values under a key as `write` writes them; null where an answer has no such key."""
        batch = self._batch()
        nothing: Any = pa.nulls(len(self), pa.string())
        for field, is_of in _by_key(batch, self._shapes).get(key, ()):
            nothing = pc.if_else(is_of, _written(batch, field, write), nothing)
        found: Array = nothing
        return found

    def _batch(self) -> pa.RecordBatch:
        table = self._table.combine_chunks()
        columns = [column.combine_chunks() for column in table.columns]
        return pa.RecordBatch.from_arrays(columns, schema=table.schema)

    def to_pandas(self, output: str | None = None) -> pd.DataFrame:
        return self.to_arrow(output).to_pandas()

    def to_polars(self, output: str | None = None) -> pl.DataFrame:
        try:
            import polars as pl
        except ModuleNotFoundError:
            raise _no_polars() from None
        found: pl.DataFrame = pl.from_arrow(self.to_arrow(output))
        return found


def _no_polars() -> InputError:
    return catalogue.NO_POLARS()


# --- rows as dicts, as lines, as columns


def _masks(rows: pa.RecordBatch | pa.Table, shapes: AnswerShapes) -> list[Any]:
    """Which rows have which shape: the last one that is meant, else the first."""
    masks: list[Any] = []
    rest: Any = pa.repeat(pa.scalar(True), rows.num_rows)
    for shape in reversed(shapes):
        held = shape.holds(rows)
        mine = rest if held is None else pc.and_(rest, held)
        masks.append(mine)
        rest = pc.and_not(rest, mine)
    return masks[::-1]


def _dicts(batch: pa.RecordBatch, shapes: AnswerShapes) -> Iterator[Answer]:
    if len(shapes) == 1:
        return _dicts_of(batch, shapes[0])
    masks = [mask.to_numpy(zero_copy_only=False) for mask in _masks(batch, shapes)]
    parts = [_dicts_of(batch.filter(pa.array(m)), s) for m, s in zip(masks, shapes, strict=True)]
    return (next(parts[number]) for number in np.argmax(masks, axis=0).tolist())


def _dicts_of(batch: pa.RecordBatch, shape: AnswerShape) -> Iterator[Answer]:
    names = [field.name for field in shape.fields]
    columns = [_values(batch, field) for field in shape.fields]
    return (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))


def _values(batch: pa.RecordBatch, field: AnyField) -> Iterable[Any]:
    """A list or an object belongs to one answer: whoever changes it changes no other."""
    if isinstance(field, AnswerMark):
        return [field.constant] * batch.num_rows
    if isinstance(field, ListField):
        if not field.items:
            return ([] for _ in range(batch.num_rows))
        rows = zip(*(_values(batch, item) for item in field.items), strict=True)
        keys = field.keys
        return (
            map(list, rows) if keys is None else (dict(zip(keys, row, strict=True)) for row in rows)
        )
    column = batch.column(field.source)
    if field.value is unchanged:
        return column.to_pylist()
    entries, places = _distinct(column)
    values = [*map(field.value, entries), None]
    found = (values[place] for place in places.fill_null(len(entries)).to_pylist())
    return (copy(value) if isinstance(value, list | dict) else value for value in found)


def _lines(batch: pa.RecordBatch, shapes: AnswerShapes) -> list[str]:
    lines: Any = pa.nulls(batch.num_rows, pa.string())
    for shape, is_of in zip(shapes, _masks(batch, shapes), strict=True):
        if pc.any(is_of).as_py():
            lines = pc.if_else(is_of, _lines_of(batch, shape), lines)
    found: list[str] = lines.to_pylist()
    return found


def _lines_of(batch: pa.RecordBatch, shape: AnswerShape) -> Array:
    parts: list[Any] = []
    for field in shape.fields:
        parts += [f"{', ' if parts else '{'}{json.dumps(field.name)}: ", _texts(batch, field)]
    joined: Array = pc.binary_join_element_wise(*parts, "}\n", "")
    return joined


def _texts(batch: pa.RecordBatch, field: AnyField) -> Any:
    written = _written(batch, field, _json)
    return written if isinstance(written, str) else written.fill_null("null")


def _written(batch: pa.RecordBatch, field: AnyField, write: Callable[[Any], str | None]) -> Any:
    """One text where all answers have it; nulls stay. A list is always written in JSON."""
    if isinstance(field, AnswerMark):
        return write(field.constant)
    if isinstance(field, ListField):
        return _list_texts(batch, field)
    column = batch.column(field.source)
    if field.value is unchanged and pa.types.is_integer(column.type):
        return column.cast(pa.string())
    if field.value is unchanged and pa.types.is_floating(column.type):
        return double_texts(column)
    at_once = None if column.null_count else field.texts(column)
    if at_once is not None:
        return at_once
    value = field.value
    return _per_distinct(column, lambda entry: write(value(entry)))


def _list_texts(batch: pa.RecordBatch, field: ListField) -> Any:
    if not field.items:
        return "[]"
    begin, end = ("[", "]") if field.keys is None else ("{", "}")
    parts: list[Any] = []
    for place, item in enumerate(field.items):
        key = "" if field.keys is None else f"{_json(field.keys[place])}: "
        parts += [(", " if parts else begin) + key, pc.fill_null(_texts(batch, item), "null")]
    return pc.binary_join_element_wise(*parts, end, "")


AnswerColumn = tuple[AnyField, Any]
"""A field, and which rows have it."""


def _by_key(batch: pa.RecordBatch, shapes: AnswerShapes) -> dict[str, list[AnswerColumn]]:
    """What shapes have under each key."""
    found: dict[str, list[AnswerColumn]] = {}
    for shape, is_of in zip(shapes, _masks(batch, shapes), strict=True):
        for field in shape.fields:
            found.setdefault(field.name, []).append((field, is_of))
    return found


def _column(batch: pa.RecordBatch, fields: Sequence[AnswerColumn]) -> Any:
    """What shapes have under one name; JSON text where they read it from several columns."""
    (first, is_of), *_ = fields
    if isinstance(first, AnswerMark):
        return pc.if_else(is_of, first.constant, pa.scalar(None, pa.bool_()))
    others = [each for each, _ in fields if isinstance(each, AnswerField)]
    alike = [
        each for each in others if (each.source, each.typed) == (others[0].source, others[0].typed)
    ]
    if isinstance(first, AnswerField) and len(alike) == len(fields):
        return first.typed(_plain(batch.column(first.source)))
    nothing = pa.scalar(None, pa.string())
    return pc.coalesce(*(pc.if_else(here, _texts(batch, each), nothing) for each, here in fields))


def _are_alike(one: AnswerField, other: AnyField) -> bool:
    if not isinstance(other, AnswerField):
        return False
    return (one.source, one.typed) == (other.source, other.typed)


def _plain(column: Array) -> Array:
    coded = pa.types.is_dictionary(column.type)
    return column.cast(column.type.value_type) if coded else column


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _rewritten(text: str) -> str:
    """A JSON value as Python writes it: kernels write some doubles in other digits."""
    return _json(json.loads(text))


def one_of(column: Any, names: Sequence[str]) -> Any:
    """Which entries of a column of text are among these; those of coded text are looked up once."""
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array([one_of(chunk, names) for chunk in column.chunks], pa.bool_())
    wanted: Any = pa.array(names, pa.string())
    if not pa.types.is_dictionary(column.type):
        return pc.is_in(column, wanted)
    return pc.is_in(column.dictionary, wanted).take(column.indices).fill_null(False)


def _distinct(column: Array) -> tuple[list[Any], Any]:
    """The distinct entries, and the place among them of each; nulls have none."""
    encoded: Any = column
    if pa.types.is_dictionary(column.type) and len(encoded.dictionary) > len(column):
        encoded = _plain(column)  # most entries are those of other rows
    encoded = encoded.dictionary_encode()
    return encoded.dictionary.to_pylist(), encoded.indices


def _per_distinct(column: Array, translate: Callable[[Any], str | None]) -> Any:
    """Text of each distinct entry, made once; nulls stay."""
    entries, places = _distinct(column)
    return pa.array([*map(translate, entries)], pa.string()).take(places)


# --- their order


@dataclass(frozen=True)
class SortKey:
    """Rows are compared by what `by` makes of the entries of a column: 9 before 10, even as text."""

    column: str
    by: Translate


def _name(key: str | SortKey) -> str:
    return key if isinstance(key, str) else key.column


def sort_parts(parts: Iterable[pa.Table], keys: Sequence[str | SortKey]) -> pa.Table:
    """All rows of some tables in order; see `sort_rows`.

    Runs give answers in parts that follow each other in time, the first of the keys. Each of those is
    sorted when it comes, and stays where it is in memory.
    """
    tables = [sort_rows(part, keys) for part in parts]
    together = pa.concat_tables([table for table in tables if len(table)] or tables[:1])
    first = [table.column(_name(keys[0])) for table in tables if len(table)]
    if any(column.null_count for column in first):
        return sort_rows(together, keys)
    ends = [(column[0].as_py(), column[-1].as_py()) for column in first]
    in_order = all(last < next for (_, last), (next, _) in pairwise(ends))
    return together if in_order else sort_rows(together, keys)


def sort_rows(table: pa.Table, keys: Sequence[str | SortKey]) -> pa.Table:
    """In the order of the keys that there are columns of, the first before all others; nulls first.

    The ranks of a row by all keys make one number. Answers come nearly in order, of which NumPy's
    stable sort of numbers makes use.
    """
    if not len(table):
        return table
    whole = table.combine_chunks()
    first, *others = (_ranks(whole, key) for key in keys if _name(key) in whole.column_names)
    numbers, count = _dense(first)
    for ranks in others:
        numbers, count = _refined(numbers, count, ranks)
    if (numbers[1:] >= numbers[:-1]).all():
        return whole
    return whole.take(np.argsort(numbers, kind="stable"))


def _dense(ranks: Ints) -> tuple[Ints, int]:
    """Numbers from 0 on without gaps, in the same order, and how many there are."""
    if (ranks[1:] >= ranks[:-1]).all():
        numbers = np.zeros(len(ranks), np.int64)
        np.cumsum(ranks[1:] != ranks[:-1], out=numbers[1:])
        return numbers, int(numbers[-1]) + 1
    distinct, places = np.unique(ranks, return_inverse=True)
    return places.astype(np.int64), len(distinct)


def _refined(numbers: Ints, count: int, ranks: Ints) -> tuple[Ints, int]:
    """Rows with equal numbers are told apart by further ranks."""
    least, span = int(ranks.min()), int(ranks.max()) - int(ranks.min()) + 1
    if span == 1:
        return numbers, count
    if count * span > _LARGEST:
        least, (ranks, span) = 0, _dense(ranks)
    if count * span > _LARGEST:
        numbers, count = _dense(numbers)
    return numbers * np.int64(span) + (ranks - np.int64(least)), count * span


def _ranks(table: pa.Table, key: str | SortKey) -> Ints:
    """Numbers that compare as the entries do."""
    by = unchanged if isinstance(key, str) else key.by
    column: Array = table.column(_name(key)).chunk(0)  # type: ignore[assignment]
    if by is unchanged and pa.types.is_signed_integer(column.type):
        whole = _with_nulls_first(column) if column.null_count else column.to_numpy()
        if whole is not None:
            return whole.astype(np.int64)
    if by is unchanged and not column.null_count:
        whole = decimals_as_ints(column) if pa.types.is_decimal(column.type) else None
        if whole is not None:
            return whole
    return _ranks_of_distinct(column, by)


def _with_nulls_first(column: Array) -> Ints | None:
    """Nulls as a number less than all others, if there is one."""
    least = cast("int | None", pc.min(column).as_py())
    if least is None:
        return np.zeros(len(column), np.int64)
    if least == -(2**63):
        return None
    filled: Any = column.cast(pa.int64()).fill_null(least - 1)
    found: Ints = filled.to_numpy()
    return found


def _ranks_of_distinct(column: Array, by: Translate) -> Ints:
    """Nulls are before all others."""
    entries, places = _distinct(column)
    values = [*map(by, entries)]
    order = sorted(range(len(values)), key=values.__getitem__)
    is_new = [values[a] != values[b] for a, b in pairwise(order)]
    ranks = np.zeros(len(values) + 1, np.int64)
    ranks[order] = 1 + np.cumsum([0, *is_new][: len(values)])
    found: Ints = ranks[places.fill_null(len(values)).to_numpy()]
    return found
