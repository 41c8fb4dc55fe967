"""Rows that cannot be read: either they end the run, or they go on beside the others.

A *gate* lets the rows of a frame through the worker of a door. One that keeps bad rows gives them in a
column of their own, as JSON: the code and the words of the error, the file, and what was there.

    {"code": "INP023", "message": "…", "file": "/data/a.jsonl", "row": "{\\"time\\": \\"soon\\"}"}
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import types as t
from pyspark.sql.pandas.types import to_arrow_schema

from horae.data import catalogue
from horae.data.sifting import sift
from horae.source.errors import InputError
from horae.spark.columns import select_by_place
from horae.spark.failures import SPLIT_CELL, MarkedError, marked_text, recognise
from horae.spark.parcels import BAD
from horae.spark.piped import Batches, Piped, Schema, Worker, through

FILE = "__file"
"""The file in which a row stands."""
BROKEN = "__broken"
"""The text of a row of which Spark could not tell the cells."""

_BROKEN = catalogue.MALFORMED_ROW(problem=f"{SPLIT_CELL}, or it is not UTF-8 text", remedy="")
_LINE = "value"  # the column of lines
_NUMBER = re.compile(r"^[0-9]+:")
_LONGEST = 200  # characters of a row in a message

Gate = Callable[[DataFrame | Piped, Worker, Schema], Piped]


def strict(rows: DataFrame | Piped, worker: Worker, schema: Schema) -> Piped:
    """The first bad row ends the run."""
    return through(rows, RefusingGate(worker), schema)


def keeping(rows: DataFrame | Piped, worker: Worker, schema: Schema) -> Piped:
    """Bad rows come out in the column `BAD`, also those of an earlier gate."""
    wider = with_bad(schema)
    return through(rows, Sieve(worker, to_arrow_schema(wider)), wider)


def telling(rows: DataFrame | Piped, worker: Worker, schema: Schema) -> Piped:
    """As `keeping`, with errors in the column `BAD` that `refuse_told` raises.

    For a first look at rows: a worker that raises them itself makes Spark print its own traces.
    """
    wider = with_bad(schema)
    return through(rows, Teller(worker, to_arrow_schema(wider)), wider)


def refuse_told(told: str | None) -> None:
    """In the driver: raise one of the errors that a first look found, if there was any."""
    found = None if told is None else recognise(told)
    if found is not None:
        raise found


def with_bad(schema: Schema) -> t.StructType:
    columns = t.StructType.fromDDL(schema) if isinstance(schema, str) else schema
    assert isinstance(columns, t.StructType), "a schema has columns"
    return t.StructType([*columns.fields, t.StructField(BAD, t.StringType())])


def gate_for(bad_rows: str) -> Gate:
    match bad_rows:
        case "fail":
            return strict
        case "keep":
            return keeping
        case _:
            raise ValueError(f"bad_rows must be `fail` or `keep`, not `{bad_rows}`")


def columns_beside(frame: DataFrame) -> list[str]:
    """Those that a gate looks at; they are the last ones of a frame."""
    return [name for name in (FILE, BROKEN, BAD) if name in frame.columns]


def select_with_beside(frame: DataFrame, names: Sequence[str]) -> DataFrame:
    """The columns of a door by their places, and those that a gate looks at under their names."""
    beside = columns_beside(frame)
    chosen = select_by_place(frame, [*names, *beside])
    return chosen.toDF(*chosen.columns[: len(names)], *beside)


# --- in the workers


@dataclass(frozen=True)
class RefusingGate:
    """Refuses lines that are broken; the error about a row shows the row, as nobody knows its number."""

    worker: Worker

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            _check_lines(batch)
            own = batch.drop_columns(_beside(self.worker, batch.schema.names))
            try:
                found = list(self.worker(iter([own])))
            except MarkedError as error:
                raise self._with_row(pa.Table.from_batches([batch])) or error from None
            yield from found

    def _with_row(self, rows: pa.Table) -> MarkedError | None:
        """What is wrong with the first row that is refused alone; None if none is."""
        for start, stop, found in sift(
            len(rows), lambda start, stop: _read(self.worker, rows.slice(start, stop - start))
        ):
            if isinstance(found, InputError):
                file, row = _parts(self.worker, rows.slice(start, stop - start))
                return MarkedError(error_with_row(found, file, row))
        return None


def _check_lines(batch: pa.RecordBatch) -> None:
    if BROKEN not in batch.schema.names:
        return
    broken = pc.is_valid(batch.column(BROKEN))
    if pc.any(broken).as_py():
        (file, *_) = batch.filter(broken).column(FILE).to_pylist()
        raise MarkedError(catalogue.unreadable(file_path(str(file)), "it is not UTF-8 text"))


def _read(worker: Worker, rows: pa.Table) -> list[pa.RecordBatch]:
    """What a worker makes of rows, without the columns that it does not want to see."""
    own = rows.drop_columns(_beside(worker, rows.column_names))
    try:
        return list(worker(iter(own.combine_chunks().to_batches())))
    except MarkedError as error:
        raise recognise(str(error)) or error from None


def _parts(worker: Worker, row: pa.Table) -> tuple[str | None, object]:
    """The file of a row, if it is known, and the row as it is shown."""
    found = {
        name: _value(column[0]) for name, column in zip(row.column_names, row.columns, strict=True)
    }
    found.pop(BROKEN, None)
    return found.pop(FILE, None), getattr(worker, "show", _shown)(found)


def _value(cell: Any) -> Any:
    """A cell as Python has it; of a date that Python does not have, Arrow's number."""
    try:
        return cell.as_py()
    except (OverflowError, ValueError):
        return cell.value


