"""Facts of one predicate from a table: a column per argument, in order, and columns for the time.

A column may also be named that orders facts of equal time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from horae.data import catalogue_facts as catalogue
from horae.data.bind_columns import read_table_name
from horae.data.catalogue import ARGUMENT_TWICE
from horae.data.clock import SECONDS, Clock
from horae.data.columns import Mask
from horae.data.constant_columns import WrongValue, first_missing, read_constants
from horae.data.end_columns import read_ends, read_flags
from horae.data.layout import Place
from horae.data.predicate_facts import (
    Constants,
    Ends,
    PredicateFacts,
    are_empty,
    interval_at,
    no_ends,
)
from horae.data.roll import note
from horae.data.typed_columns import Given, GivenColumns
from horae.source.errors import InputError

FROM, TO = "from", "to"
FROM_OPEN, TO_OPEN = "from_open", "to_open"
INTERVAL_COLUMNS = (FROM, TO, FROM_OPEN, TO_OPEN)

Refusal = Callable[[Place, int, str, object], InputError]


@dataclass(frozen=True, slots=True)
class FactTable:
    """Which columns of a table are what. Without time columns its facts always hold.

    `typed` is false where values are text without types, as in CSV; `is_picked` is true where the
    arguments were picked by name, so that the table may have other columns.
    """

    predicate: str
    arguments: tuple[str, ...]
    time: str | None
    interval: tuple[str, ...]
    typed: bool = True
    order: str | None = None
    clock: Clock = SECONDS
    is_picked: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        others = tuple(name for name in (self.time, self.order) if name is not None)
        return (*self.arguments, *others, *self.interval)


def lay_out(
    predicate: str,
    names: Sequence[str],
    arities: Mapping[str, int],
    *,
    time: str = "time",
    order: str | None = None,
    typed: bool = True,
    place: str = "",
    clock: Clock = SECONDS,
) -> FactTable:
    """The time, or `from` and `to`, and the order, if they are there; other columns are arguments.

    `p(x, y)` for a predicate says which columns are the arguments, in order; others are not read.
    """
    check_names(names, place)
    named = read_table_name(predicate)
    if named.columns is not None:
        kept = _pick(named.columns, names, (time, order, *INTERVAL_COLUMNS), place)
        table = lay_out(
            named.name, kept, arities, time=time, order=order, typed=typed, place=place, clock=clock
        )
        return replace(table, is_picked=True)
    if order is not None and order in names:
        rest = _without(names, (order,))
        table = lay_out(predicate, rest, arities, time=time, typed=typed, place=place)
        return replace(table, order=order, clock=clock)
    if predicate not in arities:
        raise catalogue.unknown_predicate(predicate, place, sorted(arities))
    note(predicate, place)
    arity, has_ends = arities[predicate], FROM in names and TO in names
    if time in names:
        table = FactTable(predicate, _without(names, (time,)), time, (), typed)
    elif has_ends and len(names) >= arity + 2:
        ends = tuple(name for name in INTERVAL_COLUMNS if name in names)
        table = FactTable(predicate, _without(names, ends), None, ends, typed)
    else:
        table = FactTable(predicate, tuple(names), None, (), typed)
    if not has_ends and time not in names and len(names) == arity + 1:
        raise catalogue.no_time_column(predicate, names, time, place)
    if len(table.arguments) != arity:
        raise catalogue.wrong_columns(predicate, table.arguments, arity, place)
    return replace(table, clock=clock)


def _pick(
    columns: Sequence[str], names: Sequence[str], times: Sequence[str | None], place: str
) -> list[str]:
    """The picked columns, and those of the time and the order."""
    for column in columns:
        if column not in names:
            raise catalogue.no_such_column(column, names, place)
    return [*columns, *(name for name in names if name in times and name not in columns)]


def with_ends(
    predicate: str, names: Sequence[str], arities: Mapping[str, int], time: str
) -> list[str]:
    """The names of columns, where the last two are the time of a fact if no others say so.

    Such are the tables of MeTeoR.
    """
    named = time in names or (FROM in names and TO in names)
    if named or len(names) != arities[predicate] + 2:
        return list(names)
    return [*names[:-2], FROM, TO]


def check_names(names: Sequence[str], place: str) -> None:
    """Each column once: the values of one would take the place of the other's."""
    for name in names:
        if names.count(name) > 1:
            raise ARGUMENT_TWICE(name=name, place=place)


