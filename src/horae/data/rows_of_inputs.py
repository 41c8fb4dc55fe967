"""Rows of CQL streams and relations as typed columns: c0, c1, …, and for a stream `time` and `order`.

The same for files, facts and the batches of a DataFrame: all refuse the same values with the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from horae.data import catalogue_rows as catalogue
from horae.data.bind_columns import bind_columns, find_column
from horae.data.clock import Clock
from horae.data.columns import Array
from horae.data.fact_tables import check_names
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS, Interval
from horae.data.layout import Place
from horae.data.predicate_facts import (
    Constants,
    Integers,
    PredicateFacts,
    facts_by_predicate,
    ground_facts,
)
from horae.data.roll import note
from horae.data.schema import RegisteredInput
from horae.data.table_blocks import TableBlock, blocks_of, repeated
from horae.data.typed_columns import Given, GivenColumns, typed_column, typed_orders, typed_times
from horae.data.values import ARROW_TYPES
from horae.source.errors import InputError

TIME, ORDER = "time", "order"
_READ = Clock("s", "s", natural=True)  # times of facts are time points already
_AT = "@"  # no name of a column


def place_name(place: int) -> str:
    """The name of a column, by its place."""
    return f"c{place}"


def schema_of(item: RegisteredInput) -> pa.Schema:
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

    item: RegisteredInput
    columns: tuple[str, ...]
    time: str | None
    order: str | None
    typed: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The columns to read, each once: the time may be read as a column too."""
        beside = (name for name in (self.time, self.order) if name is not None)
        return tuple(dict.fromkeys((*self.columns, *beside)))


def lay_out_input(
    item: RegisteredInput,
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
        raise catalogue.stream_without_time(item, time, names, place)
    ranked = None if order is None else find_column(order, names, place)
    return InputLayout(item, columns, clock, ranked, typed)


def find_input(name: str, inputs: Mapping[str, RegisteredInput], place: str) -> RegisteredInput:
    """Names are the same in any case; `inputs` has them in lower case."""
    item = inputs.get(name.lower())
    if item is None:
        raise catalogue.unknown_input(name, place, [i.name for i in inputs.values()])
    note(item.name, place)
    return item


def read_input_rows(
    layout: InputLayout, columns: GivenColumns, rows: int, place: Place
) -> pa.Table:
    """Typed columns; the first wrong value is an error with its row and column."""
    return read_blocks(layout, blocks_of(columns, rows, place))


def read_blocks(layout: InputLayout, blocks: Iterable[TableBlock]) -> pa.Table:
    """The same for rows that come in blocks."""
    found = pa.concat_tables(_read_block(layout, *block) for block in blocks)
    if layout.time is None or layout.order is not None:
        return found
    return found.append_column(ORDER, repeated(None, pa.string(), len(found)))


def _read_block(layout: InputLayout, columns: GivenColumns, rows: int, place: Place) -> pa.Table:
    """Without the order, where no column has it."""
    item = layout.item
    arrays: list[Array] = [
        typed_column(columns[name], column.type, name, layout.typed, place)
        for name, column in zip(layout.columns, item.columns, strict=True)
    ]
    if layout.time is not None:
        arrays.append(typed_times(columns[layout.time], layout.time, item.clock, place))
    if layout.time is not None and layout.order is not None:
        arrays.append(typed_orders(columns[layout.order]))
    return pa.table(arrays, schema=pa.schema(list(schema_of(item))[: len(arrays)]))


# --- facts


def read_fact_columns(
    parts: Sequence[PredicateFacts], inputs: Mapping[str, RegisteredInput]
) -> dict[str, pa.Table]:
    """A table per registered name; facts about other names are not needed.

    The row of an error is the number of the fact, counted from 1.
    """
    tables = {item.name: _table_of(item, parts) for item in inputs.values()}
    whole = {name: table for name, table in tables.items() if table is not None}
    return whole if len(whole) == len(tables) else read_facts(ground_facts(parts), inputs)


def _table_of(item: RegisteredInput, parts: Sequence[PredicateFacts]) -> pa.Table | None:
    """Facts of one name by columns; None where they must be looked at one by one."""
    own = [part for part in parts if part.predicate.lower() == item.name.lower()]
    if not own:
        return schema_of(item).empty_table()
    if {(part.predicate, part.width) for part in own} != {(own[0].predicate, len(item.columns))}:
        return None
    facts = facts_by_predicate(own)[own[0].predicate]
    facts = facts.take(np.argsort(facts.numbers, kind="stable"))
    columns = [_plain(column) for column in facts.arguments]
    times = _moments(facts) if item.is_stream else _always(facts)
    names = [place_name(place) for place in range(facts.width)]
    given: dict[str, Given] = {n: c for n, c in zip(names, columns, strict=True) if c is not None}
    if times is None or len(given) != len(names):
        return None
    layout = InputLayout(
        replace(item, clock=_READ), tuple(names), _AT if item.is_stream else None, None, True
    )
    try:
        return read_input_rows(layout, {**given, _AT: times}, len(facts), Place())
    except InputError:
        return None  # and read again one by one, for the number of the fact


def _plain(column: Constants) -> Array | None:
    """An Arrow column of numbers or of texts; None of both, of rationals, and of large numbers."""
    if isinstance(column, Integers):
        return pa.array(column.numbers)
    if all(isinstance(value, str) for value in column.values):
        return pa.array(column.values, pa.string()).take(column.codes)
    whole = [v for v in column.values if isinstance(v, int) and -(2**63) <= v < 2**63]
    if len(whole) < len(column.values):
        return None
    return pa.array(np.array(whole, np.int64)[column.codes])


def _moments(facts: PredicateFacts) -> Array | None:
    """The time points of facts that hold at one each."""
    ends = (facts.low, facts.high)
    if any(e.is_infinite is not None or e.is_open is not None or e.denominator != 1 for e in ends):
        return None
    low, high = facts.low.numerators, facts.high.numerators
    return pa.array(low) if low.dtype == high.dtype == np.int64 and (low == high).all() else None


def _always(facts: PredicateFacts) -> Array | None:
    """Nothing, of facts that always hold."""
    ends = (facts.low.is_infinite, facts.high.is_infinite)
    return pa.nulls(0) if all(mask is not None and mask.all() for mask in ends) else None


def read_facts(
    facts: Iterable[GroundFact], inputs: Mapping[str, RegisteredInput]
) -> dict[str, pa.Table]:
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


def _check(item: RegisteredInput, fact: GroundFact, number: int) -> None:
    if len(fact.arguments) != len(item.columns):
        raise catalogue.wrong_number_of_values(item, len(fact.arguments), number)
    if item.is_stream and fact.interval == ALWAYS:
        raise catalogue.needs_time(item, number)
    if not item.is_stream and fact.interval != ALWAYS:
        raise catalogue.takes_no_time(item, number)


def _facts(item: RegisteredInput, rows: dict[int, GroundFact]) -> pa.Table:
    """`rows` are facts by their numbers."""
    names = tuple(column.name for column in item.columns)
    item, facts = replace(item, clock=_READ), list(rows.values())
    columns: dict[str, list[object]] = {
        name: [fact.arguments[i] for fact in facts] for i, name in enumerate(names)
    }
    columns[_AT] = [_written(fact.interval) for fact in facts]
    layout = InputLayout(item, names, _AT if item.is_stream else None, None, True)
    try:
        return read_input_rows(layout, columns, len(facts), Place())
    except InputError as error:
        number = None if error.row is None else list(rows)[error.row - 1]
        raise error.at("", number) from None


def _written(interval: Interval) -> object:
    return interval.low if interval.is_punctual else interval
