"""The door to Spark: DataFrames, files and topics become rows of a kernel program.

What the rows of a table mean, its language says with an `engine.run.Door`, which runs in the workers. So
a row is read, and refused, with the same code and the same words in process and on Spark.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from horae.data.endings import is_csv, is_json_lines
from horae.data.facts import named_path
from horae.data.files import find_files
from horae.data.topics import is_topic
from horae.engine.contract import Routed, Wants
from horae.engine.run import Door, Form, InputTable, Run
from horae.spark.bad_rows import Gate, refuse_told, select_with_beside, strict, telling
from horae.spark.batch import look_up, run_batch
from horae.spark.failures import marked, unmarked
from horae.spark.files import json_keys, read_csv, read_json_lines, read_typed
from horae.spark.piped import Batches, Piped, Worker
from horae.spark.records import record_lines
from horae.spark.streaming.kafka import Topic, kafka_frame, read_url
from horae.spark.streaming.open_stream import OpenStream
from horae.spark.streaming.parcels import BAD
from horae.spark.streaming.sources import (
    Source,
    columns_of,
    no_stream,
    stream_lines,
    stream_table,
)
from horae.spark.streaming.stream import Live, Settings, Sources, run_live

Named = Iterator[tuple[str | None, DataFrame]]


@dataclass(frozen=True)
class OpenTable:
    """A table of the input as Spark has it, and the door that reads it."""

    frame: DataFrame
    door: Door

    def through(self, worker: Worker, schema: pa.Schema, gate: Gate) -> Piped:
        columns = self.door.columns
        chosen = select_with_beside(self.frame, columns) if columns else self.frame
        return gate(chosen, worker, from_arrow_schema(schema))

    def rows(self, run: Run, program: Routed, gate: Gate) -> Piped:
        return self.through(_ReadRows(self.door, run, program), program.rows, gate)


# --- all that is there


@dataclass(frozen=True)
class BatchAnswers:
    """What the kernels of a program answer; `frame` is lazy."""

    program: Routed
    frame: DataFrame


def answer_tables(
    run: Run, tables: Sequence[OpenTable], shards: int, *, is_told: bool
) -> BatchAnswers:
    """The input is scanned at once for what all shards must know; the rest is lazy.

    `is_told`: that scan also looks for rows that cannot be read.
    """
    gate = telling if is_told else strict
    program = run.program(_survey(run, tables, gate), shards)
    seen = tables if is_told or program.wants is not Wants.NOTHING else []
    points = look_up(program.wants, [table.rows(run, program, gate) for table in seen])
    rows = [table.rows(run, program, strict) for table in tables]
    return BatchAnswers(program, run_batch(program, rows, points))


def shaped(run: Run, answers: BatchAnswers) -> DataFrame:
    """With the columns of DataFrames of answers."""
    shape = _Shape(run, answers.program)
    schema = shape(answers.program.answers.empty_table()).schema
    if schema.equals(answers.program.answers):
        return answers.frame
    return answers.frame.mapInArrow(shape.batches, from_arrow_schema(schema))


def _survey(run: Run, tables: Sequence[OpenTable], gate: Gate) -> pa.Table:
    schema = run.survey(run.records.empty_table()).schema
    if not len(schema) or not tables:
        return schema.empty_table()
    parts = [table.through(_Survey(table.door, run), schema, gate) for table in tables]
    with unmarked():
        found = [part.rows.toArrow() for part in parts]
    if gate is telling:
        notes = (str(n) for table in found for n in table.column(BAD).drop_null().to_pylist())
        refuse_told(min(notes, default=None))
    return pa.concat_tables([table.select(schema.names).cast(schema) for table in found])


def tables_of_frames(run: Run, frames: DataFrame | Mapping[str, DataFrame]) -> list[OpenTable]:
    return [_open_frame(run, name, frame) for name, frame in _named(frames)]


def _named(frames: DataFrame | Mapping[str, DataFrame]) -> Named:
    if isinstance(frames, Mapping):
        yield from frames.items()
    else:
        yield None, frames


def _open_frame(run: Run, name: str | None, frame: DataFrame) -> OpenTable:
    return OpenTable(frame, run.door(InputTable(name, name or "", tuple(frame.columns))))


def tables_of_files(spark: SparkSession, run: Run, inputs: Sequence[str]) -> list[OpenTable]:
    """Of files, and of the records that topics have now."""
    return [table for text in inputs for table in _tables_of(spark, run, text)]


def _tables_of(spark: SparkSession, run: Run, text: str) -> Iterator[OpenTable]:
    name, path = named_path(text) if run.has_names else (None, text)
    if is_topic(path):
        topic = read_url(path)
        yield OpenTable(_records(spark, topic, live=False), run.door(_topic_table(name, topic)))
        return
    for file in find_files(path):
        yield _open_file(spark, run, name, file)


def _open_file(spark: SparkSession, run: Run, name: str | None, file: Path) -> OpenTable:
    table = InputTable(name, str(file), ())
    if is_json_lines(file):
        found = replace(table, columns=tuple(json_keys(file)), form=Form.LINES)
        return OpenTable(read_json_lines(spark, file), run.door(found))
    frame = read_csv(spark, file) if is_csv(file) else read_typed(spark, [file])
    form = Form.TEXT if is_csv(file) else table.form
    return OpenTable(frame, run.door(replace(table, columns=tuple(frame.columns), form=form)))


def _topic_table(name: str | None, topic: Topic) -> InputTable:
    return InputTable(name, topic.path, topic.columns or (), Form.LINES)


def _records(spark: SparkSession, topic: Topic, *, live: bool) -> DataFrame:
    return record_lines(kafka_frame(spark, topic, live=live))


# --- streams


def live_frames(
    run: Run, frames: DataFrame | Mapping[str, DataFrame], settings: Settings, gate: Gate
) -> Live:
    """Frames that are not streams are read before the streams start."""
    tables = tables_of_frames(run, frames)
    static = [t for t in tables if t.door.is_static or not t.frame.isStreaming]
    streams = [table for table in tables if table not in static]
    if not streams:
        raise no_stream()
    return _live(run, [(table, False) for table in streams], static, settings, gate)


def live_files(run: Run, opened: OpenStream) -> Live:
    """Directories that files come into, files that are all there, and topics."""
    streams: list[tuple[OpenTable, bool]] = []
    static: list[OpenTable] = []
    for text in opened.inputs:
        name, path = named_path(text) if run.has_names else (None, text)
        if is_topic(path):
            topic = read_url(path)
            records = _records(opened.spark, topic, live=True)
            table = OpenTable(records, run.door(_topic_table(name, topic)))
            streams.append((table, topic.is_over))
            continue
        source = opened.source(path)
        table = _open_source(opened.spark, run, name, source)
        if table.door.is_static:
            static += [_open_file(opened.spark, run, name, file) for file in source.files]
        else:
            streams.append((table, source.is_over))
    if not streams:
        raise no_stream()
    return _live(run, streams, static, opened.settings, opened.gate)


def topics_of(run: Run, inputs: Sequence[str]) -> dict[str, list[str]]:
    """What a checkpoint remembers of topics: their names, and the columns that were given."""
    paths = [named_path(text)[1] if run.has_names else text for text in inputs]
    topics = [read_url(path) for path in paths if is_topic(path)]
    return {topic.name: list(topic.columns or ()) for topic in topics}


def _open_source(spark: SparkSession, run: Run, name: str | None, source: Source) -> OpenTable:
    forms = {".csv": Form.TEXT, ".parquet": Form.TYPED}
    form = forms.get(source.ending, Form.LINES)
    columns = tuple(columns_of(spark, source))
    read = stream_lines if source.is_lines else stream_table
    return OpenTable(read(spark, source), run.door(InputTable(name, source.path, columns, form)))


def _live(
    run: Run,
    streams: Sequence[tuple[OpenTable, bool]],
    static: Sequence[OpenTable],
    settings: Settings,
    gate: Gate,
) -> Live:
    """Streams, and whether all their rows are there at the start."""
    program = run.program(_survey(run, static, strict), settings.shards)
    rows = [(table.rows(run, program, gate), is_over) for table, is_over in streams]
    sources = Sources([r for r, is_over in rows if not is_over], [r for r, over in rows if over])
    live = run_live(program, sources, settings, resolution=run.resolution)
    return replace(live, shape=partial(run.shape, program))


# --- in the workers


@dataclass(frozen=True)
class _Read:
    """Batches of a table as records; columns come under the names that the door has for them."""

    door: Door
    run: Run

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                yield from self._converted(self.door.read(self._named(batch))).to_batches()

    def _named(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        names = self.door.columns
        return batch.rename_columns([*names, *batch.schema.names[len(names) :]])

    def _converted(self, records: pa.Table) -> pa.Table:
        return records


@dataclass(frozen=True)
class _ReadRows(_Read):
    program: Routed

    def _converted(self, records: pa.Table) -> pa.Table:
        return self.run.rows(self.program, records).cast(self.program.rows)

    def show(self, row: dict[str, Any]) -> object:
        return row


@dataclass(frozen=True)
class _Survey(_Read):
    def _converted(self, records: pa.Table) -> pa.Table:
        return self.run.survey(records)


@dataclass(frozen=True)
class _Shape:
    run: Run
    program: Routed

    def __call__(self, answers: pa.Table) -> pa.Table:
        return self.run.shape(self.program, answers)

    def batches(self, batches: Batches) -> Batches:
        for batch in batches:
            yield from self(pa.Table.from_batches([batch])).to_batches()
