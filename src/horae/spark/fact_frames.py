"""Facts come in: files, tables and DataFrames become one frame, checked as they are in process."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as t

from horae.data.catalogue_facts import wrong_columns
from horae.data.clock import SECONDS, Clock
from horae.data.columns import Array, Column
from horae.data.endings import is_csv, is_json_lines
from horae.data.fact_columns import ARGS, ORDER, PREDICATE, rows_of_facts, to_columns
from horae.data.fact_tables import INTERVAL_COLUMNS, FactTable, lay_out, read_table, with_ends
from horae.data.facts import files_of_facts, read_fact_text
from horae.data.file_places import File
from horae.data.files import reading
from horae.data.formats.json_columns import by_columns, exact_objects, json_keys, key_column
from horae.data.ground_facts import GroundFact
from horae.data.layout import Place
from horae.data.predicate_facts import PredicateFacts
from horae.data.sound_columns import SoundTable, sound_facts
from horae.data.typed_columns import GivenColumns
from horae.data.written_lines import WrittenLines, written_lines
from horae.spark.bad_rows import Gate, select_with_beside, strict
from horae.spark.failures import marked
from horae.spark.file_system import FileSystem
from horae.spark.files import read_csv, read_json_lines, read_typed, text_lines
from horae.spark.piped import Batches, Piped
from horae.spark.records import RECORD_ORDER

FACTS = t.StructType(
    [
        t.StructField(PREDICATE, t.StringType()),
        t.StructField(ARGS, t.ArrayType(t.StringType())),
        t.StructField("low", t.LongType()),
        t.StructField("low_unit", t.LongType()),
        t.StructField("low_open", t.BooleanType()),
        t.StructField("high", t.LongType()),
        t.StructField("high_unit", t.LongType()),
        t.StructField("high_open", t.BooleanType()),
        t.StructField(ORDER, t.StringType()),
    ]
)
"""As `data.fact_columns` has them: ends are quotients."""

_LOOKED_AT = 8
"""Of so many files each is asked whether it is sound; more are read."""


def facts_of_python(spark: SparkSession, facts: Sequence[GroundFact]) -> DataFrame:
    """Facts that are here already."""
    return spark.createDataFrame(pa.Table.from_batches([to_columns(facts)]), FACTS)


def facts_of_frames(
    frames: Mapping[str, DataFrame],
    arities: Mapping[str, int],
    *,
    time: str = "time",
    order: str | None = None,
    clock: Clock = SECONDS,
    gate: Gate = strict,
) -> DataFrame:
    """A DataFrame per predicate: a column per argument, in order, and the time columns."""
    if not frames:
        raise ValueError("answers needs a DataFrame for at least one predicate")
    parts = [
        facts_of_frame(predicate, frame, arities, time=time, order=order, clock=clock, gate=gate)
        for predicate, frame in frames.items()
    ]
    return in_one_frame(parts)


def facts_of_frame(
    predicate: str,
    frame: DataFrame,
    arities: Mapping[str, int],
    *,
    time: str = "time",
    order: str | None = None,
    clock: Clock = SECONDS,
    gate: Gate = strict,
    place: str | None = None,
) -> Piped:
    """`place`, for messages, is the predicate where no other one is given."""
    names, where = frame.columns, predicate if place is None else place
    table = lay_out(predicate, names, arities, time=time, order=order, place=where, clock=clock)
    return tabled_facts(frame, table, where, gate)


def in_one_frame(parts: Sequence[Piped]) -> DataFrame:
    """The facts of several tables."""
    return reduce(DataFrame.unionAll, [part.rows for part in parts])


def tables_of_files(
    spark: SparkSession,
    inputs: Sequence[str],
    arities: Mapping[str, int],
    *,
    time: str = "time",
    order: str | None = None,
    others: bool = False,
    clock: Clock = SECONDS,
) -> list[Piped]:
    """`.facts` files, and tables as `NAME=PATH`; one at least, which may have no facts.

    With `others`, facts of `.facts` files about predicates that the program does not have come too.
    """
    door = _Door(spark, dict(arities), time, order, others, clock)
    found = [door.open(*file) for file in files_of_facts(FileSystem(spark), inputs, arities)]
    if len(found) > _LOOKED_AT:
        found = [replace(table, door=None) for table in found]
    return found or [Piped(facts_of_python(spark, []), (), FACTS)]


@dataclass(frozen=True)
class _Door:
    """Opens files, all in the same way."""

    spark: SparkSession
    arities: dict[str, int]
    time: str
    order: str | None
    others: bool
    clock: Clock

    def open(self, predicate: str | None, file: File, ends_last: bool = False) -> Piped:
        if predicate is None:
            lines = text_lines(self.spark, file)
            worker = _Lines(self.arities, str(file), self.others, self.clock)
            return strict(lines, worker, FACTS)
        if is_json_lines(file):
            return self._json_table(predicate, file)
        if not is_csv(file):
            return self._table(predicate, read_typed(self.spark, [file]), file)
        frame = read_csv(self.spark, [file])
        if ends_last:
            frame = frame.toDF(*with_ends(predicate, frame.columns, self.arities, self.time))
        return self._table(predicate, frame, file, typed=False)

    def _table(self, predicate: str, frame: DataFrame, file: File, *, typed: bool = True) -> Piped:
        table = self._lay_out(predicate, frame.columns, file, typed)
        return tabled_facts(frame, table, str(file))

    def _json_table(self, predicate: str, file: File) -> Piped:
        """What may be missing in any line may be missing in the first one."""
        table = self._lay_out(predicate, json_keys(file), file)
        ends = INTERVAL_COLUMNS if table.interval else ()
        table = replace(table, interval=ends, order=self.order)
        return Piped(read_json_lines(self.spark, file), (JsonFacts(table, str(file)),), FACTS)

    def _lay_out(
        self, predicate: str, names: Sequence[str], file: File, typed: bool = True
    ) -> FactTable:
        return lay_out(
            predicate,
            names,
            self.arities,
            time=self.time,
            order=self.order,
            typed=typed,
            place=str(file),
            clock=self.clock,
        )


def tabled_facts(frame: DataFrame, table: FactTable, name: str, gate: Gate = strict) -> Piped:
    """A table without columns still has rows: facts without arguments that always hold."""
    chosen = select_with_beside(frame, table.columns) if table.columns else frame
    door = FactTableDoor(table, name)
    found = gate(chosen, door, FACTS)
    return replace(found, door=door) if table.typed else found


# --- in the workers


@dataclass(frozen=True)
class _Lines:
    """Lines of a `.facts` file. A line's number is not known here."""

    arities: dict[str, int]
    name: str
    others: bool
    clock: Clock

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                text = "\n".join(map(str, batch.column(0).to_pylist()))
                facts = read_fact_text(
                    text, self.arities, self.name, others=self.others, clock=self.clock
                )
                yield rows_of_facts(facts)


