"""Facts from files that keep coming: `.facts` files, and tables as `NAME=PATH`.

Facts without a beginning in the `.facts` files of the start, and tables without a time column, are
there before the stream starts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import pyarrow as pa

from horae.data import catalogue_facts as messages
from horae.data.clock import SECONDS, Clock
from horae.data.fact_columns import rows_of_facts
from horae.data.fact_tables import INTERVAL_COLUMNS, FactTable, lay_out
from horae.data.facts import read_fact_text
from horae.data.files import reading
from horae.data.formats.text import read_text
from horae.data.ground_facts import GroundFact
from horae.data.predicate_facts import PredicateFacts, ground_facts
from horae.data.sifting import read_good_lines
from horae.source.errors import InputError
from horae.spark.bad_rows import file_path
from horae.spark.fact_frames import FACTS, JsonFacts, in_one_frame, tabled_facts, tables_of_files
from horae.spark.fact_topics import predicate_of, topic_columns, topic_facts
from horae.spark.failures import marked
from horae.spark.file_system import StoredFile
from horae.spark.given_sources import GivenSource
from horae.spark.kafka import Topic
from horae.spark.piped import Batches, Piped
from horae.spark.streaming.checkpoint import Checkpoint, file_name
from horae.spark.streaming.facts import collected
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
class FactSources:
    """`remembered` are those of `given` that stood in `files`; `topics` have columns."""

    facts: StreamSources[Piped]
    given: list[GroundFact]
    remembered: list[GroundFact]
    files: list[StoredFile]
    topics: dict[str, list[str]]


@dataclass(frozen=True)
class FactSourceReader:
    opened: OpenStream
    arities: Mapping[str, int]
    time: str = "time"
    order: str | None = None
    others: bool = False
    clock: Clock = SECONDS
    _streams: list[tuple[StreamSource | Topic | GivenSource, Piped]] = field(default_factory=list)
    _given: list[GroundFact] = field(default_factory=list)
    _remembered: list[GroundFact] = field(default_factory=list)
    _files: list[StoredFile] = field(default_factory=list)
    _topics: dict[str, list[str]] = field(default_factory=dict)

    def read(self) -> FactSources:
        files = self.opened.named_files
        self._read_start([file.source for file in files if file.source.ending == ".facts"])
        for file in files:
            self._add(*file)
        for topic in self.opened.named_topics:
            self._add_topic(*topic)
        for source in self.opened.sources:
            self._add_source(source)
        if not self._streams:
            raise no_stream()
        given = [*self._remembered, *self._given]
        facts = together(self._streams)
        return FactSources(facts, given, self._remembered, self._files, self._topics)

    def _read_start(self, sources: Sequence[StreamSource]) -> None:
        self._files.extend(file for source in sources for file in source.files)
        if not self.opened.checkpoint.is_new:
            self._remembered.extend(self.opened.checkpoint.given())
            return
        facts = self._good_facts() if self.opened.keeps_bad else self._all_facts()
        self._remembered.extend(fact for fact in facts if fact.interval.low is None)

    def _all_facts(self) -> list[GroundFact]:
        return [fact for file in self._files for fact in self._facts_of(file)]

    def _facts_of(self, file: StoredFile) -> list[GroundFact]:
        with reading(file):
            text = read_text(file)
            return ground_facts(
                read_fact_text(text, self.arities, str(file), others=self.others, clock=self.clock)
            )

    def _good_facts(self) -> list[GroundFact]:
        def read(text: str) -> list[GroundFact]:
            return ground_facts(
                read_fact_text(text, self.arities, others=self.others, clock=self.clock)
            )

        return [fact for file in self._files for fact in read_good_lines(file, read)]

    def _stream(self, source: StreamSource, rows: Piped) -> None:
        self._streams.append((source, rows))

    def _add(self, text: str, name: str | None, source: StreamSource) -> None:
        if source.ending == ".facts":
            known = start_files(self.opened.checkpoint, self._files)
            worker = _Lines(dict(self.arities), self.others, known, self.clock)
            self._stream(
                source, self.opened.gate(stream_lines(self.opened.spark, source), worker, FACTS)
            )
            return
        if name is None:
            raise messages.name_needed(source.path, "predicate")
        table = self._lay_out(name, source)
        if table.time is None and not table.interval:
            facts = in_one_frame(
                tables_of_files(self.opened.spark, [text], self.arities, time=self.time)
            )
            self._given.extend(collected(facts))
        else:
            self._stream(source, self._table(table, source))

    def _add_source(self, source: GivenSource) -> None:
        if source.name is None:
            raise messages.name_needed(source.place, "predicate")
        opened = source.open(live=True)
        names = opened.frame.columns
        table = self._lay_out_names(source.name, names, source.place, typed=True)
        if table.time is None and not table.interval:
            facts = tabled_facts(source.open().frame, table, source.place)
            self._given.extend(collected(facts.rows))
        else:
            rows = tabled_facts(opened.frame, table, source.place, self.opened.gate)
            self._streams.append((source, rows))

    def _add_topic(self, name: str | None, topic: Topic) -> None:
        """The first record may be another one after a restart: the columns are those of the start."""
        predicate = predicate_of(name, topic)
        key = f"{predicate}={topic.name}"
        known = None if topic.columns else self.opened.checkpoint.topics().get(key)
        names = known or topic_columns(
            self.opened.spark, topic, self.time, keeps_bad=self.opened.keeps_bad
        )
        facts = topic_facts(
            self.opened.spark,
            predicate,
            topic,
            self.arities,
            names=names,
            time=self.time,
            order=self.order,
            clock=self.clock,
            gate=self.opened.gate,
        )
        self._topics[key] = names
        self._streams.append((topic, facts))

    def _lay_out(self, name: str, source: StreamSource) -> FactTable:
        names = columns_of(self.opened.spark, source)
        return self._lay_out_names(name, names, source.path, typed=source.ending != ".csv")

    def _lay_out_names(
        self, name: str, names: Sequence[str], place: str, *, typed: bool
    ) -> FactTable:
        return lay_out(
            name,
            names,
            self.arities,
            time=self.time,
            order=self.order,
            typed=typed,
            place=place,
            clock=self.clock,
        )

    def _table(self, table: FactTable, source: StreamSource) -> Piped:
        if not source.is_lines:
            return tabled_facts(
                stream_table(self.opened.spark, source), table, source.path, self.opened.gate
            )
        ends = INTERVAL_COLUMNS if table.interval else ()
        every = replace(table, interval=ends, order=self.order)
        return self.opened.gate(
            stream_lines(self.opened.spark, source), JsonFacts(every, source.path), FACTS
        )


def start_files(checkpoint: Checkpoint, files: Sequence[StoredFile]) -> frozenset[str]:
    found = [file_name(file) for file in files] if checkpoint.is_new else checkpoint.files()
    return frozenset(found)


# --- in the workers


def lines_by_file(batch: pa.RecordBatch) -> Iterator[tuple[str, str]]:
    """Each file of the batch, and its lines as one text."""
    lines: dict[str, list[str]] = {}
    texts, files = batch.column(0).to_pylist(), batch.column(1).to_pylist()
    for text, file in zip(texts, files, strict=True):
        lines.setdefault(str(file), []).append(str(text))
    for file, found in lines.items():
        yield file_path(file), "\n".join(found)


def static_in_stream(predicate: str, file: str) -> InputError:
    return messages.TIMELESS_IN_STREAM(
        predicate=predicate,
        remedy="give it a time, or put it into a file that is there before the stream starts",
        place=file,
    )


@dataclass(frozen=True)
class _Lines:
    """Facts without a beginning in files of the start are known already."""

    arities: dict[str, int]
    others: bool
    known: frozenset[str]
    clock: Clock

    wants_file: ClassVar = True

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                for file, text in lines_by_file(batch):
                    yield rows_of_facts(self._facts(file, text))

    def _facts(self, file: str, text: str) -> list[PredicateFacts]:
        facts = read_fact_text(text, self.arities, file, others=self.others, clock=self.clock)
        static = [part for part in facts if part.low.is_infinite is not None]
        if static and file not in self.known:
            raise static_in_stream(_first_static(static), file)
        return [part.with_beginning() for part in facts]


def _first_static(facts: Sequence[PredicateFacts]) -> str:
    """The predicate of the first fact without a beginning."""
    first = {int(part.numbers[part.low.is_infinite].min()): part.predicate for part in facts}
    return first[min(first)]
