"""The door for tables that a language reads by itself, with an `engine.run.Door` for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from horae.data.endings import ending_of, is_csv, is_json_lines
from horae.data.facts import named_path
from horae.data.file_places import File, Places
from horae.data.files import files_at
from horae.data.formats.json_columns import json_keys
from horae.data.topics import is_topic
from horae.engine.run import Door, Form, InputTable, Run, SoundDoor
from horae.spark.bad_rows import Gate, select_with_beside, strict
from horae.spark.failures import marked, unmarked
from horae.spark.file_system import FileSystem
from horae.spark.files import (
    read_csv,
    read_json_lines,
    read_typed,
    titles_of,
    with_places,
)
from horae.spark.given_sources import GivenTable
from horae.spark.json_keys import keys_of_lines
from horae.spark.kafka import Topic, kafka_frame, read_url
from horae.spark.piped import Batches, Frames, Piped
from horae.spark.records import record_lines
from horae.spark.streaming.open_stream import LiveInput, OpenStream
from horae.spark.streaming.sources import (
    StreamSource,
    columns_of,
    no_stream,
    stream_lines,
    stream_table,
)
from horae.spark.streaming.stream import StreamSources


@dataclass(frozen=True)
class TableDoor:
    run: Run

    def frames(self, frames: Frames, gate: Gate = strict) -> list[Piped]:
        return [table.records(self.run, gate) for table in self._open_frames(frames)]

    def files(
        self, spark: SparkSession, inputs: Sequence[str], given: Sequence[GivenTable] = ()
    ) -> list[Piped]:
        """Of files, of the records that topics have now, and of other tables."""
        tables = [table for text in inputs for table in self._find(FileSystem(spark), text)]
        alone = not given and len(tables) == 1 and len(tables[0].files) == 1
        opened = [self._open(spark, table, alone=alone) for table in tables]
        opened += [self._open_table(*table) for table in given]
        return [table.records(self.run, strict) for table in opened]

    def live_frames(self, frames: Frames, gate: Gate) -> LiveInput:
        """Frames that are not streams are there before the streams start."""
        tables = self._open_frames(frames)
        static = [t for t in tables if t.door.is_static or not t.frame.isStreaming]
        streams = [(table, False) for table in tables if table not in static]
        return self._live_input(streams, static, gate)

    def stream(self, opened: OpenStream) -> LiveInput:
        """Of directories that files come into, of files that are all there, and of topics."""
        streams: list[tuple[_Open, bool]] = []
        static: list[_Open] = []
        topics: dict[str, list[str]] = {}
        for name, path in (self._named_path(text, opened.system) for text in opened.inputs):
            if is_topic(path):
                topic = read_url(path)
                topics[topic.name] = list(topic.columns or ())
                streams.append((self._open_topic(opened.spark, name, topic, live=True), False))
                continue
            source = opened.source(path)
            table = self._open_source(opened.spark, name, source)
            if table.door.is_static:
                found = self._alike(name, path, source.files)
                static += [self._open(opened.spark, alike) for alike in found]
            else:
                streams.append((table, source.is_over))
        for given in opened.sources:
            live = self._open_table(*given.open(live=True))
            if live.door.is_static:
                static.append(self._open_table(*given.open()))
            else:
                streams.append((live, False))
        return replace(self._live_input(streams, static, opened.gate), topics=topics)

    def _live_input(
        self, streams: Sequence[tuple[_Open, bool]], static: Sequence[_Open], gate: Gate
    ) -> LiveInput:
        """Streams, and whether all their rows are there at the start."""
        if not streams:
            raise no_stream()
        records = [(table.records(self.run, gate), is_over) for table, is_over in streams]
        sources = StreamSources(
            [piped for piped, is_over in records if not is_over],
            [piped for piped, is_over in records if is_over],
        )
        return LiveInput(sources, self._collected(static))

    def _collected(self, tables: Sequence[_Open]) -> pa.Table:
        schema = self.run.records
        with unmarked():
            found = [table.records(self.run, strict).rows.toArrow() for table in tables]
        return pa.concat_tables([schema.empty_table(), *(table.cast(schema) for table in found)])

    # --- tables of all kinds

    def _named_path(self, text: str, places: Places[File]) -> tuple[str | None, str]:
        return named_path(text, places) if self.run.has_names else (None, text)

    def _open_frames(self, frames: Frames) -> list[_Open]:
        return [self._open_table(name or None, name, frame) for name, frame in frames.items()]

    def _open_table(self, name: str | None, place: str, frame: DataFrame) -> _Open:
        return _Open(frame, self.run.door(InputTable(name, place, tuple(frame.columns))))

    def _find(self, system: FileSystem, text: str) -> Iterator[_Found]:
        name, path = self._named_path(text, system)
        if is_topic(path):
            yield _Found(name, path, topic=read_url(path))
        else:
            yield from self._alike(name, path, files_at(system, path))

    def _alike(self, name: str | None, path: str, files: Sequence[File]) -> Iterator[_Found]:
        """Files with the same columns are one table; of CSV these may differ from file to file."""
        groups: dict[tuple[str, ...], list[File]] = {}
        for file in files:
            titles = titles_of(file, self.run.dialect) if is_csv(file) else ()
            groups.setdefault((ending_of(file), *titles), []).append(file)
        for alike in groups.values():
            place = path if len(groups) == 1 and len(files) > 1 else str(alike[0])
            yield _Found(name, place, tuple(alike))

    def _open(self, spark: SparkSession, found: _Found, *, alone: bool = False) -> _Open:
        """`alone`: there is no other file."""
        if found.topic is not None:
            return self._open_topic(spark, found.name, found.topic, live=False)
        frame, columns, form = self._read(spark, found.files)
        has_places = alone and self.run.wants_places
        all_keys = partial(keys_of_lines, frame) if form is Form.LINES else None
        table = InputTable(
            found.name, found.place, columns, form, found.files, has_places, all_keys=all_keys
        )
        return _Open(with_places(frame) if has_places else frame, self.run.door(table))

    def _read(
        self, spark: SparkSession, files: tuple[File, ...]
    ) -> tuple[DataFrame, tuple[str, ...], Form]:
        """Files that are alike: their rows, the names of columns, and how rows come."""
        if is_json_lines(files[0]):
            return read_json_lines(spark, *files), tuple(json_keys(files[0])), Form.LINES
        if is_csv(files[0]):
            frame = read_csv(spark, files, self.run.dialect)
            return frame, tuple(frame.columns), Form.TEXT
        frame = read_typed(spark, files)
        return frame, tuple(frame.columns), Form.TYPED

    def _open_topic(
        self, spark: SparkSession, name: str | None, topic: Topic, *, live: bool
    ) -> _Open:
        table = InputTable(name, topic.path, topic.columns or (), Form.LINES)
        door = self.run.door(table)
        return _Open(record_lines(kafka_frame(spark, topic, live=live)), door)

    def _open_source(self, spark: SparkSession, name: str | None, source: StreamSource) -> _Open:
        columns = tuple(columns_of(spark, source, self.run.dialect))
        form = Form.TEXT if source.ending == ".csv" else Form.TYPED
        table = InputTable(
            name,
            source.path,
            columns,
            Form.LINES if source.is_lines else form,
            source.files,
            keeps_bad=source.keeps_bad,
        )
        if source.is_lines:
            return _Open(stream_lines(spark, source), self.run.door(table))
        return _Open(stream_table(spark, source, self.run.dialect), self.run.door(table))


@dataclass(frozen=True)
class _Found:
    """A topic, or files that are alike; `place` is for messages."""

    name: str | None
    place: str
    files: tuple[File, ...] = ()
    topic: Topic | None = None


@dataclass(frozen=True)
class _Open:
    """A table as Spark has it, and the language's door to it."""

    frame: DataFrame
    door: Door

    def records(self, run: Run, gate: Gate) -> Piped:
        columns = self.door.columns
        chosen = select_with_beside(self.frame, columns) if columns else self.frame
        found = gate(chosen, ReadTable(self.door, run.records), from_arrow_schema(run.records))
        return replace(found, door=self.door) if isinstance(self.door, SoundDoor) else found


@dataclass(frozen=True)
class ReadTable:
    """In the workers. Columns come under the names that the door has for them."""

    door: Door
    records: pa.Schema

    def __call__(self, batches: Batches) -> Batches:
        names = self.door.columns
        with marked():
            for batch in batches:
                own = batch.rename_columns([*names, *batch.schema.names[len(names) :]])
                yield from self.door.read(own).cast(self.records).to_batches()
