"""Rows of CQL streams and relations from files, text and Python, without Spark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from horae.inputs import catalogue
from horae.inputs.facts import fact_files, lines_of, load_table, parse_fact_text, python_fact
from horae.inputs.layout import Place
from horae.inputs.rows_of_inputs import find_input, lay_out, read_facts, read_rows, schema_of
from horae.kernels.datalogmtl.evaluate import ground
from horae.languages.cql.program import Input
from horae.source.text import Source

Registered = Mapping[str, Input]
"""By name in lower case."""


def read_input_files(
    inputs: Sequence[str], registered: Registered, *, time: str = "time", order: str | None = None
) -> dict[str, pa.Table]:
    """A table per registered name, from `.facts` files and tables (`NAME=PATH`)."""
    parts = {item.name: [schema_of(item).empty_table()] for item in registered.values()}
    for name, file in input_files(inputs):
        try:
            for found, table in _read_file(name, file, registered, time, order).items():
                parts[found].append(table)
        except UnicodeDecodeError as error:
            raise catalogue.unreadable(str(file), "it is not UTF-8 text") from error
        except (OSError, pa.ArrowException) as error:
            raise catalogue.unreadable(str(file), str(error).splitlines()[0]) from error
    return {name: pa.concat_tables(tables) for name, tables in parts.items()}


def input_files(inputs: Sequence[str]) -> list[tuple[str | None, Path]]:
    """Each file with the name of its stream or relation; `.facts` files have none."""
    return [pair for text in inputs for pair in fact_files(text, "stream or relation")]


def _read_file(
    name: str | None, file: Path, registered: Registered, time: str, order: str | None
) -> dict[str, pa.Table]:
    if name is None:
        return rows_of_text(file.read_text(encoding="utf-8-sig"), registered, str(file))
    item = find_input(name, registered, str(file))
    names, columns, rows = load_table(file)
    typed = file.suffix.lower() != ".csv"
    layout = lay_out(item, names, time=time, order=order, typed=typed, place=str(file))
    return {item.name: read_rows(layout, columns, rows, Place(str(file)))}


def rows_of_text(text: str, registered: Registered, name: str = "<facts>") -> dict[str, pa.Table]:
    """The facts of a `.facts` text."""
    source = Source(name, text)
    facts = parse_fact_text(source)
    with lines_of(source, facts):
        return read_facts(ground(facts), registered)


def rows_of_python(inputs: str | Iterable[object], registered: Registered) -> dict[str, pa.Table]:
    """The text of a `.facts` file, or facts such as `("tram", ["a1", "p1", 36], 36)`."""
    if isinstance(inputs, str):
        return rows_of_text(inputs, registered)
    facts = [python_fact(fact, index) for index, fact in enumerate(inputs)]
    return read_facts(facts, registered)
