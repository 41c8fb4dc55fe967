"""Rows come in: files and DataFrames become a typed frame per registered name, checked as in process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql import types as t
from pyspark.sql.pandas.types import from_arrow_schema

from horae.data.bind_columns import TableName, columns_of_rows, read_table_name, with_order
from horae.data.endings import is_csv, is_json_lines
from horae.data.files import reading
from horae.data.formats.jsonl import exact_objects
from horae.data.input_files import Registered, input_files, rows_of_text
from horae.data.layout import Place
from horae.data.rows_of_inputs import TIME, InputLayout, find_input, lay_out, read_rows, schema_of
from horae.data.schema import Input
from horae.languages.cql.live.row_layout import RowLayout
from horae.spark.bad_rows import Gate, refuse_told, select_with_beside, strict, telling
from horae.spark.failures import marked, unmarked
from horae.spark.files import json_keys, read_csv, read_json_lines, read_lines, read_typed
from horae.spark.parcels import BAD
from horae.spark.piped import Batches, Piped
from horae.spark.records import RECORD_ORDER, WrittenLines, written_lines

COLUMNS = [TIME, "query", "row", "kind", "rank"]
"""Of answers, in the order in which users see them."""


def rows_of_frames(
    frames: Mapping[str, DataFrame],
    inputs: Registered,
    *,
    time: str = TIME,
    order: str | None = None,
) -> dict[str, DataFrame]:
    """A DataFrame per stream or relation: columns as registered, and for streams the time."""
    if not frames:
        raise ValueError("answers needs a DataFrame for at least one stream or relation")
    parts, told = _Parts(inputs), []
    for name, frame in frames.items():
        item = find_input(name, inputs, name)
        parts.add(item, rows_of_frame(item, name, frame, time=time, order=order).rows)
        kept = rows_of_frame(item, name, frame, time=time, order=order, gate=telling)
        told.append(kept.rows.select(BAD))
    _refuse_bad(reduce(DataFrame.unionAll, told))
    return parts.frames(next(iter(frames.values())).sparkSession)


def _refuse_bad(told: DataFrame) -> None:
    """One pass over the rows: later ones are lazy, and those who run them get Spark's own errors."""
    with unmarked():
        row = told.agg(f.min(BAD)).first()
    assert row is not None, "an aggregate without groups has a row"
    refuse_told(row[0])


def rows_of_frame(
    item: Input,
    name: str,
    frame: DataFrame,
    *,
    time: str = TIME,
    order: str | None = None,
    gate: Gate = strict,
) -> Piped:
    layout = lay_out(item, frame.columns, time=time, order=order, place=name)
    return tabled_rows(frame, layout, name, gate)


def rows_of_files(
    spark: SparkSession,
    paths: Sequence[str],
    inputs: Registered,
    *,
    time: str = TIME,
    order: str | None = None,
) -> dict[str, DataFrame]:
    """`.facts` files, and tables as `NAME=PATH`."""
    door, parts = _Door(spark, inputs, time, order), _Parts(inputs)
    for name, file in input_files(paths):
        if name is None:
            for item in inputs.values():
                parts.add(item, door.open_facts(item, file))
        else:
            table = read_table_name(name)
            item = find_input(table.name, inputs, str(file))
            parts.add(item, door.open_table(item, table, file))
    return parts.frames(spark)


def row_schema(item: Input) -> t.StructType:
    """That of `schema_of`, as Spark has it."""
    return from_arrow_schema(schema_of(item))


@dataclass(frozen=True)
class _Parts:
    """What there is of each stream and relation."""

    inputs: Registered
    found: dict[str, list[DataFrame]] = field(default_factory=dict)

    def add(self, item: Input, frame: DataFrame) -> None:
        self.found.setdefault(item.name, []).append(frame)

    def frames(self, spark: SparkSession) -> dict[str, DataFrame]:
        """One of each; without rows where there is none."""
        return {
            item.name: reduce(DataFrame.unionAll, self.found[item.name])
            if item.name in self.found
            else spark.createDataFrame([], row_schema(item))
            for item in self.inputs.values()
        }


