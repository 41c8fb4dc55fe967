"""Answers of a stream as typed tables that the workers write: directories, or tables of the catalog.

Those of the catalog are tables of files, whose directories get the files of micro-batches too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from horae.data.targets import CatalogTable, Directory
from horae.engine.typed_answers import OneOutput, TypedAnswers
from horae.spark import catalogue
from horae.spark.file_system import FileSystem
from horae.spark.parcels import ParcelKind
from horae.spark.sinks.answer_parcels import opened
from horae.spark.sinks.tables import understood, write_format
from horae.spark.streaming.sinks.batch_files import BatchFiles, claim
from horae.spark.streaming.sinks.micro_batch import MicroBatch

_OF_FILES = ("parquet", "orc", "csv", "json")


@dataclass(frozen=True)
class StreamDirectory:
    """A table per output, `DIR/sales_freq/…`."""

    target: Directory
    typed: TypedAnswers
    system: FileSystem
    is_in_driver: ClassVar[bool] = False

    def write(self, batch: MicroBatch) -> None:
        for output in self.typed.schemas:
            place = f"{self._place}/{output}"
            self.system.make_dirs(place)
            files = Directory(place, self.target.format)
            _put(self.system, files, batch, OneOutput(self.typed, output))

    @property
    def _place(self) -> str:
        return self.target.path.rstrip("/")


@dataclass(frozen=True)
class StreamCatalog:
    """A table of the catalog per output, made as Parquet by the first run."""

    target: CatalogTable
    typed: TypedAnswers
    spark: SparkSession
    is_in_driver: ClassVar[bool] = False

    def claim(self, stream: str, *, is_new: bool) -> None:
        for output, name in self._names.items():
            if is_new or not self.spark.catalog.tableExists(name):
                self._make(output, name)
            claim(FileSystem(self.spark), self._files(name).path, stream, is_new=is_new)

    def write(self, batch: MicroBatch) -> None:
        system = FileSystem(self.spark)
        for output, name in self._names.items():
            _put(system, self._files(name), batch, OneOutput(self.typed, output))
            self.spark.catalog.refreshTable(name)

    @property
    def _names(self) -> Mapping[str, str]:
        outputs = [*self.typed.schemas]
        return {output: self.target.of(output, len(outputs)) for output in outputs}

    def _make(self, output: str, name: str) -> None:
        if self.spark.catalog.tableExists(name):
            raise catalogue.STREAM_TABLE_EXISTS(name=name)
        schema = from_arrow_schema(self.typed.schemas[output])
        with understood():
            self.spark.catalog.createTable(name, source="parquet", schema=schema)

    def _files(self, name: str) -> Directory:
        """Where the files of the table are, and their format."""
        told = dict(self._described(name))
        kind = told.get("Provider", "").lower()
        if kind not in _OF_FILES:
            raise catalogue.NOT_OF_FILES(name=name, kind=kind)
        return Directory(told["Location"], kind)

    def _described(self, name: str) -> Iterator[tuple[str, str]]:
        for row in self.spark.sql(f"DESCRIBE TABLE EXTENDED {name}").collect():
            yield str(row.col_name), str(row.data_type)


def _put(system: FileSystem, target: Directory, batch: MicroBatch, shape: OneOutput) -> None:
    """The rows of one output; a micro-batch without any leaves no file."""
    files = BatchFiles(system, target.path, batch.number)
    write = partial(write_format, target=target)
    if any(shard.answers for shard in batch.metrics):
        parcels = batch.parcels(ParcelKind.ANSWERS)
        files.replace(opened(parcels, shape, shape.typed.program.answers), write)
    else:
        files.replace(None, write)
