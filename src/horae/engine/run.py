"""One run of a checked program: how its input is read, its kernel program, and how answers look.

A language makes a `Run` of a checked program and its options. The same object serves all ways to run:

    in process      records = run.read_values(inputs), or run.read_files(paths)
    on Spark        the door for what the language `reads` makes records of rows, in the workers
    then            program = run.program(Known(run.survey(records), shards))
                    rows = run.rows(program, records)
                    answers of the kernels (`engine.contract`) → run.answers(program, table)

*Records* are the input as the language has it, checked and typed, before it is known how finely time is
counted or what all shards must know: facts, events, rows of tables. For many languages they are the rows
of the kernel program already.

What a language reads is facts (`FactTables`: `.facts` files, and a table per predicate, as
`data.fact_columns` has them), rows of streams and relations (`data.input_files.RowTables`: `.facts`
files too, and tables whose columns have names; records are those of `data.row_layout`), or tables that
it reads with a `Door` of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import pyarrow as pa

from horae.data.clock import SECONDS, Clock
from horae.data.columns import DataType
from horae.data.file_places import File
from horae.data.formats.table_file import Dialect
from horae.data.input_types import NOTHING_KNOWN, InputTypes
from horae.data.table_blocks import slices
from horae.engine.contract import Routed
from horae.engine.in_process import run_in_process

if TYPE_CHECKING:
    from horae.data.input_files import RowTables
    from horae.data.roll import Names
    from horae.data.sound_columns import SoundTable
    from horae.engine.answers import Answers
    from horae.engine.options import RunOptions


class Form(Enum):
    """How the rows of a table come to a door."""

    TYPED = auto()  # columns with types: DataFrames, Parquet
    TEXT = auto()  # columns of text: CSV
    LINES = (
        auto()
    )  # one column of JSON text, an object per row; of Kafka's records also their places


@dataclass(frozen=True, slots=True)
class InputTable:
    """A table that is to be read. `name` is what the caller called it; `place` is for messages.

    `columns` are its names; those of `LINES` are the keys of the first line, others may have more.
    `files` are those that it is read from, all alike; `all_keys` looks at every line of them.
    `has_places`: its rows have `FILE_PLACE` beside their columns. `keeps_bad`: rows that cannot be read
    do not end the run.
    """

    name: str | None
    place: str
    columns: tuple[str, ...]
    form: Form = Form.TYPED
    files: tuple[File, ...] = ()
    has_places: bool = False
    keeps_bad: bool = False
    all_keys: Callable[[], Iterable[str]] | None = None

    @property
    def read_in_workers(self) -> InputTable:
        """What workers need to know of it."""
        return replace(self, files=(), all_keys=None)


class Door(Protocol):
    """Makes records of the rows of one table; it travels to workers by pickle.

    `columns` are those that it reads; `LINES` have one, whatever it is called. A static table is read
    before a stream starts, and all shards know it.
    """

    @property
    def columns(self) -> tuple[str, ...]: ...

    @property
    def is_static(self) -> bool: ...

    def read(self, batch: pa.RecordBatch) -> pa.Table:
        """The records of some rows; an `InputError` says what is wrong with one of them."""


@runtime_checkable
class SoundDoor(Door, Protocol):
    """A door that knows when no row of a table can be wrong."""

    def sound(self, found: pa.Schema) -> SoundTable | None:
        """What holds of the values then; None: rows must be read. `found` are the columns that it reads.

        Where it holds, all that a survey finds in rows depends on which of their values are missing, and
        on the first and the last time.
        """


@dataclass(frozen=True)
class FactTables:
    """Facts about predicates with so many arguments; `others`: also about any other predicate.

    `time` and `order` are the columns of tables; `clock` reads their times. A survey finds in the first
    and the last time of a table what it would in all, unless it wants `every_time`.
    """

    arities: Mapping[str, int]
    time: str
    order: str | None = None
    others: bool = False
    clock: Clock = SECONDS
    every_time: bool = False


@dataclass(frozen=True)
class Known:
    """What is known before a program starts.

    `survey` is that of the whole input, or of what is there before a stream starts: then it is `live`,
    and `static` has these records.
    """

    survey: pa.Table
    shards: int = 1
    live: bool = False
    static: pa.Table = field(default_factory=lambda: pa.table({}))


class Run(ABC):
    """A checked program and its options; it travels to workers by pickle.

    `reads` None: tables, by its own doors. `has_names`: the input is several tables, each with a name;
    else it is one table without. `too_narrow` are the codes of errors about numbers that do not fit
    into the columns of Spark, but into those of `evaluate`. `wants_places`: rows of equal time are
    ordered by their places, where these are known. `tells_rows`: what cannot be computed is said with
    the row where it is known. `shards_of_task`: a task of a batch has so many shards, one after the
    other, where several small states are faster than a large one.
    """

    options: RunOptions
    records: pa.Schema
    has_names: bool = False
    too_narrow: frozenset[str] = frozenset()
    shards_of_task: int = 1
    wants_places: bool = False
    tells_rows: bool = False

    @property
    def order_column(self) -> str:
        """The column of whole numbers by which rows of answers are sorted before all else."""
        return "time"

    @property
    @abstractmethod
    def names(self) -> Names:
        """Names that the input may have, and those that only it can say something of."""

    @property
    def reads(self) -> FactTables | RowTables | None:
        return None

    # --- from input to records

    @property
    def dialect(self) -> Dialect:
        """How CSV files are written."""
        return Dialect()

    @abstractmethod
    def read_values(self, inputs: object) -> Any:
        """What a Python program gives: tables, lists of dicts, paths; for `evaluate`."""

    @abstractmethod
    def read_files(self, paths: Sequence[str]) -> Any:
        """What is in files, `PATH` or `NAME=PATH`; for `evaluate`."""

    def door(self, table: InputTable) -> Door:
        """Reads a table of a language whose `reads` is None; facts and rows have doors of their own."""
        raise AssertionError("a run without `reads` makes its own doors")

    # --- from records to answers

    def survey(self, records: pa.Table) -> pa.Table:
        """What must be known of the whole input before it is spread, in columns of its own.

        On Spark it is taken of each part of the input, and the parts are put together; of a stream, of
        what is there before it starts. A language that needs nothing has no columns.
        """
        return pa.table({})

    @property
    def surveys(self) -> bool:
        """Whether something must be known of the whole input."""
        return bool(len(self.survey(self.records.empty_table()).schema))

    @abstractmethod
    def program(self, known: Known) -> Routed: ...

    def rows(self, program: Routed, records: pa.Table) -> pa.Table:
        """Records as the kernel program takes them."""
        return records.select(program.rows.names)

    @abstractmethod
    def answers(self, program: Routed, table: pa.Table) -> Answers:
        """What kernels answered, sorted."""

    def answer_rows(self, program: Routed, table: pa.Table) -> pa.Table:
        """What kernels answered, with the columns of answers in process."""
        return table

    def typed_rows(self, program: Routed, table: pa.Table) -> pa.Table:
        """What kernels answered, with the columns that `typed` reads: those that it has no use for may
        be missing.
        """
        return self.answer_rows(program, table)

    @property
    def outputs(self) -> Collection[str]:
        """The names of the outputs: what `only` may have."""
        return self.schemas(NOTHING_KNOWN, pa.null())

    @abstractmethod
    def schemas(self, types: InputTypes, unknown: DataType) -> Mapping[str, pa.Schema]:
        """The typed tables of the outputs, in the order of the program.

        `unknown` is the type of columns about which the input says nothing.
        """

    @abstractmethod
    def typed(self, rows: pa.Table, output: str, schema: pa.Schema, ticks: int) -> pa.Table:
        """The answers of one output as such a table; `ticks` make a second.

        A column whose type is null in the schema has that of its values.
        """

    @abstractmethod
    def ticks(self, program: Routed) -> int:
        """How many ticks of answers make a second."""

    def resolution(self, program: Routed) -> int:
        """Ticks in a unit of time."""
        return 1

    def shown(self, row: dict[str, Any]) -> dict[str, Any] | None:
        """A record or a row of the program as people read it; None for one that is only a mark."""
        return row

    def evaluate(self, records: Any) -> Answers:
        """The answers to what was read in this process, by one shard.

        A language that reads something else than records here does it in its own way.
        """
        program = self.program(Known(self.survey(records)))
        rows = pa.concat_tables(self.rows(program, part) for part in slices(records))
        return self.answers(program, run_in_process(program, rows))
