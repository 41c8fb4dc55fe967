"""What a stream answers, or could not use, as lines of JSON in a directory: files of micro-batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pyspark.sql import DataFrame, DataFrameWriter

from horae.engine.contract import Routed
from horae.engine.run import Run
from horae.spark.file_system import FileSystem
from horae.spark.parcels import ParcelKind
from horae.spark.sinks.answer_lines import answer_lines, dead_letters
from horae.spark.streaming.sinks.batch_files import BatchFiles
from horae.spark.streaming.sinks.micro_batch import MicroBatch, parts_of

_ENDING = "jsonl"


@dataclass(frozen=True)
class AnswerLines:
    """The answers of all outputs together, sorted within a file; a small micro-batch is one file."""

    place: str
    run: Run
    program: Routed
    system: FileSystem
    is_in_driver: ClassVar[bool] = False

    def write(self, batch: MicroBatch) -> None:
        count = sum(shard.answers for shard in batch.metrics)
        parcels = batch.parcels(ParcelKind.ANSWERS).coalesce(parts_of(count))
        lines = answer_lines(parcels, self.run, self.program) if count else None
        BatchFiles(self.system, self.place, batch.number).replace(lines, _text, _ENDING)


@dataclass(frozen=True)
class DeadLetters:
    """Late rows, and rows that could not be read."""

    place: str
    run: Run
    system: FileSystem
    is_in_driver: ClassVar[bool] = False

    def write(self, batch: MicroBatch) -> None:
        count = sum(shard.late + shard.bad for shard in batch.metrics)
        parcels = batch.parcels(ParcelKind.LATE, ParcelKind.BAD).coalesce(parts_of(count))
        letters = dead_letters(parcels, self.run) if count else None
        BatchFiles(self.system, self.place, batch.number).replace(letters, _text, _ENDING)


def _text(lines: DataFrame) -> DataFrameWriter:
    return lines.write.format("text")
