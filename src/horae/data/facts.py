"""Facts for rule languages, without Spark: from files, from text, from Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import pyarrow as pa

from horae.data import catalogue
from horae.data import catalogue_facts as messages
from horae.data.clock import SECONDS, Clock
from horae.data.constants import Value
from horae.data.endings import FACTS, FACTS_TEXT, ending_of, is_csv, is_json_lines
from horae.data.fact_tables import check_names, lay_out, read_table, with_ends
from horae.data.fact_text import facts_of_text
from horae.data.fact_values import constant, interval_of_text
from horae.data.file_places import HERE, File, FileT, Places, current_places, is_uri
from horae.data.files import files_at, reading
from horae.data.formats.json_columns import by_columns, exact_objects
from horae.data.formats.table_file import open_table
from horae.data.formats.text import read_text
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS, Interval, point
from horae.data.layout import Place
from horae.data.predicate_facts import (
    PredicateFacts,
    columns_of_facts,
    numbered_from,
)
from horae.data.roll import note, note_time
from horae.data.table_blocks import TableBlock, blocks_of, blocks_of_file
from horae.data.topics import is_topic
from horae.data.typed_columns import GivenColumns
from horae.data.written_lines import lines_of_file
from horae.source.errors import InputError
from horae.source.text import is_unicode

T = TypeVar("T")
Arities = Mapping[str, int]
FactCheck = Callable[[Sequence[PredicateFacts]], None]
"""Looks at the facts of one input; the row of an `InputError` is the number of the fact, from 1."""


class Loaded(NamedTuple):
    """The names of the columns of a table, in order, and its rows."""

    names: list[str]
    blocks: Iterable[TableBlock]


class NamedPath(NamedTuple):
    """`PATH`, or `NAME=PATH` for the table of a predicate."""

    predicate: str | None
    path: str


def named_path(text: str, places: Places[File] = HERE) -> NamedPath:
    """A path with a `=` in it that exists is a path; the address of a topic may have one too."""
    name, sign, path = text.partition("=")
    if not sign or is_uri(name) or places.exists(text):
        return NamedPath(None, text)
    return NamedPath(name.strip(), path)


class FactFile(NamedTuple, Generic[FileT]):
    """A `.facts` file, or the table of a predicate.

    With `ends_last`, the last two columns are the time, however they are called.
    """

    predicate: str | None
    path: FileT
    ends_last: bool = False


def fact_files(places: Places[FileT], text: str, what: str = "predicate") -> list[FactFile[FileT]]:
    """The files that an input means, each with its predicate; `.facts` files need none."""
    predicate, path = named_path(text, places)
    files = files_at(places, path, FACTS)
    for file in files:
        if predicate is None and ending_of(file) != FACTS_TEXT:
            raise messages.name_needed(path, what)
    return [FactFile(None if ending_of(f) == FACTS_TEXT else predicate, f) for f in files]


def files_of_facts(
    places: Places[FileT], inputs: Sequence[str], arities: Arities
) -> list[FactFile[FileT]]:
    """The files of all inputs; in a folder without a name, tables are called like their predicates."""
    found: list[FactFile[FileT]] = []
    for text in inputs:
        predicate, path = named_path(text, places)
        is_folder = predicate is None and not is_topic(path) and places.is_dir(path)
        found += _in_folder(places, path, arities) if is_folder else fact_files(places, text)
    return found


def _in_folder(places: Places[FileT], path: str, arities: Arities) -> list[FactFile[FileT]]:
    """`worksFor.csv` or, as MeTeoR has it, `0_worksFor_1.csv`; the program may not know them all."""
    files = [FactFile(_called(f, arities), f, is_csv(f)) for f in files_at(places, path, FACTS)]
    known = [f for f in files if f.predicate is None or f.predicate in arities]
    if files and not known:
        raise messages.name_needed(path, "predicate")
    return known


def _called(file: File, arities: Arities) -> str | None:
    if ending_of(file) == FACTS_TEXT:
        return None
    name = Path(str(file)).name
    stem = name[: name.lower().rindex(ending_of(file))]
    parts = stem.split("_")
    return parts[1] if len(parts) == 3 and stem not in arities else stem


def read_fact_files(
    inputs: Sequence[str],
    arities: Arities,
    *,
    time: str = "time",
    order: str | None = None,
    others: bool = False,
    check: FactCheck | None = None,
    clock: Clock = SECONDS,
) -> list[PredicateFacts]:
    """All facts of `.facts` files and of tables (`NAME=PATH`) about predicates of the program.

    With `others`, facts of `.facts` files about other predicates are read too. `check` sees the facts
    file by file. They are numbered through all files.
    """
    return [*fact_parts(inputs, arities, time, order, others, check, clock)]


def fact_parts(
    inputs: Sequence[str],
    arities: Arities,
    time: str = "time",
    order: str | None = None,
    others: bool = False,
    check: FactCheck | None = None,
    clock: Clock = SECONDS,
) -> Iterator[PredicateFacts]:
    """The same part by part, for those who do not keep them: of a table some rows at a time."""
    reader, seen = FactReader(arities, time, order, others, check, clock), 0
    for file in files_of_facts(current_places(), inputs, arities):
        first = seen
        with reading(file.path):
            for part in reader.read(*file):
                yield from numbered_from([part], first)
                seen += len(part)


@dataclass(frozen=True, slots=True)
class FactReader:
    """Reads files and tables, all in the same way."""

    arities: Arities
    time: str
    order: str | None
    others: bool
    check: FactCheck | None
    clock: Clock = SECONDS

    def read(
        self, predicate: str | None, file: File, ends_last: bool = False
    ) -> Iterator[PredicateFacts]:
        """The parts of a file; they are numbered through it."""
        if predicate is not None:
            read = partial(self._read_loaded, predicate, file, ends_last)
            if is_json_lines(file):
                return iter(read_json_table(file, lambda loaded: [*read(loaded)]))
            return read(load_table(file))
        text = read_text(file)
        found = read_fact_text(
            text,
            self.arities,
            str(file),
            others=self.others,
            check=self.check,
            clock=self.clock,
        )
        return iter(found)

    def _read_loaded(
        self, predicate: str, file: File, ends_last: bool, loaded: Loaded
    ) -> Iterator[PredicateFacts]:
        if ends_last:
            loaded = self._with_ends(predicate, loaded)
        return self.read_table(predicate, loaded, str(file), not is_csv(file))

    def _with_ends(self, predicate: str, loaded: Loaded) -> Loaded:
        names = with_ends(predicate, loaded.names, self.arities, self.time)
        pairs = [*zip(names, loaded.names, strict=True)]
        blocks = (
            block._replace(columns={new: block.columns[old] for new, old in pairs})
            for block in loaded.blocks
        )
        return Loaded(names, blocks)

    def read_table(
        self, predicate: str, loaded: Loaded, place: str, typed: bool = True
    ) -> Iterator[PredicateFacts]:
        table = lay_out(
            predicate,
            loaded.names,
            self.arities,
            time=self.time,
            order=self.order,
            typed=typed,
            place=place,
            clock=self.clock,
        )
        for block in loaded.blocks:
            facts = read_table(table, *block)
            with rows_in(place):
                _run(self.check, [facts])
            yield facts


def _run(check: FactCheck | None, facts: Sequence[PredicateFacts]) -> None:
    if check is not None:
        check(facts)


@contextmanager
def rows_in(file: str) -> Iterator[None]:
    """Errors about the rows of a table: they are in this file."""
    try:
        yield
    except InputError as error:
        raise error.at(file, error.row) from None


# --- text


def read_fact_text(
    text: str,
    arities: Arities,
    name: str = "<facts>",
    *,
    others: bool = False,
    check: FactCheck | None = None,
    clock: Clock = SECONDS,
) -> list[PredicateFacts]:
    """The facts of a `.facts` text about predicates of the program, and about `others` if asked for."""
    found = facts_of_text(text, name, clock)
    if not others:
        found = found.about(arities)
    with found.places():
        _check_widths(found.facts, arities)
        _run(check, found.facts)
    return found.facts


def _check_widths(facts: Sequence[PredicateFacts], arities: Arities) -> None:
    """Facts agree on the number of arguments; those that come first are right."""
    widths = _Widths(arities)
    for number, part in sorted((int(part.numbers[0]), part) for part in facts):
        widths.check(part.predicate, part.width, number + 1)


class _Widths:
    """Facts agree on the number of arguments, with the program and with each other."""

    def __init__(self, arities: Arities) -> None:
        self._arities = arities
        self._widths = dict(arities)

    def check(self, predicate: str, found: int, number: int) -> None:
        expected = self._widths.setdefault(predicate, found)
        if found != expected:
            is_known = predicate in self._arities
            refuse = messages.wrong_arity if is_known else messages.other_arity
            raise refuse(predicate, found, expected, row=number)


# --- Python


def read_python_facts(
    facts: str | Iterable[object],
    arities: Arities,
    *,
    others: bool = False,
    check: FactCheck | None = None,
    clock: Clock = SECONDS,
) -> list[PredicateFacts]:
    """The text of a `.facts` file, or facts such as `("tram", ["a1", "p1"], 36)`."""
    if isinstance(facts, str):
        return read_fact_text(facts, arities, others=others, check=check, clock=clock)
    widths, wanted = _Widths(arities), None if others else arities
    read = (_known_fact(fact, index, widths, wanted, clock) for index, fact in enumerate(facts))
    found = columns_of_facts(fact for fact in read if fact is not None)
    _run(check, found)
    return found


def _known_fact(
    fact: object, index: int, widths: _Widths, wanted: Arities | None, clock: Clock
) -> GroundFact | None:
    """None for a predicate that is not wanted; all are without a choice."""
    predicate, arguments, interval = _parts(fact, index, clock)
    if wanted is not None and predicate not in wanted:
        return None
    widths.check(predicate, len(arguments), index + 1)
    return GroundFact(predicate, _python_constants(arguments, index), interval)


def python_fact(fact: object, index: int, clock: Clock = SECONDS) -> GroundFact:
    """A fact about anything."""
    predicate, arguments, interval = _parts(fact, index, clock)
    return GroundFact(predicate, _python_constants(arguments, index), interval)


def _parts(fact: object, index: int, clock: Clock) -> tuple[str, Sequence[object], Interval]:
    match fact:
        case (str() as predicate, list() | tuple() as arguments, when) if is_unicode(predicate):
            note(predicate, f"row {index + 1}")
            return predicate, arguments, _python_time(when, index, clock)
        case _:
            raise messages.not_a_fact(index, fact)


def _python_constants(arguments: Sequence[object], index: int) -> tuple[Value, ...]:
    values = tuple(constant(argument) for argument in arguments)
    known = tuple(value for value in values if value is not None)
    if len(known) != len(values):
        column, wrong = str(values.index(None) + 1), arguments[values.index(None)]
        raise messages.NOT_A_CONSTANT(Place(), index, column, wrong)
    return known


def _python_time(when: object, index: int, clock: Clock) -> Interval:
    if when is None:
        return ALWAYS
    time = clock.exact(when)
    if time is not None:
        note_time(when, time, clock)
        return point(time)
    interval = interval_of_text(when, clock) if isinstance(when, str) else None
    if interval is None:
        raise messages.not_a_fact_time(index, when)
    if interval.is_empty:
        raise messages.empty_interval(Place(), index, interval)
    return interval


# --- tables


def load_table(file: File) -> Loaded:
    """The rows of a file that is not of JSON, as they are read."""
    opened = open_table(file)
    if not opened.names:
        raise catalogue.empty_file(str(file))
    check_names(opened.names, str(file))
    tables = opened.blocks(opened.names)
    return Loaded(opened.names, blocks_of_file(tables, Place(str(file))))


def read_json_table(file: File, read: Callable[[Loaded], T]) -> T:
    """What `read` makes of the rows of a file of JSON: of columns, or of the values of objects."""
    written = lines_of_file(file)
    found = by_columns(written, lambda table: read(_loaded(table, written.place)))
    if found is not None:
        return found
    rows = exact_objects(written)
    if not rows:
        raise catalogue.empty_file(str(file))
    names, columns, count = columns_of_dicts(rows)
    return read(Loaded(names, blocks_of(columns, count, written.place)))


def _loaded(table: pa.Table, place: Place) -> Loaded:
    return Loaded(table.column_names, blocks_of_file([table], place))


def columns_of_dicts(
    rows: Sequence[Mapping[str, object]],
) -> tuple[list[str], GivenColumns, int]:
    """Names, columns and the number of rows; None where a row has no such key."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return names, {name: [row.get(name) for row in rows] for name in names}, len(rows)
