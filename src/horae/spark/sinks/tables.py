"""Typed tables that the workers of Spark write: one per output, all of them or none.

A directory is written beside its place and renamed when everything is there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from py4j.protocol import Py4JJavaError
from pyspark import StorageLevel
from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame, DataFrameWriter, Observation, SparkSession
from pyspark.sql import functions as f

from horae.data import catalogue as outputs
from horae.data.targets import CatalogTable, Directory
from horae.engine.contract import Routed
from horae.engine.typed_answers import OneOutput, TypedAnswers
from horae.source.errors import InputError
from horae.spark import catalogue
from horae.spark.file_system import FileSystem
from horae.spark.sinks.answer_parcels import opened

ROWS = "rows"
_MOMENTS = {
    "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
    "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
}
_OPTIONS: dict[str, dict[str, Any]] = {
    "csv": {"header": True, **_MOMENTS},
    "jsonl": {"ignoreNullFields": False, **_MOMENTS},
}
"""Spark itself would write milliseconds, and leave out of JSON what is null."""


def row_count() -> Column:
    """For an observation."""
    return f.count(f.lit(1)).alias(ROWS)


@dataclass(frozen=True)
class Derived:
    """The answers of a run as parcels, and what makes tables of them."""

    parcels: DataFrame
    program: Routed
    typed: TypedAnswers

    @property
    def outputs(self) -> Sequence[str]:
        return [*self.typed.schemas]

    def table(self, output: str) -> DataFrame:
        return opened(self.parcels, OneOutput(self.typed, output), self.program.answers)


@dataclass
class Written:
    """What a run wrote: how many answers each output has, and where; and how many rows it read."""

    place: str
    answers: dict[str, int] = field(default_factory=dict)
    rows: int = 0


def write_tables(found: Derived, target: Directory | CatalogTable, *, overwrite: bool) -> Written:
    """Every output into its table."""
    with _several(found) as derived:
        if isinstance(target, CatalogTable):
            return _write_catalog(derived, target, overwrite=overwrite)
        system = FileSystem(found.parcels.sparkSession)
        with _replaced(system, target.path, overwrite=overwrite) as draft:
            return _write_directory(derived, target, system.name(draft))


@contextmanager
def _several(found: Derived) -> Iterator[Derived]:
    """Of several outputs, parcels are kept until all are written."""
    if len(found.outputs) == 1:
        yield found
        return
    kept = found.parcels.persist(StorageLevel.DISK_ONLY)
    try:
        yield Derived(kept, found.program, found.typed)
    finally:
        kept.unpersist()


def _write_directory(found: Derived, target: Directory, draft: str) -> Written:
    written = Written(target.path)
    for output in found.outputs:
        written.answers[output] = counted(
            found.table(output),
            lambda frame, name=output: write_format(frame, target).save(f"{draft}/{name}"),  # type: ignore[misc]
        )
    return written


def write_format(frame: DataFrame, target: Directory) -> DataFrameWriter:
    """Text has all columns, those of CSV with their names, and timestamps as fine as they are."""
    return frame.write.format(target.spark_format).options(**_OPTIONS.get(target.format, {}))


def counted(frame: DataFrame, write: Callable[[DataFrame], None]) -> int:
    """How many rows were written."""
    seen = Observation()
    with understood():
        write(frame.observe(seen, row_count()))
    return int(seen.get[ROWS])


def _write_catalog(found: Derived, target: CatalogTable, *, overwrite: bool) -> Written:
    names = {output: target.of(output, len(found.outputs)) for output in found.outputs}
    spark = found.parcels.sparkSession
    if not overwrite:
        _check_new(spark, names)
    written = Written(", ".join(names.values()))
    mode = "overwrite" if overwrite else "errorifexists"
    for output, name in names.items():
        written.answers[output] = counted(
            found.table(output),
            lambda frame, name=name: frame.write.mode(mode).saveAsTable(name),  # type: ignore[misc]
        )
    return written


def _check_new(spark: SparkSession, names: Mapping[str, str]) -> None:
    for name in names.values():
        if spark.catalog.tableExists(name):
            raise catalogue.TABLE_EXISTS(name=name)


@contextmanager
def understood() -> Iterator[None]:
    """What Spark refuses before it writes is wrong usage of the output."""
    try:
        yield
    except AnalysisException as error:
        raise _refused(str(error)) from error
    except Py4JJavaError as error:
        reason = re.search(r"\[DATA_SOURCE_NOT_FOUND\].*", str(error))
        if reason is None:
            raise
        raise _refused(reason[0]) from error


def _refused(report: str) -> InputError:
    return catalogue.OUTPUT_REFUSED(reason=report.splitlines()[0].rstrip("."))


# --- directories, as a whole or not at all


@contextmanager
def _replaced(system: FileSystem, path: str, *, overwrite: bool) -> Iterator[str]:
    """A directory beside the one that is meant, which it becomes if all goes well."""
    place = path.rstrip("/")
    if system.exists(place) and not system.is_dir(place):
        raise outputs.OUTPUT_IS_FILE(path=path)
    if system.names(place) and not overwrite:
        raise outputs.OUTPUT_NOT_EMPTY(path=path)
    folder, slash, name = place.rpartition("/")
    draft = f"{folder}{slash}.{name}.{uuid4().hex[:8]}.draft"
    try:
        yield draft
        system.delete(place)
        system.rename(draft, place)
    finally:
        system.delete(draft)
