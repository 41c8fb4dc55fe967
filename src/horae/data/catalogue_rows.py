"""Every message about rows of CQL streams and relations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction

from horae.data.cell_messages import TIME_IS_MISSING, CellMessage, shortened
from horae.data.clock import LAST, NAMES, Clock, Problem, WrongTimeError
from horae.data.intervals import Interval
from horae.data.layout import Place
from horae.data.numbers import show
from horae.data.rationals import write_number
from horae.data.schema import RegisteredInput
from horae.data.types import Type
from horae.source.errors import InputError
from horae.source.suggest import did_you_mean

_SAYS = {
    Type.INT: "a whole number of 64 bits",
    Type.DOUBLE: "a finite number",
    Type.STRING: 'text, such as `a1` or `"7"`',
    Type.BOOL: "true or false",
}


NO_VALUE = CellMessage(
    "INP046", "the value of `{column}` is missing", "streams and relations have no nulls"
)
NO_ROW_TIME = CellMessage(
    "INP046",
    TIME_IS_MISSING,
    "every row of a stream has a time; rows that hold at all times are a relation",
)


def unknown_input(name: str, place: str, known: Sequence[str]) -> InputError:
    return InputError(
        "INP042",
        f"the queries register no stream or relation `{name}`",
        place=place,
        help=f"{did_you_mean(name, known)} registered are: {', '.join(known)}".strip(),
    )


def missing_columns(
    item: RegisteredInput, missing: Sequence[str], found: Sequence[str], place: str
) -> InputError:
    columns = ", ".join(f"`{name}`" for name in found) or "none"
    guesses = [did_you_mean(name, found) for name in missing]
    picked = ", ".join("…" for _ in item.columns)
    return InputError(
        "INP120",
        f"the table of `{item.name}` has no {_listed(missing)}; its columns are {columns}",
        place=place,
        help=" ".join(filter(None, guesses))
        or f"columns are found by their names; `{item.name}({picked})=PATH` says which ones to read",
    )


def _listed(names: Sequence[str]) -> str:
    listed = ", ".join(f"`{name}`" for name in names)
    return f"column {listed}" if len(names) == 1 else f"columns {listed}"


def wrong_number_of_columns(item: RegisteredInput, picked: Sequence[str], place: str) -> InputError:
    expected = ", ".join(f"`{column.name}`" for column in item.columns)
    return InputError(
        "INP121",
        f"`{item.name}` has {_number(len(item.columns))}: {expected}, "
        f"but {_number(len(picked))} of the table {'is' if len(picked) == 1 else 'are'} named",
        place=place,
        help=f"name a column of the table for each, in order, or write `{item.name}=PATH`",
    )


def ambiguous_input_column(name: str, found: Sequence[str], place: str) -> InputError:
    columns = ", ".join(f"`{other}`" for other in found)
    return InputError(
        "INP122",
        f"the column `{name}` may be each of {columns}",
        place=place,
        help=f"names are the same in any case: `NAME({found[0]}, …)=PATH` says which one to read",
    )


def stream_without_time(
    item: RegisteredInput, time: str, found: Sequence[str], place: str
) -> InputError:
    columns = ", ".join(f"`{name}`" for name in found)
    return InputError(
        "INP044",
        f"`{item.name}` is a stream, but none of its columns is called `{time}`: {columns}",
        place=place,
        help="say with --time which column is the time",
    )


def wrong_number_of_values(item: RegisteredInput, found: int, row: int) -> InputError:
    columns = ", ".join(f"`{column.name}`" for column in item.columns)
    return InputError(
        "INP043",
        f"`{item.name}` has {_number(len(item.columns))}: {columns}, but {_number(found, 'value')} here",
        row=row,
        help="a row has a value per column, in order",
    )


def _number(count: int, noun: str = "column") -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def needs_time(item: RegisteredInput, row: int) -> InputError:
    return InputError(
        "INP044",
        f"`{item.name}` is a stream: its rows need a time",
        row=row,
        help=f"write for example `{item.name.lower()}(…)@36`",
    )


def takes_no_time(item: RegisteredInput, row: int) -> InputError:
    return InputError(
        "INP045",
        f"`{item.name}` is a relation: its rows hold at all times and have none",
        row=row,
        help=f"leave the time out, or register it as a stream: `REGISTER STREAM {item.name}(…)`",
    )


def not_a_value(place: Place, index: int, column: str, type: Type, found: object) -> InputError:
    return InputError(
        "INP047",
        f"`{_shown(found)}` is no value of `{column}`, which is {type}",
        place=place.name,
        row=place.row(index),
        help=f"the column takes {_SAYS[type]}",
    )


_FINER = "; --precision ms (us, ns) makes them smaller, --time-unit says what numbers count"


def wrong_time_point(place: Place, name: str, clock: Clock, error: WrongTimeError) -> InputError:
    """The message about the first value of a time column that is no time point."""
    if error.problem is Problem.MISSING:
        return NO_ROW_TIME(place, error.index, name)
    why, is_fine = _why_no_time(clock, error), error.problem is Problem.TOO_FINE
    return not_a_time_point(place, error.index, error.value, why, clock, is_fine=is_fine)


def _why_no_time(clock: Clock, error: WrongTimeError) -> str:
    match error.problem:
        case Problem.BEFORE_ZERO:
            return "it is before 0"
        case Problem.TOO_LARGE:
            return f"it is too large, the last one is {LAST} (2^62)"
        case Problem.TOO_FINE | Problem.INEXACT:
            return "it is not a whole number" + _of_points(clock)
        case _:
            is_interval = isinstance(error.value, Interval)
            return "it is an interval" if is_interval else "it is no number and no date"


def _of_points(clock: Clock) -> str:
    return "" if clock.precision in (None, "s") else f" of {NAMES[clock.precision]}"


def not_a_time_point(
    place: Place, index: int, found: object, why: str, clock: Clock, *, is_fine: bool
) -> InputError:
    unit = NAMES[clock.precision or "s"]
    return InputError(
        "INP048",
        f"`{_shown(found)}` is not a time point: {why}",
        place=place.name,
        row=place.row(index),
        help=f"time points are whole numbers from 0 on, or dates (in {unit} since 1970)"
        + (_FINER if is_fine else ""),
    )


def _shown(found: object) -> str:
    try:
        text = show(_text(found))
    except ValueError:  # Python does not write integers of thousands of digits
        text = show(found)
    return shortened(text)


def _text(found: object) -> str:
    match found:
        case Fraction():
            return write_number(found)
        case list() | dict():
            return json.dumps(found, ensure_ascii=False, default=str)
        case _:
            return str(found)