def error_with_row(error: InputError, file: str | None, row: object) -> InputError:
    text = row if isinstance(row, str) else json.dumps(row, ensure_ascii=False, default=str)
    shown = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    where = error.place if file is None else file_path(file)
    return error.at(f"{where}{', ' if where else ''}the row {shown}")


def _beside(worker: Worker, names: Sequence[str]) -> list[str]:
    """Columns that a worker does not want to see."""
    unwanted = {BROKEN} if getattr(worker, "wants_file", False) else {BROKEN, FILE}
    return [name for name in names if name in unwanted]


@dataclass(frozen=True)
class Sieve:
    """`schema` is that of what comes out, with `BAD` as the last column."""

    worker: Worker
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            rows, bad = _told(pa.Table.from_batches([batch]))
            yield from self._bad(bad)
            yield from self._sifted(rows)

    def _sifted(self, rows: pa.Table) -> Batches:
        def read(start: int, stop: int) -> list[pa.RecordBatch]:
            return _read(self.worker, rows.slice(start, stop - start))

        for start, stop, found in sift(rows.num_rows, read):
            if isinstance(found, InputError):
                yield from self._bad([self._note(rows.slice(start, stop - start), found)])
            else:
                yield from self._good(found)

    def _note(self, row: pa.Table, error: InputError) -> str:
        return bad_row_note(error, *_parts(self.worker, row))

    def _good(self, batches: Iterable[pa.RecordBatch]) -> Batches:
        for batch in batches:
            columns = [*batch.columns, pa.nulls(batch.num_rows, pa.string())]
            rows = pa.table(columns, names=self.schema.names)
            yield from rows.cast(self.schema).to_batches()

    def _bad(self, notes: Sequence[str]) -> Batches:
        if notes:
            empty = [pa.nulls(len(notes), field.type) for field in list(self.schema)[:-1]]
            yield pa.record_batch([*empty, pa.array(notes, pa.string())], schema=self.schema)


@dataclass(frozen=True)
class Teller(Sieve):
    """Tells of bad rows in the words of the error that a strict run would end with."""

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            _check_lines(batch)
            rows, bad = _noted(pa.Table.from_batches([batch]))
            yield from self._bad(bad)
            yield from self._sifted(rows)

    def _note(self, row: pa.Table, error: InputError) -> str:
        return marked_text(error_with_row(error, *_parts(self.worker, row)))


def _noted(rows: pa.Table) -> tuple[pa.Table, list[str]]:
    """The rows that an earlier gate let through, and what it noted of the others."""
    if BAD not in rows.column_names:
        return rows, []
    column = rows.column(BAD)
    notes = [str(note) for note in column.drop_null().to_pylist()]
    return rows.filter(pc.is_null(column)).drop_columns(BAD), notes


def _told(rows: pa.Table) -> tuple[pa.Table, list[str]]:
    """The rows that are still to be read, and what is known of the others."""
    rows, notes = _noted(rows)
    if BROKEN in rows.column_names:
        broken = rows.filter(pc.is_valid(rows.column(BROKEN))).to_pylist()
        notes += [bad_row_note(_BROKEN, row.get(FILE), row[BROKEN]) for row in broken]
        rows = rows.filter(pc.is_null(rows.column(BROKEN)))
    return rows, notes


def bad_row_note(error: InputError, file: str | None, row: object) -> str:
    where = error.place if file is None else file_path(file)
    parts = {"code": error.code, "message": error.message, "file": where, "row": row}
    return json.dumps(parts, ensure_ascii=False, default=str)


def _shown(row: dict[str, Any]) -> object:
    """A line as it is, a row of a table by its columns, which may carry their numbers."""
    if row.get(_LINE) is not None:
        return row[_LINE]
    return {_NUMBER.sub("", name): value for name, value in row.items()}


def file_path(uri: str) -> str:
    """Spark writes `file:/a%20b`, or with more slashes; elsewhere than here, the host stays."""
    path = unquote(uri)
    return "/" + path.removeprefix("file:").lstrip("/") if path.startswith("file:") else path
