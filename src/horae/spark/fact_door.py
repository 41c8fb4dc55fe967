"""The door for facts: `.facts` files, and a table per predicate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from horae.data import catalogue_facts as messages
from horae.data.fact_columns import SCHEMA, to_columns
from horae.engine.run import FactTables
from horae.spark.bad_rows import Gate, strict
from horae.spark.fact_frames import facts_of_frame, facts_of_frames
from horae.spark.fact_topics import facts_of_inputs
from horae.spark.failures import unmarked
from horae.spark.given_sources import GivenTable
from horae.spark.piped import Piped
from horae.spark.streaming.fact_sources import FactSourceReader
from horae.spark.streaming.open_stream import LiveInput, OpenStream
from horae.spark.streaming.stream import StreamSources


@dataclass(frozen=True)
class FactDoor:
    reads: FactTables

    def frames(self, frames: Mapping[str, DataFrame], gate: Gate = strict) -> list[Piped]:
        return [self._frame(name, name, frame, gate) for name, frame in frames.items()]

    def _frame(self, name: str | None, place: str, frame: DataFrame, gate: Gate) -> Piped:
        if name is None:
            raise messages.name_needed(place, "predicate")
        reads = self.reads
        found = facts_of_frame(
            name,
            frame,
            reads.arities,
            time=reads.time,
            order=reads.order,
            clock=reads.clock,
            gate=gate,
            place=place,
        )
        return self._looked_at(found)

    def _looked_at(self, table: Piped) -> Piped:
        """A table whose every time must be known is read."""
        return replace(table, door=None) if self.reads.every_time else table

    def files(
        self, spark: SparkSession, inputs: Sequence[str], given: Sequence[GivenTable] = ()
    ) -> list[Piped]:
        """Of files, of the records that topics have now, and of other tables."""
        reads = self.reads
        facts = facts_of_inputs(
            spark,
            inputs,
            reads.arities,
            time=reads.time,
            order=reads.order,
            others=reads.others,
            clock=reads.clock,
        )
        found = [self._looked_at(table) for table in facts]
        return [*found, *(self._frame(*table, strict) for table in given)]

    def live_frames(self, frames: Mapping[str, DataFrame], gate: Gate) -> LiveInput:
        """Frames that are not streams are there before the streams start."""
        streams = {name: frame for name, frame in frames.items() if frame.isStreaming}
        tables = {name: frame for name, frame in frames.items() if name not in streams}
        return LiveInput(StreamSources(self.frames(streams, gate)), self._collected(tables))

    def _collected(self, tables: Mapping[str, DataFrame]) -> pa.Table:
        if not tables:
            return SCHEMA.empty_table()
        reads = self.reads
        with unmarked():
            facts = facts_of_frames(tables, reads.arities, time=reads.time, clock=reads.clock)
            found = facts.toArrow()
        return found.select(SCHEMA.names).cast(SCHEMA)

    def stream(self, opened: OpenStream) -> LiveInput:
        """Facts without a beginning in the files of the start are there before the stream starts."""
        reads = self.reads
        found = FactSourceReader(
            opened, reads.arities, reads.time, reads.order, reads.others, reads.clock
        ).read()
        return LiveInput(
            found.facts,
            pa.Table.from_batches([to_columns(found.given)]),
            found.files,
            found.remembered,
            found.topics,
        )
