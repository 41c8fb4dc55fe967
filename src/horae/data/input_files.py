"""Rows of CQL streams and relations from files, text and Python, without Spark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from horae.data import catalogue
from horae.data.bind_columns import TableName, columns_of_rows, read_table_name, with_order
from horae.data.clock import TIME_POINTS, Clock
from horae.data.endings import is_csv, is_json_lines
from horae.data.fact_text import facts_of_text
from horae.data.facts import (
    fact_files,
    python_fact,
)
from horae.data.files import reading
from horae.data.formats.jsonl import read_objects
from horae.data.formats.table_file import open_table
from horae.data.formats.text import read_text
from horae.data.layout import Place
from horae.data.predicate_facts import ground_facts
from horae.data.rows_of_inputs import (
    InputLayout,
    find_input,
    lay_out,
    read_facts,
    read_rows,
    schema_of,
)
from horae.data.schema import Input

Registered = Mapping[str, Input]
"""By name in lower case."""


def read_input_files(
    inputs: Sequence[str], registered: Registered, *, time: str = "time", order: str | None = None
) -> dict[str, pa.Table]:
    """A table per registered name, from `.facts` files and tables (`NAME=PATH`)."""
    parts = {item.name: [schema_of(item).empty_table()] for item in registered.values()}
    reader = _Reader(registered, time, order)
    for name, file in input_files(inputs):
        with reading(file):
            for found, table in reader.read(name, file).items():
                parts[found].append(table)
    return {name: pa.concat_tables(tables) for name, tables in parts.items()}


def input_files(inputs: Sequence[str]) -> list[tuple[str | None, Path]]:
    """Each file with the name of its stream or relation; `.facts` files have none."""
    files = [file for text in inputs for file in fact_files(text, "stream or relation")]
    return [(file.predicate, file.path) for file in files]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads files, all in the same way."""

    registered: Registered
    time: str
    order: str | None

    def read(self, name: str | None, file: Path) -> dict[str, pa.Table]:
        if name is None:
            return rows_of_text(read_text(file), self.registered, str(file))
        table = read_table_name(name)
        item = find_input(table.name, self.registered, str(file))
        read = self._read_json if is_json_lines(file) else self._read_table
        return {item.name: read(item, table, file)}

    def _read_table(self, item: Input, table: TableName, file: Path) -> pa.Table:
        found = open_table(file)
        if not found.names:
            raise catalogue.empty_file(str(file))
        layout = self._lay_out(item, table, found.names, file)
        columns = found.read(layout.names)
        named = dict(zip(layout.names, columns.columns, strict=True))
        return read_rows(layout, named, columns.num_rows, Place(str(file)))

    def _read_json(self, item: Input, table: TableName, file: Path) -> pa.Table:
        """The keys of the first line are the columns; only the order may be missing there."""
        rows = read_objects(file)
        if not rows:
            raise catalogue.empty_file(str(file))
        layout = self._lay_out(item, table, with_order(list(rows[0]), self.order), file)
        place = Place(str(file))
        return read_rows(layout, columns_of_rows(rows, layout.names, place), len(rows), place)

    def _lay_out(
        self, item: Input, table: TableName, names: Sequence[str], file: Path
    ) -> InputLayout:
        return lay_out(
            item,
            names,
            time=self.time,
            order=self.order,
            typed=not is_csv(file),
            place=str(file),
            picked=table.columns,
        )


def rows_of_text(text: str, registered: Registered, name: str = "<facts>") -> dict[str, pa.Table]:
    """The facts of a `.facts` text."""
    found = facts_of_text(text, name, _clock(registered))
    with found.places():
        return read_facts(ground_facts(found.facts), registered)


def rows_of_python(inputs: str | Iterable[object], registered: Registered) -> dict[str, pa.Table]:
    """The text of a `.facts` file, or facts such as `("tram", ["a1", "p1", 36], 36)`."""
    if isinstance(inputs, str):
        return rows_of_text(inputs, registered)
    clock = _clock(registered)
    facts = [python_fact(fact, index, clock) for index, fact in enumerate(inputs)]
    return read_facts(facts, registered)


def _clock(registered: Registered) -> Clock:
    """All inputs have the same."""
    return next((item.clock for item in registered.values()), TIME_POINTS)
