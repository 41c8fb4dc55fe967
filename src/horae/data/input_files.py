"""Rows of CQL streams and relations from files, text and Python, without Spark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from horae.data import catalogue
from horae.data.bind_columns import read_table_name, with_order
from horae.data.clock import TIME_POINTS, Clock
from horae.data.endings import is_csv, is_json_lines
from horae.data.fact_text import facts_of_text
from horae.data.facts import (
    fact_files,
    python_fact,
)
from horae.data.file_places import File, FileT, Places, current_places
from horae.data.files import reading
from horae.data.formats.json_columns import json_keys
from horae.data.formats.table_file import open_table
from horae.data.formats.text import read_text
from horae.data.json_rows import read_json_rows
from horae.data.layout import Place
from horae.data.row_layout import RowLayout
from horae.data.rows_of_inputs import (
    InputLayout,
    find_input,
    lay_out_input,
    read_blocks,
    read_fact_columns,
    read_facts,
    schema_of,
)
from horae.data.schema import RegisteredInput
from horae.data.table_blocks import blocks_of_file
from horae.data.written_lines import lines_of_file

InputTables = dict[str, pa.Table]
"""A table per registered name."""


@dataclass(frozen=True)
class RowTables:
    """The streams and relations that a program reads, by name in lower case, and how tables hold them.

    `time` and `order` are columns of tables of streams.
    """

    inputs: Mapping[str, RegisteredInput]
    time: str = "time"
    order: str | None = None

    @property
    def layout(self) -> RowLayout:
        """The layout of one table with the rows of all inputs."""
        return RowLayout(tuple(self.inputs.values()))

    # --- tables

    def open(
        self,
        name: str,
        columns: Sequence[str],
        place: str,
        *,
        typed: bool = True,
        is_json: bool = False,
    ) -> InputLayout:
        """What is read of a table. `name` may say which columns: `tram(id, stop)`.

        `typed` is false where values are text. Of JSON, `columns` are the keys of the first line; only
        the order may be missing there.
        """
        table = read_table_name(name)
        return lay_out_input(
            find_input(table.name, self.inputs, place),
            with_order(columns, self.order) if is_json else columns,
            time=self.time,
            order=self.order,
            typed=typed,
            place=place,
            picked=table.columns,
        )

    def read_files(self, inputs: Sequence[str]) -> InputTables:
        """`.facts` files and tables, `NAME=PATH`."""
        parts = {item.name: [schema_of(item).empty_table()] for item in self.inputs.values()}
        for name, file in input_files(current_places(), inputs):
            with reading(file):
                for found, table in self._read_file(name, file).items():
                    parts[found].append(table)
        return {name: pa.concat_tables(tables) for name, tables in parts.items()}

    def _read_file(self, name: str | None, file: File) -> InputTables:
        if name is None:
            return self.read_text(read_text(file), str(file))
        find_input(read_table_name(name).name, self.inputs, str(file))
        read = self._read_json if is_json_lines(file) else self._read_table
        return read(name, file)

    def _read_table(self, name: str, file: File) -> InputTables:
        found = open_table(file)
        if not found.names:
            raise catalogue.empty_file(str(file))
        layout = self.open(name, found.names, str(file), typed=not is_csv(file))
        blocks = blocks_of_file(found.blocks(layout.names), Place(str(file)))
        return {layout.item.name: read_blocks(layout, blocks)}

    def _read_json(self, name: str, file: File) -> InputTables:
        layout = self.open(name, json_keys(file), str(file), is_json=True)
        return {layout.item.name: read_json_rows(layout, lines_of_file(file))}

    # --- facts

    def read_text(self, text: str, name: str = "<facts>") -> InputTables:
        """The facts of a `.facts` text."""
        found = facts_of_text(text, name, self._clock)
        with found.places():
            return read_fact_columns(found.facts, self.inputs)

    def read_facts(self, facts: Iterable[object]) -> InputTables:
        """Facts such as `("tram", ["a1", "p1", 36], 36)`."""
        clock = self._clock
        found = [python_fact(fact, index, clock) for index, fact in enumerate(facts)]
        return read_facts(found, self.inputs)

    @property
    def _clock(self) -> Clock:
        """The clock, which all inputs share."""
        return next((item.clock for item in self.inputs.values()), TIME_POINTS)


def input_files(places: Places[FileT], inputs: Sequence[str]) -> list[tuple[str | None, FileT]]:
    """Each file with the name of its stream or relation; `.facts` files have none."""
    what = "stream or relation"
    files = [file for text in inputs for file in fact_files(places, text, what)]
    return [(file.predicate, file.path) for file in files]