@dataclass(frozen=True)
class _Door:
    """Opens files, all in the same way."""

    spark: SparkSession
    inputs: Registered
    time: str
    order: str | None

    def open_facts(self, item: Input, file: Path) -> DataFrame:
        worker = _Lines(dict(self.inputs), item.name, str(file))
        return strict(read_lines(self.spark, file), worker, row_schema(item)).rows

    def open_table(self, item: Input, table: TableName, file: Path) -> DataFrame:
        if is_json_lines(file):
            return self._json_table(item, table, file)
        frame = read_csv(self.spark, file) if is_csv(file) else read_typed(self.spark, [file])
        return self._table(item, table, frame, file)

    def _table(self, item: Input, table: TableName, frame: DataFrame, file: Path) -> DataFrame:
        layout = self._lay_out(item, table, frame.columns, file)
        return tabled_rows(frame, layout, str(file)).rows

    def _json_table(self, item: Input, table: TableName, file: Path) -> DataFrame:
        """The order may be missing in the first line, and anywhere else; nothing else may."""
        layout = self._lay_out(item, table, with_order(json_keys(file), self.order), file)
        lines = read_json_lines(self.spark, file)
        return lines.mapInArrow(JsonRows(layout, str(file)), row_schema(item))

    def _lay_out(
        self, item: Input, table: TableName, names: Sequence[str], file: Path
    ) -> InputLayout:
        return lay_out(
            item,
            names,
            time=self.time,
            order=self.order,
            typed=not is_csv(file),
            place=str(file),
            picked=table.columns,
        )


def tabled_rows(frame: DataFrame, layout: InputLayout, name: str, gate: Gate = strict) -> Piped:
    chosen = select_with_beside(frame, layout.names)
    return gate(chosen, _Table(layout, name), row_schema(layout.item))


def packed_rows(
    rows: DataFrame | Piped, layout: RowLayout, item: Input, gate: Gate = strict
) -> Piped:
    return gate(rows, _Pack(layout, item), from_arrow_schema(layout.schema))


# --- in the workers


@dataclass(frozen=True)
class _Lines:
    """Lines of a `.facts` file: all are checked, those of one name are given.

    A line's number is not known here.
    """

    inputs: dict[str, Input]
    wanted: str
    file: str

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                text = "\n".join(map(str, batch.column(0).to_pylist()))
                yield from rows_of_text(text, self.inputs, self.file)[self.wanted].to_batches()


@dataclass(frozen=True)
class JsonRows:
    """Lines of JSON. The order of a table of records is their places."""

    layout: InputLayout
    file: str

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                with written_lines(batch, self.file) as found:
                    rows = self._rows(found)
                yield from rows.to_batches()

    def _rows(self, found: WrittenLines) -> pa.Table:
        rows = exact_objects(found.lines, found.place)
        columns = columns_of_rows(rows, self.layout.names, found.place)
        if self.layout.order == RECORD_ORDER and found.orders is not None:
            columns[RECORD_ORDER] = list(found.orders)
        return read_rows(self.layout, columns, len(rows), found.place)


@dataclass(frozen=True)
class _Table:
    """Rows of a DataFrame, its columns in the order of the layout's."""

    layout: InputLayout
    name: str

    def __call__(self, batches: Batches) -> Batches:
        place, names = Place(self.name, None), self.layout.names
        with marked(), reading(self.name):
            for batch in batches:
                columns = dict(zip(names, batch.columns, strict=True))
                yield from read_rows(self.layout, columns, batch.num_rows, place).to_batches()


@dataclass(frozen=True)
class _Pack:
    """The rows of one stream among those of all."""

    layout: RowLayout
    item: Input

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                rows = pa.Table.from_batches([batch]).cast(schema_of(self.item))
                yield from self.layout.pack(self.item, rows).to_batches()
