"""Every message about input, so that the words stand in one place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from horae.data.cell_messages import IS_NO_TIME, TIME_IS_MISSING, CellMessage, quoted
from horae.data.clock import DECIMALS, Clock, Problem, WrongTimeError
from horae.data.layout import Place
from horae.data.numbers import is_number
from horae.data.types import Type
from horae.source.errors import InputError
from horae.source.messages import Message
from horae.source.suggest import did_you_mean

_PRECISIONS = {0: "1 s", 3: "1 ms", 6: "1 µs", 9: "1 ns"}
_FINER = {0: "ms", 3: "us", 6: "ns"}
_TIME_HELP = "a time is a number of seconds, a timestamp, or text such as 2024-05-01T12:00:00Z"
THE_TIME = "the time"

CANNOT_WRITE = Message("ENV003", "{what} cannot be written: {reason}")
NO_POLARS = Message(
    "ENV030",
    "polars is not installed",
    "install it with `pip install polars`, or use `to_arrow` or `to_pandas`",
)
OUTPUT_NOT_EMPTY = Message(
    "ENV040",
    "the directory `{path}` for the answers is not empty",
    "name a new directory, or replace what is there with --overwrite",
)
OUTPUT_IS_FILE = Message(
    "ENV041",
    "`{path}` is a file; tables of answers go to a directory",
    "name a directory, or leave --format out to write one file",
)
TIME_TOO_LARGE = Message(
    "RUN070",
    "the time {found} of an answer does not fit into the type that the times of the input have",
    "count time from a later moment, or give the input times as doubles",
)
VALUE_TOO_LARGE = Message(
    "RUN071",
    "the number {found} of an answer does not fit into its column, whose type follows from the input",
    "give the input smaller numbers, or read the answers as JSON Lines, where numbers have any size",
)
NO_FILES_YET = Message(
    "INP001",
    "there are no files in the directory `{path}` yet",
    "put a first file there: a stream takes its format and its columns from it",
)
COLUMN_TWICE = Message(
    "INP007",
    "the column `{name}` exists twice",
    "rename one of them, or give all columns other names with --columns",
)
UNREADABLE = "INP003"
"""The code of files that cannot be read."""
ARGUMENT_TWICE = Message(
    "INP007",
    "the column `{name}` exists twice",
    "each column has a name of its own: rename one of them",
)
MALFORMED_ROW = Message("INP017", "{problem}", "{remedy}")
SOURCE_FOR_SPARK = Message(
    "INP084",
    "`{path}` is a table of Spark's catalog, or of a format that only Spark reads",
    "leave `--engine local` out",
)
TOPIC_FOR_SPARK = Message(
    "INP075",
    "`{path}` is a topic of Kafka, and only Spark reads those",
    "leave `--engine local` out",
)


NOT_FINITE = CellMessage(
    "INP010",
    "the column `{column}` holds {found}, which is not a finite number",
    "leave the value out where there is none: an empty cell or null",
)
NO_EVENT_TIME = CellMessage("INP011", TIME_IS_MISSING, "every row is an event and needs a time")
NOT_AN_EVENT_TIME = CellMessage("INP012", IS_NO_TIME, _TIME_HELP)
TOO_FINE = CellMessage(
    "INP013", "the time {found} in `{column}` is finer than {precision}", "{remedy}"
)
INEXACT_TIME = CellMessage(
    "INP014",
    "a double cannot hold the time {found} in `{column}` to {precision}",
    "give the time as a timestamp, as text or as a decimal, or use a coarser --precision",
)
TIME_OUT_OF_RANGE = CellMessage(
    "INP015",
    "the time {found} in `{column}` is more than 2^62 ticks from time 0",
    "use a coarser --precision, or say with --time-unit that it counts ms, us or ns",
)


def no_such_file(path: str, similar: str | None) -> InputError:
    return InputError(
        "INP001",
        f"there is no file, directory or match for `{path}`",
        help=f"did you mean `{similar}`?" if similar else "",
    )


def no_files_in(directory: str) -> InputError:
    return InputError(
        "INP001",
        f"there are no files in the directory `{directory}`",
        help="files whose names start with `_` or `.` are not read",
    )


def unknown_ending(path: str, endings: Sequence[str]) -> InputError:
    return InputError(
        "INP002",
        f"the ending of `{path}` names no format",
        help=f"files must end with {', '.join(endings[:-1])} or {endings[-1]}",
    )


def unreadable(place: str, reason: str, help: str = "") -> InputError:
    return InputError(UNREADABLE, f"the file cannot be read: {reason}", place=place, help=help)


def empty_file(place: str) -> InputError:
    return InputError(
        "INP004",
        "the file is empty",
        place=place,
        help="a CSV file starts with the names of its columns; a JSON Lines file has an object per line",
    )


def header_needed(place: str) -> InputError:
    return InputError(
        "INP005",
        "a CSV file without a header needs names for its columns",
        place=place,
        help="name them in order: --columns user,product,stars,ts",
    )


def missing_column(place: str, name: str, what: str, found: Sequence[str]) -> InputError:
    columns = f"the columns are: {', '.join(found)}" if found else "there are no columns"
    return InputError(
        "INP006",
        f"there is no column `{name}` for {what}",
        place=place,
        help=f"{_column_help(name, what, found)} {columns}".strip(),
    )


def _column_help(name: str, what: str, found: Sequence[str]) -> str:
    if any(is_number(column) for column in found):
        return "a CSV file without a header needs --columns, the names in order;"
    guess = did_you_mean(name, found)
    return "name it with --time;" if what == THE_TIME and not guess else guess


def wrong_column(place: str, name: str, found: str, expected: Type) -> InputError:
    return InputError(
        "INP008",
        f"the column `{name}` holds {found}, but the input is declared {expected}",
        place=place,
        help=f"change the declaration of `{name}` or convert the column",
    )


def wrong_value(place: Place, index: int, name: str, found: object, expected: Type) -> InputError:
    return InputError(
        "INP009",
        f"the column `{name}` holds {quoted(found)}, which is not {_article(expected)}",
        place=place.name,
        row=place.row(index),
        help=_VALUE_HELP[expected],
    )


_VALUE_HELP = {
    Type.INT: "an int is a whole number of at most 64 bits, without a point; "
    "no value is an empty cell or null",
    Type.DOUBLE: "a double is a number such as 4, -2.5 or 1e-3; no value is an empty cell or null",
    Type.BOOL: "a bool is true or false; no value is an empty cell or null",
    Type.STRING: "a string is text; convert numbers to text or change the declaration",
}


def wrong_time_column(place: Place, name: str, found: str) -> InputError:
    return InputError(
        "INP012",
        f"the column `{name}` holds {found}, which is not a time",
        place=place.name,
        help=_TIME_HELP,
    )


def wrong_time(place: Place, name: str, clock: Clock, error: WrongTimeError) -> InputError:
    """The message about the first value of a time column that is no time."""
    index, found, decimals = error.index, error.value, DECIMALS[clock.precision or "s"]
    precision, finer = _PRECISIONS[decimals], _FINER.get(decimals)
    match error.problem:
        case Problem.MISSING:
            return NO_EVENT_TIME(place, index, name)
        case Problem.WRONG_TYPE:
            return wrong_time_column(place, name, str(found))
        case Problem.NOT_FINITE:
            return NOT_FINITE(place, index, name, found)
        case Problem.TOO_FINE:
            remedy = f"use --precision {finer}" if finer else "times are kept to 1 ns at best"
            return TOO_FINE(place, index, name, found, precision=precision, remedy=remedy)
        case Problem.INEXACT:
            return INEXACT_TIME(place, index, name, found, precision=precision)
        case Problem.TOO_LARGE:
            return TIME_OUT_OF_RANGE(place, index, name, found)
        case Problem.NO_TIME | Problem.BEFORE_ZERO:
            return NOT_AN_EVENT_TIME(place, index, name, found)
        case _:
            assert_never(error.problem)


def unknown_key(place: Place, index: int, key: object, known: Sequence[str]) -> InputError:
    guess = did_you_mean(str(key), known)
    return InputError(
        "INP016",
        f"the key {quoted(key)} is neither the time nor an input of the program",
        place=place.name,
        row=place.row(index),
        help=f"{guess} the keys are: {', '.join(known)}".strip(),
    )


def malformed_row(place: Place, index: int, problem: str, help: str = "") -> InputError:
    return MALFORMED_ROW(problem=problem, remedy=help, place=place.name, row=place.row(index))


def mixed_endings(endings: Sequence[str]) -> InputError:
    return InputError(
        "INP018",
        f"the files have several formats: {', '.join(endings)}",
        help="run them one format at a time, or convert them to one",
    )


def _article(expected: Type) -> str:
    return f"{'an' if expected is Type.INT else 'a'} {expected}"
