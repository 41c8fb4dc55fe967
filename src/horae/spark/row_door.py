"""The door for rows of streams and relations: `.facts` files, and a table per name.

Rows of all of them come out in one table, whose layout is that of `data.row_layout`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from horae.data import catalogue_facts as messages
from horae.data.bind_columns import read_table_name
from horae.data.endings import is_csv, is_json_lines
from horae.data.fact_text import facts_of_text
from horae.data.facts import named_path
from horae.data.file_places import File, looking_in
from horae.data.files import reading
from horae.data.formats.json_columns import json_keys
from horae.data.formats.text import read_text
from horae.data.ground_facts import GroundFact
from horae.data.input_files import InputTables, RowTables, input_files
from horae.data.intervals import ALWAYS
from horae.data.json_rows import read_json_rows
from horae.data.layout import Place
from horae.data.predicate_facts import ground_facts
from horae.data.row_layout import RowLayout
from horae.data.rows_of_inputs import (
    InputLayout,
    find_input,
    lay_out_input,
    read_facts,
    read_input_rows,
)
from horae.data.schema import RegisteredInput
from horae.data.sifting import read_good_lines
from horae.data.sound_columns import SoundTable, sound_rows
from horae.data.topics import is_topic
from horae.data.written_lines import WrittenLines, written_lines
from horae.source.errors import InputError
from horae.spark import catalogue
from horae.spark.bad_rows import Gate, select_with_beside, strict
from horae.spark.failures import marked, unmarked
from horae.spark.file_system import FileSystem
from horae.spark.files import read_csv, read_json_lines, read_typed, text_lines
from horae.spark.given_sources import GivenSource, GivenTable
from horae.spark.kafka import Topic, kafka_frame, read_url
from horae.spark.piped import Batches, Frames, Piped
from horae.spark.records import RECORD_ORDER, record_lines
from horae.spark.streaming.fact_sources import lines_by_file, start_files, static_in_stream
from horae.spark.streaming.open_stream import LiveInput, OpenStream
from horae.spark.streaming.sources import (
    StreamSource,
    columns_of,
    no_stream,
    stream_lines,
    stream_table,
    together,
)
from horae.spark.streaming.stream import StreamSources


@dataclass(frozen=True)
class RowDoor:
    reads: RowTables

    # --- DataFrames

    def frames(self, frames: Frames, gate: Gate = strict) -> list[Piped]:
        if not frames:
            raise ValueError("answers needs a DataFrame for at least one stream or relation")
        return [self._frame(name, name, frame, gate) for name, frame in frames.items()]

    def _frame(self, name: str | None, place: str, frame: DataFrame, gate: Gate) -> Piped:
        if name is None:
            raise messages.name_needed(place, "stream or relation")
        layout = self.reads.open(name, frame.columns, place)
        return self.tabled(frame, layout, place, gate)

    def table(self, given: GivenTable, gate: Gate) -> Piped:
        return self._frame(*given, gate)

    def live_frames(self, frames: Frames, gate: Gate) -> LiveInput:
        """Relations are there before the streams start."""
        streams: dict[str, DataFrame] = {}
        relations: dict[str, DataFrame] = {}
        for name, frame in frames.items():
            item = find_input(read_table_name(name).name, self.reads.inputs, name)
            (streams if item.is_stream else relations)[name] = frame
            if item.is_stream and not frame.isStreaming:
                raise _not_live(item)
        rows = self.frames(streams, gate)
        return LiveInput(StreamSources(rows), self._collected(relations))

    def _collected(self, frames: Frames) -> pa.Table:
        schema = self.reads.layout.schema
        with unmarked():
            found = [self._frame(n, n, f, strict).rows.toArrow() for n, f in frames.items()]
        return pa.concat_tables([schema.empty_table(), *(table.cast(schema) for table in found)])

    # --- files and topics

    def files(
        self, spark: SparkSession, inputs: Sequence[str], given: Sequence[GivenTable] = ()
    ) -> list[Piped]:
        """Of files, of the records that topics have now, and of other tables."""
        system = FileSystem(spark)
        named = [(text, *named_path(text, system)) for text in inputs]
        paths = [text for text, _, path in named if not is_topic(path)]
        rows = [self._file(spark, name, file) for name, file in input_files(system, paths)]
        for _, name, path in named:
            if is_topic(path):
                rows.append(self.topic(spark, name, read_url(path), live=False)[1])
        rows += [self.table(table, strict) for table in given]
        return rows or [self._nothing(spark)]

    def _nothing(self, spark: SparkSession) -> Piped:
        schema = from_arrow_schema(self.reads.layout.schema)
        return Piped(spark.createDataFrame([], schema), (), schema)

    def _file(self, spark: SparkSession, name: str | None, file: File) -> Piped:
        if name is None:
            schema = from_arrow_schema(self.reads.layout.schema)
            return strict(text_lines(spark, file), _FactLines(self.reads, str(file)), schema)
        if is_json_lines(file):
            layout = self.reads.open(name, json_keys(file), str(file), is_json=True)
            return self.json_rows(layout, read_json_lines(spark, file), str(file), strict)
        frame = read_csv(spark, [file]) if is_csv(file) else read_typed(spark, [file])
        layout = self.reads.open(name, frame.columns, str(file), typed=not is_csv(file))
        return self.tabled(frame, layout, str(file), strict)

    def topic(
        self,
        spark: SparkSession,
        name: str | None,
        found: Topic,
        *,
        live: bool,
        gate: Gate = strict,
    ) -> tuple[Topic, Piped]:
        """The topic with its columns, and the rows: of equal times in the order of a key or the records.

        `NAME(key, …)=kafka://…` says as `columns=key,…` which keys are read.
        """
        picked = None if name is None else read_table_name(name).columns
        topic = found if picked is None else replace(found, columns=picked)
        item = stream_of(name, topic, self.reads)
        ranked = self.reads.order or RECORD_ORDER
        columns = topic.columns or tuple(column.name for column in item.columns)
        names = list(dict.fromkeys([*columns, self.reads.time, ranked]))
        layout = lay_out_input(
            item, names, time=self.reads.time, order=ranked, place=topic.path, picked=topic.columns
        )
        lines = record_lines(kafka_frame(spark, topic, live=live))
        return topic, self.json_rows(layout, lines, topic.path, gate)

    def stream(self, opened: OpenStream) -> LiveInput:
        """Rows of relations in the files of the start are there before the stream starts."""
        return _StreamReader(opened, self).read()

    # --- steps of all kinds of tables

    def json_rows(self, layout: InputLayout, lines: DataFrame, place: str, gate: Gate) -> Piped:
        rows = self.reads.layout
        return gate(lines, JsonRows(layout, rows, place), from_arrow_schema(rows.schema))

    def tabled(self, frame: DataFrame, layout: InputLayout, place: str, gate: Gate) -> Piped:
        rows = self.reads.layout
        door = TableRows(layout, rows, place)
        chosen = select_with_beside(frame, layout.names)
        found = gate(chosen, door, from_arrow_schema(rows.schema))
        return replace(found, door=door) if layout.typed else found


def stream_of(name: str | None, topic: Topic, reads: RowTables) -> RegisteredInput:
    if name is None:
        raise messages.name_needed(topic.path, "stream")
    item = find_input(read_table_name(name).name, reads.inputs, topic.path)
    if not item.is_stream:
        raise catalogue.RELATION_FROM_TOPIC(name=item.name, place=topic.path)
    return item


def _not_live(item: RegisteredInput) -> InputError:
    return catalogue.STREAM_IS_NOT_LIVE(name=item.name)


# --- streams of files


@dataclass(frozen=True)
class _StreamReader:
    opened: OpenStream
    door: RowDoor
    _streams: list[tuple[StreamSource | Topic | GivenSource, Piped]] = field(default_factory=list)
    _tables: list[str] = field(default_factory=list)
    _sources: list[pa.Table] = field(default_factory=list)
    _topics: dict[str, list[str]] = field(default_factory=dict)

    def read(self) -> LiveInput:
        """What a checkpoint remembers are facts of relations in the files of the start."""
        found = self.opened.named_files
        files = [file for *_, s in found if s.ending == ".facts" for file in s.files]
        known = start_files(self.opened.checkpoint, files)
        for text, name, source in found:
            self._add(text, name, source, known)
        for name, topic in self.opened.named_topics:
            self._add_topic(name, topic)
        for given in self.opened.sources:
            self._add_source(given)
        if not self._streams:
            raise no_stream()
        remembered = (
            self._static(files) if self.opened.checkpoint.is_new else self.opened.checkpoint.given()
        )
        relations = self._relations(remembered)
        return LiveInput(together(self._streams), relations, files, remembered, self._topics)

    @property
    def _reads(self) -> RowTables:
        return self.door.reads

    def _static(self, files: Sequence[File]) -> list[GroundFact]:
        """The rows of relations; all else in the files is for the stream."""
        read = self._good_facts if self.opened.keeps_bad else self._all_facts
        return [fact for file in files for fact in read(file) if self._is_static(fact)]

    def _all_facts(self, file: File) -> list[GroundFact]:
        return ground_facts(facts_of_text(read_text(file), str(file)).facts)

    def _good_facts(self, file: File) -> list[GroundFact]:
        def read(text: str) -> list[GroundFact]:
            self._reads.read_text(text, str(file))  # refuses what the stream will refuse
            return ground_facts(facts_of_text(text, str(file)).facts)

        return read_good_lines(file, read)

    def _is_static(self, fact: GroundFact) -> bool:
        item = self._reads.inputs.get(fact.predicate.lower())
        return item is not None and not item.is_stream and fact.interval == ALWAYS

    def _relations(self, facts: Sequence[GroundFact]) -> pa.Table:
        with looking_in(self.opened.system):
            tables = self._reads.read_files(self._tables)
        written = read_facts(facts, self._reads.inputs)
        layout = self._reads.layout
        return pa.concat_tables(
            [
                layout.schema.empty_table(),
                *(table.cast(layout.schema) for table in self._sources),
                *(
                    layout.pack(item, given[item.name])
                    for item in layout.relations
                    for given in (tables, written)
                ),
            ]
        )

    def _add(
        self, text: str, name: str | None, source: StreamSource, known: frozenset[str]
    ) -> None:
        if source.ending == ".facts":
            schema = from_arrow_schema(self._reads.layout.schema)
            lines = stream_lines(self.opened.spark, source)
            rows = self.opened.gate(lines, _LiveFactLines(self._reads, known), schema)
        elif name is None:
            raise messages.name_needed(source.path, "stream or relation")
        elif self._is_stream(name, source.path):
            rows = self._table(name, source)
        else:
            self._tables.append(text)
            return
        self._streams.append((source, rows))

    def _add_source(self, source: GivenSource) -> None:
        name, place = source.name, source.place
        if name is None:
            raise messages.name_needed(place, "stream or relation")
        if self._is_stream(name, place):
            rows = self.door.table(source.open(live=True), self.opened.gate)
            self._streams.append((source, rows))
        else:
            with unmarked():
                self._sources.append(self.door.table(source.open(), strict).rows.toArrow())

    def _is_stream(self, name: str, place: str) -> bool:
        return find_input(read_table_name(name).name, self._reads.inputs, place).is_stream

    def _add_topic(self, name: str | None, found: Topic) -> None:
        spark, gate = self.opened.spark, self.opened.gate
        topic, rows = self.door.topic(spark, name, found, live=True, gate=gate)
        item = stream_of(name, topic, self._reads)
        self._topics[f"{item.name}={topic.name}"] = list(topic.columns or ())
        self._streams.append((topic, rows))

    def _table(self, name: str, source: StreamSource) -> Piped:
        spark, gate = self.opened.spark, self.opened.gate
        layout = self._reads.open(
            name,
            columns_of(spark, source),
            source.path,
            typed=source.ending != ".csv",
            is_json=source.is_lines,
        )
        if source.is_lines:
            return self.door.json_rows(layout, stream_lines(spark, source), source.path, gate)
        return self.door.tabled(stream_table(spark, source), layout, source.path, gate)


# --- in the workers


@dataclass(frozen=True)
class _FactLines:
    """Lines of a `.facts` file. A line's number is not known here."""

    reads: RowTables
    file: str

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                text = "\n".join(map(str, batch.column(0).to_pylist()))
                rows = self.reads.read_text(text, self.file)
                yield from self.reads.layout.pack_all(rows).to_batches()


