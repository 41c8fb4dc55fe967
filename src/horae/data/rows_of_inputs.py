"""Rows of CQL streams and relations as typed columns: c0, c1, …, and for a stream `time` and `order`.

The same for files, facts and the batches of a DataFrame: all refuse the same values with the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from horae.data import catalogue_rows as catalogue
from horae.data.bind_columns import bind_columns, find_column
from horae.data.clock import Clock
from horae.data.columns import Array
from horae.data.fact_tables import check_names
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS, Interval
from horae.data.layout import Place
from horae.data.roll import note
from horae.data.schema import Input
from horae.data.typed_columns import Given, typed_orders, typed_times, typed_values
from horae.data.values import ARROW_TYPES
from horae.source.errors import InputError

TIME, ORDER = "time", "order"
_READ = Clock("s", "s", natural=True)  # times of facts are time points already
_AT = "@"  # no name of a column


def place_name(place: int) -> str:
    """The name of a column, by its place."""
    return f"c{place}"


def schema_of(item: Input) -> pa.Schema:
    """`order` is text that sorts as it should among equal times; null without an order column."""
    fields = {
        place_name(place): ARROW_TYPES[column.type] for place, column in enumerate(item.columns)
    }
    if item.is_stream:
        fields |= {TIME: pa.int64(), ORDER: pa.string()}
    return pa.schema(fields)


@dataclass(frozen=True, slots=True)
class InputLayout:
    """Which columns of a table are what. `typed` is false where values are text without types."""

    item: Input
    columns: tuple[str, ...]
    time: str | None
    order: str | None
    typed: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Each once: the time may be read as a column too."""
        beside = (name for name in (self.time, self.order) if name is not None)
        return tuple(dict.fromkeys((*self.columns, *beside)))


def lay_out(
    item: Input,
    names: Sequence[str],
    *,
    time: str = TIME,
    order: str | None = None,
    typed: bool = True,
    place: str = "",
    picked: Sequence[str] | None = None,
) -> InputLayout:
    """Columns by their names, or those that are `picked`, in order; a stream has also a time column."""
    check_names(names, place)
    columns = bind_columns(item, names, picked, place)
    if not item.is_stream:
        return InputLayout(item, columns, None, None, typed)
    clock = find_column(time, names, place)
    if clock is None:
        raise catalogue.no_time_column(item, time, names, place)
    ranked = None if order is None else find_column(order, names, place)
    return InputLayout(item, columns, clock, ranked, typed)


def find_input(name: str, inputs: Mapping[str, Input], place: str) -> Input:
    """Names are the same in any case; `inputs` has them in lower case."""
    item = inputs.get(name.lower())
    if item is None:
        raise catalogue.unknown_input(name, place, [i.name for i in inputs.values()])
    note(item.name, place)
    return item


Columns = Mapping[str, Given]


def read_rows(layout: InputLayout, columns: Columns, rows: int, place: Place) -> pa.Table:
    """Typed columns; the first wrong value is an error with its row and column."""
    item = layout.item
    arrays: list[Array] = [
        typed_values(columns[name], column.type, name, layout.typed, place)
        for name, column in zip(layout.columns, item.columns, strict=True)
    ]
    if layout.time is not None:
        arrays.append(typed_times(columns[layout.time], layout.time, item.clock, place))
        ordered = None if layout.order is None else columns[layout.order]
        arrays.append(pa.nulls(rows, pa.string()) if ordered is None else typed_orders(ordered))
    return pa.table(arrays, schema=schema_of(item))


# --- facts


def read_facts(facts: Iterable[GroundFact], inputs: Mapping[str, Input]) -> dict[str, pa.Table]:
    """A table per registered name; facts about other names are not needed.

    The row of an error is the number of the fact, counted from 1.
    """
    rows: dict[str, dict[int, GroundFact]] = {item.name: {} for item in inputs.values()}
    for number, fact in enumerate(facts, 1):
        item = inputs.get(fact.predicate.lower())
        if item is not None:
            _check(item, fact, number)
            rows[item.name][number] = fact
    return {item.name: _facts(item, rows[item.name]) for item in inputs.values()}


def _check(item: Input, fact: GroundFact, number: int) -> None:
    if len(fact.arguments) != len(item.columns):
        raise catalogue.wrong_arity(item, len(fact.arguments), number)
    if item.is_stream and fact.interval == ALWAYS:
        raise catalogue.needs_time(item, number)
    if not item.is_stream and fact.interval != ALWAYS:
        raise catalogue.takes_no_time(item, number)


def _facts(item: Input, rows: dict[int, GroundFact]) -> pa.Table:
    """`rows` are facts by their numbers."""
    names = tuple(column.name for column in item.columns)
    item, facts = replace(item, clock=_READ), list(rows.values())
    columns: dict[str, list[object]] = {
        name: [fact.arguments[i] for fact in facts] for i, name in enumerate(names)
    }
    columns[_AT] = [_written(fact.interval) for fact in facts]
    layout = InputLayout(item, names, _AT if item.is_stream else None, None, True)
    try:
        return read_rows(layout, columns, len(facts), Place())
    except InputError as error:
        number = None if error.row is None else list(rows)[error.row - 1]
        raise error.at("", number) from None


def _written(interval: Interval) -> object:
    return interval.low if interval.is_punctual else interval