def _without(names: Sequence[str], taken: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in taken)


def read_table(table: FactTable, columns: GivenColumns, rows: int, place: Place) -> PredicateFacts:
    """A fact per row; the first wrong value is an error with its row and column."""
    arguments = tuple(
        _arguments(columns[name], name, place, table.typed) for name in table.arguments
    )
    order = None
    if table.order is not None:
        order = _constants(columns[table.order], table.order, place, table.typed).coded()
    low, high = _times(table, columns, rows, place)
    first = (place.row(0) or 1) - 1
    numbers = range(first, first + rows)
    return PredicateFacts(table.predicate, arguments, low, high, numbers, order)


def _arguments(column: Given, name: str, place: Place, typed: bool) -> Constants:
    found = _constants(column, name, place, typed)
    missing = first_missing(found)
    if missing is not None:
        raise catalogue.NO_ARGUMENT(place, missing, name)
    return found


def _constants(column: Given, name: str, place: Place, typed: bool) -> Constants:
    found, wrong = read_constants(column, typed)
    if wrong is not None:
        raise catalogue.NOT_A_CONSTANT(place, wrong.row, name, wrong.value)
    return found


# --- times


def _times(table: FactTable, columns: GivenColumns, rows: int, place: Place) -> tuple[Ends, Ends]:
    if table.time is not None:
        points = _points(columns[table.time], table.time, place, table.clock)
        return points, points
    if table.interval:
        return _from_to(table, columns, place)
    return no_ends(rows), no_ends(rows)


def _points(column: Given, name: str, place: Place, clock: Clock) -> Ends:
    """What is wrong first is told; an empty cell is no wrong value, but a missing one."""
    points, wrong = read_ends(column, clock)
    if points.is_infinite is not None:
        raise catalogue.NO_FACT_TIME(place, int(np.argmax(points.is_infinite)), name)
    if wrong is not None:
        raise catalogue.NOT_A_FACT_TIME(place, wrong.row, name, wrong.value)
    return points


def _from_to(table: FactTable, columns: GivenColumns, place: Place) -> tuple[Ends, Ends]:
    """Without a beginning or an end where the cell is empty. What is wrong first is told."""
    (low, wrong_low), (high, wrong_high) = (read_ends(columns[n], table.clock) for n in (FROM, TO))
    flags = {name: read_flags(columns[name]) for name in table.interval if name not in (FROM, TO)}
    errors = [
        *_refused(wrong_low, FROM, catalogue.NOT_A_FACT_TIME, place),
        *_refused(wrong_high, TO, catalogue.NOT_A_FACT_TIME, place),
        *(
            error
            for name, (_, wrong) in flags.items()
            for error in _refused(wrong, name, catalogue.NOT_OPEN_OR_CLOSED, place)
        ),
    ]
    low, high = _opened(low, flags.get(FROM_OPEN)), _opened(high, flags.get(TO_OPEN))
    errors += _empty(low, high, place)
    if errors:
        raise min(errors, key=lambda error: error[0])[1]
    return low, high


def _opened(ends: Ends, flags: tuple[Mask, WrongValue | None] | None) -> Ends:
    """There are fewer ends than flags before a wrong one."""
    return ends if flags is None else replace(ends, is_open=flags[0][: len(ends)])


def _refused(
    wrong: WrongValue | None, name: str, refuse: Refusal, place: Place
) -> list[tuple[int, InputError]]:
    return [] if wrong is None else [(wrong.row, refuse(place, wrong.row, name, wrong.value))]


def _empty(low: Ends, high: Ends, place: Place) -> list[tuple[int, InputError]]:
    rows = np.arange(min(len(low), len(high)))
    empty = are_empty(low.take(rows), high.take(rows))
    if not empty.any():
        return []
    row = int(np.argmax(empty))
    return [(row, catalogue.empty_interval(place, row, interval_at(low, high, row)))]
