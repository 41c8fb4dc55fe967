"""What Python programs give to `evaluate` of rules and queries: facts, text, files, tables by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import pyarrow as pa

from horae.data import catalogue_python as catalogue
from horae.data.clock import SECONDS, Clock
from horae.data.facts import (
    Arities,
    FactCheck,
    FactReader,
    Loaded,
    read_fact_files,
    read_python_facts,
)
from horae.data.input_files import RowTables
from horae.data.layout import Place
from horae.data.predicate_facts import PredicateFacts, count_facts, numbered_from
from horae.data.python_tables import is_path, named_columns_in, paths_in, table_in
from horae.data.rows_of_inputs import read_input_rows
from horae.data.table_blocks import blocks_of
from horae.data.typed_columns import Given


def read_given_facts(
    inputs: object,
    arities: Arities,
    *,
    time: str = "time",
    order: str | None = None,
    others: bool = False,
    check: FactCheck | None = None,
    clock: Clock = SECONDS,
) -> list[PredicateFacts]:
    """The facts of a rule program, as `read_fact_files` and `read_python_facts` read them."""
    paths = _paths(inputs)
    facts: list[PredicateFacts] = []
    if paths:
        facts += read_fact_files(
            paths, arities, time=time, order=order, others=others, check=check, clock=clock
        )
    if isinstance(inputs, Mapping):
        reader = FactReader(arities, time, order, others, check, clock)
        for name, (names, columns, rows) in _tables(inputs):
            loaded = Loaded(names, blocks_of(columns, rows, Place(name)))
            facts += numbered_from([*reader.read_table(name, loaded, name)], count_facts(facts))
    elif not paths:
        given = _facts(inputs, sorted(arities))
        facts += read_python_facts(given, arities, others=others, check=check, clock=clock)
    return facts


def read_given_rows(inputs: object, tables: RowTables) -> dict[str, pa.Table]:
    """A table per registered name."""
    paths = _paths(inputs)
    if not paths and not isinstance(inputs, Mapping):
        given = _facts(inputs, [item.name for item in tables.inputs.values()])
        return tables.read_text(given) if isinstance(given, str) else tables.read_facts(given)
    found = tables.read_files(paths)
    for name, (names, columns, rows) in _tables(inputs):
        layout = tables.open(name, names, name)
        read = read_input_rows(layout, columns, rows, Place(name))
        found[layout.item.name] = pa.concat_tables([found[layout.item.name], read])
    return found


def _paths(inputs: object) -> list[str]:
    """As on the command line: `PATH`, and `NAME=PATH` for those that have a name."""
    if not isinstance(inputs, Mapping):
        return paths_in(inputs) or []
    return [f"{name}={path}" for name, given in inputs.items() for path in paths_in(given) or []]


def _tables(inputs: object) -> Iterator[tuple[str, tuple[list[str], Mapping[str, Given], int]]]:
    if not isinstance(inputs, Mapping):
        return
    for name, given in inputs.items():
        loaded = None if is_path(given) else named_columns_in(given)
        if loaded is not None:
            names, _, rows = loaded
            if names or rows:  # an empty list has no columns
                yield str(name), loaded
        elif paths_in(given) is None:
            raise catalogue.wrong_table(str(name), given)


def _facts(inputs: object, names: list[str]) -> str | Iterable[object]:
    if isinstance(inputs, str):
        return inputs
    if table_in(inputs) is not None:
        raise catalogue.nameless_table(inputs, names)
    if isinstance(inputs, bytes) or not isinstance(inputs, Iterable):
        raise catalogue.wrong_inputs(inputs, catalogue.FACTS)
    return inputs
