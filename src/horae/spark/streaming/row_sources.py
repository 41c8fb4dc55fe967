"""Rows of CQL streams from files that keep coming; relations are read once, at the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_schema

from horae.data import catalogue_facts as messages
from horae.data.bind_columns import TableName, read_table_name, with_order
from horae.data.fact_text import facts_of_text
from horae.data.formats.text import read_text
from horae.data.ground_facts import GroundFact
from horae.data.input_files import Registered, read_input_files, rows_of_text
from horae.data.intervals import ALWAYS
from horae.data.predicate_facts import ground_facts
from horae.data.rows_of_inputs import TIME, find_input, lay_out, read_facts
from horae.data.schema import Input
from horae.data.sifting import read_good_lines
from horae.languages.cql.live.row_layout import RowLayout
from horae.spark.cql.door import JsonRows, packed_rows, row_schema, tabled_rows
from horae.spark.cql.topics import picked_columns, stream_of, topic_rows
from horae.spark.failures import marked
from horae.spark.kafka import Topic
from horae.spark.piped import Batches, Piped
from horae.spark.streaming.fact_sources import lines_by_file, start_files, static_in_stream
from horae.spark.streaming.open_stream import OpenStream
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
class RowSources:
    """`rows` has the columns of all streams; `remembered` are facts of relations in `files`.

    `topics` have the columns that were given for them.
    """

    rows: StreamSources[Piped]
    relations: dict[str, pa.Table]
    remembered: list[GroundFact]
    files: list[Path]
    topics: dict[str, list[str]]


@dataclass(frozen=True)
class RowReader:
    opened: OpenStream
    inputs: Registered
    time: str = TIME
    order: str | None = None
    _streams: list[tuple[StreamSource | Topic, Piped]] = field(default_factory=list)
    _tables: list[str] = field(default_factory=list)
    _topics: dict[str, list[str]] = field(default_factory=dict)

    def read(self) -> RowSources:
        found = self.opened.named_files
        files = [file for *_, s in found if s.ending == ".facts" for file in s.files]
        known = start_files(self.opened.checkpoint, files)
        for text, name, source in found:
            self._add(text, name, source, known)
        for topic in self.opened.named_topics:
            self._add_topic(*topic)
        if not self._streams:
            raise no_stream()
        remembered = (
            self._static(files) if self.opened.checkpoint.is_new else self.opened.checkpoint.given()
        )
        rows = together(self._streams)
        return RowSources(rows, self._relations(remembered), remembered, files, self._topics)

    @property
    def _layout(self) -> RowLayout:
        return RowLayout(tuple(item for item in self.inputs.values() if item.is_stream))

    def _static(self, files: Sequence[Path]) -> list[GroundFact]:
        """The rows of relations; all else in the files is for the stream."""
        read = self._good_facts if self.opened.keeps_bad else self._all_facts
        return [fact for file in files for fact in read(file) if self._is_static(fact)]

    def _all_facts(self, file: Path) -> list[GroundFact]:
        return ground_facts(facts_of_text(read_text(file), str(file)).facts)

    def _good_facts(self, file: Path) -> list[GroundFact]:
        def read(text: str) -> list[GroundFact]:
            rows_of_text(text, self.inputs, str(file))  # refuses what the stream will refuse
            return ground_facts(facts_of_text(text, str(file)).facts)

        return read_good_lines(file, read)

    def _is_static(self, fact: GroundFact) -> bool:
        item = self.inputs.get(fact.predicate.lower())
        return item is not None and not item.is_stream and fact.interval == ALWAYS

    def _relations(self, facts: Sequence[GroundFact]) -> dict[str, pa.Table]:
        tables = read_input_files(self._tables, self.inputs, time=self.time)
        written = read_facts(facts, self.inputs)
        names = [item.name for item in self.inputs.values() if not item.is_stream]
        return {name: pa.concat_tables([tables[name], written[name]]) for name in names}

    def _stream(self, source: StreamSource, rows: Piped) -> None:
        self._streams.append((source, rows))

    def _add(
        self, text: str, name: str | None, source: StreamSource, known: frozenset[str]
    ) -> None:
        if source.ending == ".facts":
            worker = _Lines(dict(self.inputs), self._layout, known)
            schema = from_arrow_schema(self._layout.schema)
            self._stream(
                source, self.opened.gate(stream_lines(self.opened.spark, source), worker, schema)
            )
            return
        if name is None:
            raise messages.name_needed(source.path, "stream or relation")
        table = read_table_name(name)
        item = find_input(table.name, self.inputs, source.path)
        if item.is_stream:
            found = self._table(item, table, source)
            rows = packed_rows(found, self._layout, item, self.opened.gate)
            self._stream(source, rows)
        else:
            self._tables.append(text)

    def _add_topic(self, name: str | None, found: Topic) -> None:
        topic = picked_columns(name, found)
        item = stream_of(name, topic, self.inputs)
        rows = topic_rows(
            self.opened.spark, item, topic, time=self.time, order=self.order, gate=self.opened.gate
        )
        self._topics[f"{item.name}={topic.name}"] = list(topic.columns or ())
        self._streams.append((topic, packed_rows(rows, self._layout, item, self.opened.gate)))

    def _table(self, item: Input, table: TableName, source: StreamSource) -> Piped:
        names = columns_of(self.opened.spark, source)
        layout = lay_out(
            item,
            with_order(names, self.order) if source.is_lines else names,
            time=self.time,
            order=self.order,
            typed=source.ending != ".csv",
            place=source.path,
            picked=table.columns,
        )
        if not source.is_lines:
            return tabled_rows(
                stream_table(self.opened.spark, source), layout, source.path, self.opened.gate
            )
        lines = stream_lines(self.opened.spark, source)
        return self.opened.gate(lines, JsonRows(layout, source.path), row_schema(item))


def late_row(row: dict[str, Any], layout: RowLayout) -> dict[str, Any]:
    item = next(item for item in layout.streams if item.name == row["name"])
    values = [row[name] for name in layout.columns(item)]
    return {"time": row["time"], "stream": item.name, "row": values}


@dataclass(frozen=True)
class _Lines:
    """Rows of all streams; rows of relations in files of the start are known already."""

    inputs: dict[str, Input]
    layout: RowLayout
    known: frozenset[str]

    wants_file: ClassVar = True

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                for file, text in lines_by_file(batch):
                    rows = rows_of_text(text, self.inputs, file)
                    self._check(file, rows)
                    for item in self.layout.streams:
                        yield from self.layout.pack(item, rows[item.name]).to_batches()

    def _check(self, file: str, rows: dict[str, pa.Table]) -> None:
        for item in self.inputs.values():
            if not item.is_stream and rows[item.name].num_rows and file not in self.known:
                raise static_in_stream(item.name, file)
