"""Runs over files and topics on Spark, from what the command line names to where its answers go."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeVar

from pyspark.sql import Observation

from horae.data import catalogue
from horae.data.file_places import looking_in
from horae.data.formats.table_file import lines_in_cells
from horae.data.given_source import SourceFormat, has_table
from horae.data.input_sizes import is_small
from horae.data.roll import called
from horae.data.targets import CatalogTable, Directory, TopicTarget
from horae.data.topics import has_topic
from horae.engine.answers import Answers
from horae.engine.run import Run
from horae.engine.typed_answers import Schemas, TypedAnswers
from horae.source.errors import InputError
from horae.spark.doors import answer_records, door_of
from horae.spark.failures import unmarked
from horae.spark.file_system import FileSystem
from horae.spark.file_types import schemas_of
from horae.spark.given_sources import failing, split_sources
from horae.spark.kept import kept_for
from horae.spark.piped import Piped
from horae.spark.session import Starting
from horae.spark.sinks.answer_parcels import Packed, PackedInTime
from horae.spark.sinks.sorted_answers import sorted_answers
from horae.spark.sinks.tables import ROWS, Derived, Written, row_count, write_tables
from horae.spark.sinks.topics import write_topic
from horae.spark.streaming.settings import default_shards

Result = TypeVar("Result")


@dataclass(frozen=True)
class FileRun:
    """A run over `PATH` or `NAME=PATH`, in a session that is on its way.

    They are of a source of Spark if one is given.

    What Spark's workers refuse is read again here, to say the row.
    """

    run: Run
    inputs: Sequence[str]
    source: SourceFormat | None
    on_its_way: Starting

    # --- what becomes of the answers

    def collected(self) -> Answers:
        """All of them, in memory."""
        return self._with_fallback(self._collect, lambda answers: answers)

    def parts(self) -> Iterator[Answers]:
        """One part after the other, in bounded memory."""
        return self._with_fallback(self._sort, lambda answers: iter([answers]))

    def written(
        self, target: Directory | CatalogTable | TopicTarget, *, overwrite: bool = False
    ) -> Written:
        def write(records: Sequence[Piped], shards: int) -> Written:
            return self._write(records, shards, target, overwrite=overwrite)

        return self._told(write)

    def _collect(self, records: Sequence[Piped], shards: int) -> Answers:
        found = answer_records(self.run, records, shards)
        return self.run.answers(found.program, found.frame.toArrow())

    def _sort(self, records: Sequence[Piped], shards: int) -> Iterator[Answers]:
        """Spark is done with its work when the first part is there."""
        brief = self.on_its_way.brief is not None
        run = self.run
        answers = answer_records(run, records, shards, lambda program: PackedInTime(run, program))
        parts = sorted_answers(run, answers.program, answers.frame, brief=brief)
        return chain([*([first] if (first := next(parts, None)) is not None else [])], parts)

    def _write(
        self,
        records: Sequence[Piped],
        shards: int,
        target: Directory | CatalogTable | TopicTarget,
        *,
        overwrite: bool,
    ) -> Written:
        seen = [Observation() for _ in records]
        counted = [
            Piped(each.frame.observe(rows, row_count()), each.steps, each.schema)
            for each, rows in zip(records, seen, strict=True)
        ]
        answers = answer_records(self.run, counted, shards, lambda _: Packed())
        typed = TypedAnswers(self.run, answers.program, self._schemas())
        derived = Derived(answers.frame, answers.program, typed)
        if isinstance(target, TopicTarget):
            written = write_topic(derived, target)
        else:
            written = write_tables(derived, target, overwrite=overwrite)
        return replace(written, rows=sum(int(each.get[ROWS]) for each in seen))

    def _schemas(self) -> Schemas:
        spark, named = self.on_its_way.session(), self.run.has_names
        files, sources = split_sources(spark, self.inputs, self.source, has_names=named)
        return schemas_of(self.run, spark, files, sources)

    # --- on Spark, or here

    def _with_fallback(
        self,
        work: Callable[[Sequence[Piped], int], Result],
        here: Callable[[Answers], Result],
    ) -> Result:
        """Numbers that are too large for Spark's columns are computed in this process."""
        try:
            return self._told(work)
        except InputError as error:
            if not self._are_files or error.code not in self.run.too_narrow:
                raise
            return here(self.run.evaluate(self._read()))

    def _told(self, work: Callable[[Sequence[Piped], int], Result]) -> Result:
        try:
            return self._with_cells(work)
        except InputError as error:
            if self._are_files and error.code not in self.run.too_narrow:
                self._say_with_row(error)
            raise

    def _with_cells(self, work: Callable[[Sequence[Piped], int], Result]) -> Result:
        """Spark cuts files at any line, until it meets a cell that has several."""
        try:
            return self._done(work)
        except InputError as error:
            if error.code != catalogue.UNREADABLE:
                raise
            with lines_in_cells():
                return self._done(work)

    def _done(self, work: Callable[[Sequence[Piped], int], Result]) -> Result:
        run, spark = self.run, self.on_its_way.session()
        shards = default_shards(spark, run.options, self.on_its_way.brief)
        files, sources = split_sources(spark, self.inputs, self.source, has_names=run.has_names)
        with failing(sources), unmarked(), called(run.names, strict=run.options.strict):
            given = [source.open() for source in sources]
            with kept_for(run, door_of(run).files(spark, files, given)) as records:
                return work(records, shards)

    # --- in this process

    def _read(self) -> Any:
        """Where the workers read, too."""
        with (
            looking_in(FileSystem(self.on_its_way.session())),
            called(self.run.names, strict=self.run.options.strict),
        ):
            return self.run.read_files(self.inputs)

    def _say_with_row(self, error: InputError) -> None:
        """Read in this process, what is wrong has the number of its row."""
        is_of_answer = self.run.tells_rows and error.code.startswith("RUN")
        if not (is_of_answer or error.code.startswith("INP")) or not self._is_small:
            return
        records = self._read()
        if is_of_answer:
            self.run.evaluate(records)

    @property
    def _are_files(self) -> bool:
        return self.source is None and not has_topic(self.inputs) and not has_table(self.inputs)

    @property
    def _is_small(self) -> bool:
        with looking_in(FileSystem(self.on_its_way.session())):
            return is_small(self.inputs, has_names=self.run.has_names)
