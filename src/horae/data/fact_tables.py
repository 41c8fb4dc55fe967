"""Facts of one predicate from a table: a column per argument, in order, and columns for the time.

A column may also be named that orders facts of equal time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from horae.data import catalogue_facts as catalogue
from horae.data.clock import SECONDS
from horae.data.constants import Value
from horae.data.fact_values import constant, constant_of_text
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS, Interval, point
from horae.data.layout import Place
from horae.data.numbers import parse_bool
from horae.data.roll import note, note_large_time

FROM, TO = "from", "to"
FROM_OPEN, TO_OPEN = "from_open", "to_open"
INTERVAL_COLUMNS = (FROM, TO, FROM_OPEN, TO_OPEN)

Columns = Mapping[str, Sequence[object]]


@dataclass(frozen=True, slots=True)
class FactTable:
    """Which columns of a table are what. Without time columns its facts always hold.

    `typed` is false where values are text without types, as in CSV.
    """

    predicate: str
    arguments: tuple[str, ...]
    time: str | None
    interval: tuple[str, ...]
    typed: bool = True
    order: str | None = None

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
) -> FactTable:
    """The time, or `from` and `to`, and the order, if they are there; other columns are arguments."""
    check_names(names, place)
    if order is not None and order in names:
        rest = _without(names, (order,))
        table = lay_out(predicate, rest, arities, time=time, typed=typed, place=place)
        return replace(table, order=order)
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
    return table


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
            raise catalogue.column_twice(name, place)


def _without(names: Sequence[str], taken: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in taken)


def read_table(table: FactTable, columns: Columns, rows: int, place: Place) -> list[GroundFact]:
    """A fact per row; the first wrong value is an error with its row and column."""
    arguments = [_constants(columns[n], n, place, table.typed) for n in table.arguments]
    tuples: Iterator[tuple[Value, ...]] = zip(*arguments, strict=True)
    if not arguments:
        tuples = iter([()] * rows)
    times = _intervals(table, columns, rows, place)
    return [
        GroundFact(table.predicate, values, interval, order)
        for values, interval, order in zip(
            tuples, times, _orders(table, columns, rows, place), strict=True
        )
    ]


def _orders(table: FactTable, columns: Columns, rows: int, place: Place) -> Sequence[Value | None]:
    """Nothing where there is no such column, or the cell is empty."""
    if table.order is None:
        return [None] * rows
    return _values(columns[table.order], table.order, place, table.typed)


def _constants(found: Sequence[object], name: str, place: Place, typed: bool) -> list[Value]:
    values: list[Value] = []
    for index, value in enumerate(_values(found, name, place, typed)):
        if value is None:
            raise catalogue.no_argument(place, index, name)
        values.append(value)
    return values


def _values(found: Sequence[object], name: str, place: Place, typed: bool) -> list[Value | None]:
    """Values repeat: each is understood once."""
    known: dict[tuple[type, object], Value] = {}
    values: list[Value | None] = []
    for index, value in enumerate(found):
        if value is None:
            values.append(None)
            continue
        try:
            read = known.get((type(value), value))
        except TypeError:
            raise catalogue.not_a_constant(place, index, name, value) from None
        if read is None:
            bare = isinstance(value, str) and not typed
            read = constant_of_text(str(value)) if bare else constant(value)
            if read is None:
                raise catalogue.not_a_constant(place, index, name, value)
            known[type(value), value] = read
        values.append(read)
    return values


# --- times


def _intervals(table: FactTable, columns: Columns, rows: int, place: Place) -> Iterator[Interval]:
    if table.time is not None:
        return _points(columns[table.time], table.time, place)
    if table.interval:
        return _from_to(table, columns, rows, place)
    return iter([ALWAYS] * rows)


def _points(found: Sequence[object], name: str, place: Place) -> Iterator[Interval]:
    for index, value in enumerate(found):
        time = _end(value, index, name, place)
        if time is None:
            raise catalogue.no_time(place, index, name)
        yield point(time)


def _from_to(table: FactTable, columns: Columns, rows: int, place: Place) -> Iterator[Interval]:
    """Without a beginning or an end where the cell is empty."""
    none = [None] * rows
    opens = (columns[FROM_OPEN] if FROM_OPEN in table.interval else none, FROM_OPEN)
    closes = (columns[TO_OPEN] if TO_OPEN in table.interval else none, TO_OPEN)
    for index, (low, high) in enumerate(zip(columns[FROM], columns[TO], strict=True)):
        interval = Interval(
            _end(low, index, FROM, place),
            _end(high, index, TO, place),
            _flag(opens[0][index], index, opens[1], place),
            _flag(closes[0][index], index, closes[1], place),
        )
        if interval.is_empty:
            raise catalogue.empty_interval(place, index, interval)
        yield interval


def _end(found: object, index: int, name: str, place: Place) -> Fraction | None:
    if found is None or found == "":
        return None
    time = SECONDS.exact(found)
    if time is None:
        raise catalogue.not_a_time(place, index, name, found)
    note_large_time(found, time, SECONDS)
    return time


def _flag(found: object, index: int, name: str, place: Place) -> bool:
    if found is None or isinstance(found, bool):
        return bool(found)
    flag = parse_bool(str(found))
    if flag is None:
        raise catalogue.not_open_or_closed(place, index, name, found)
    return flag
