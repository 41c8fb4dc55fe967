"""Files of CQL streams and relations, without Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from horae.inputs import catalogue
from horae.inputs.facts import fact_files, load_table, read_fact_text
from horae.inputs.layout import Place
from horae.inputs.rows_of_inputs import find_input, lay_out, read_facts, read_rows, schema_of
from horae.languages.cql.program import Input


def read_input_files(
    inputs: Sequence[str],
    registered: Mapping[str, Input],
    *,
    time: str = "time",
    order: str | None = None,
) -> dict[str, pa.Table]:
    """A table per registered name, from `.facts` files and tables (`NAME=PATH`)."""
    parts = {item.name: [schema_of(item).empty_table()] for item in registered.values()}
    for name, file in (pair for text in inputs for pair in fact_files(text)):
        try:
            for found, table in _read_file(name, file, registered, time, order).items():
                parts[found].append(table)
        except UnicodeDecodeError as error:
            raise catalogue.unreadable(str(file), "it is not UTF-8 text") from error
        except (OSError, pa.ArrowException) as error:
            raise catalogue.unreadable(str(file), str(error).splitlines()[0]) from error
    return {name: pa.concat_tables(tables) for name, tables in parts.items()}


def _read_file(
    name: str | None, file: Path, registered: Mapping[str, Input], time: str, order: str | None
) -> dict[str, pa.Table]:
    if name is None:
        text = file.read_text(encoding="utf-8-sig")
        return read_facts(read_fact_text(text, {}, str(file), others=True), registered)
    item = find_input(name, registered, str(file))
    names, columns, rows = load_table(file)
    typed = file.suffix.lower() != ".csv"
    layout = lay_out(item, names, time=time, order=order, typed=typed, place=str(file))
    return {item.name: read_rows(layout, columns, rows, Place(str(file)))}