@dataclass(frozen=True)
class JsonFacts:
    """Lines of JSON. The order of a table of records is their places."""

    table: FactTable
    name: str

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                with written_lines(batch, self.name) as found:
                    facts = self._facts(found)
                yield facts

    def _facts(self, found: WrittenLines) -> pa.RecordBatch:
        facts = by_columns(found, partial(self._of_columns, found))
        if facts is None:
            facts = self._of_objects(found, exact_objects(found))
        return rows_of_facts([facts], found.place)

    def _of_columns(self, found: WrittenLines, table: pa.Table) -> PredicateFacts:
        self._check_keys(table.column_names, found.place, 0)
        columns = {name: key_column(table, name) for name in self.table.columns}
        return self._read(found, columns, len(table))

    def _of_objects(
        self, found: WrittenLines, rows: Sequence[Mapping[str, object]]
    ) -> PredicateFacts:
        for index, row in enumerate(rows):
            self._check_keys(row, found.place, index)
        columns = {name: [row.get(name) for row in rows] for name in self.table.columns}
        return self._read(found, columns, len(rows))

    def _read(self, found: WrittenLines, columns: GivenColumns, rows: int) -> PredicateFacts:
        if self.table.order == RECORD_ORDER and found.orders is not None:
            columns = {**columns, RECORD_ORDER: found.orders}
        return read_table(self.table, columns, rows, found.place)

    def _check_keys(self, keys: Iterable[str], place: Place, index: int) -> None:
        arguments = self.table.arguments
        others = [name for name in keys if name not in self.table.columns]
        if others and not self.table.is_picked:
            found = [*arguments, *others]
            error = wrong_columns(self.table.predicate, found, len(arguments), self.name)
            raise error.at(place.name, place.row(index))


@dataclass(frozen=True)
class FactTableDoor:
    """Rows of a DataFrame, its columns in the order of the table's."""

    table: FactTable
    name: str
    is_static = False

    @property
    def columns(self) -> tuple[str, ...]:
        return self.table.columns

    def sound(self, found: pa.Schema) -> SoundTable | None:
        return sound_facts(found, self.table)

    def read(self, batch: pa.RecordBatch) -> pa.Table:
        return pa.Table.from_batches([self._facts(batch)])

    def _facts(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        place = Place(self.name, None)
        columns = dict(zip(self.table.columns, map(_column, batch.columns), strict=False))
        return rows_of_facts([read_table(self.table, columns, batch.num_rows, place)], place)

    def __call__(self, batches: Batches) -> Batches:
        with marked(), reading(self.name):
            yield from map(self._facts, batches)


def _column(array: Array) -> Column:
    return pa.chunked_array([array])