@dataclass(frozen=True)
class JsonRows:
    """Lines of JSON as rows of all inputs. The order of a table of records is their places."""

    layout: InputLayout
    rows: RowLayout
    file: str

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                with written_lines(batch, self.file) as found:
                    rows = self._rows(found)
                yield from self.rows.pack(self.layout.item, rows).to_batches()

    def _rows(self, found: WrittenLines) -> pa.Table:
        placed = {} if found.orders is None else {RECORD_ORDER: found.orders}
        return read_json_rows(self.layout, found, placed)


@dataclass(frozen=True)
class TableRows:
    """Rows of a DataFrame, its columns in the order of the layout's, as rows of all inputs."""

    layout: InputLayout
    rows: RowLayout
    name: str

    @property
    def columns(self) -> tuple[str, ...]:
        return self.layout.names

    @property
    def is_static(self) -> bool:
        return not self.layout.item.is_stream

    def sound(self, found: pa.Schema) -> SoundTable | None:
        return sound_rows(found, self.layout)

    def read(self, batch: pa.RecordBatch) -> pa.Table:
        columns = dict(zip(self.layout.names, batch.columns, strict=True))
        own = read_input_rows(self.layout, columns, batch.num_rows, Place(self.name, None))
        return self.rows.pack(self.layout.item, own)

    def __call__(self, batches: Batches) -> Batches:
        with marked(), reading(self.name):
            for batch in batches:
                yield from self.read(batch).to_batches()


@dataclass(frozen=True)
class _LiveFactLines:
    """Rows of all streams; rows of relations in files of the start are known already."""

    reads: RowTables
    known: frozenset[str]

    wants_file: ClassVar = True

    def __call__(self, batches: Batches) -> Batches:
        layout = self.reads.layout
        with marked():
            for batch in batches:
                for file, text in lines_by_file(batch):
                    rows = self.reads.read_text(text, file)
                    self._check(file, rows)
                    for item in layout.streams:
                        yield from layout.pack(item, rows[item.name]).to_batches()

    def _check(self, file: str, rows: InputTables) -> None:
        for item in self.reads.layout.relations:
            if rows[item.name].num_rows and file not in self.known:
                raise static_in_stream(item.name, file)
