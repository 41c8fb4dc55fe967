"""Every message about facts for rule languages."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from horae.data.cell_messages import IS_NO_TIME, TIME_IS_MISSING, CellMessage, quoted
from horae.data.layout import Place
from horae.source.diagnostic import Diagnostic
from horae.source.errors import InputError
from horae.source.messages import Message
from horae.source.suggest import did_you_mean
from horae.source.text import Source, Span

TIMELESS_IN_STREAM = Message(
    "INP055", "a fact about `{predicate}` comes in a stream, but has no time", "{remedy}"
)
DURATION_TOO_FINE = Message(
    "INP170",
    "{problem}",
    "say --precision {needed}: time points are then small enough for all durations of the program",
)
DURATION_TOO_LONG = Message("INP170", "{problem}", "use a coarser --precision than {precision}")

NO_ARGUMENT = CellMessage(
    "INP022", "the argument in `{column}` is missing", "every argument of a fact has a value"
)
NOT_A_CONSTANT = CellMessage(
    "INP023",
    "the column `{column}` holds {found}, which cannot be an argument",
    "arguments are finite numbers or text",
)
NO_FACT_TIME = CellMessage(
    "INP024", TIME_IS_MISSING, "facts that always hold come in a table without a time column"
)
NOT_A_FACT_TIME = CellMessage(
    "INP025",
    IS_NO_TIME,
    "a time is a number, a rational such as 7/2, a timestamp, or text such as 2024-05-01T12:00:00Z",
)
TIME_TOO_LARGE = CellMessage(
    "INP026",
    "the time {found} in `{column}` does not fit into 64 bits",
    "count time from a later moment, or use coarser rationals",
)
NOT_OPEN_OR_CLOSED = CellMessage(
    "INP028",
    "the column `{column}` holds {found}, which is neither true nor false",
    "true: the end is open, it does not belong to the interval",
)


def bad_line(found: Diagnostic, place: str) -> InputError:
    """A mistake in a `.facts` text, with the code that it has in programs."""
    return InputError(found.code, found.message, place=place, help=found.help)


def place_of(source: Source, span: Span) -> str:
    """File, line and column of a beginning."""
    position = source.position(span.start)
    return f"{source.name}:{position.line}:{position.column}"


def unknown_predicate(name: str, place: str, known: Sequence[str]) -> InputError:
    return InputError(
        "INP020",
        f"the program has no predicate `{name}`",
        place=place,
        help=f"{did_you_mean(name, known)} its predicates are: {', '.join(known)}".strip(),
    )


def wrong_arity(
    name: str, found: int, expected: int, place: str = "", row: int | None = None
) -> InputError:
    return _other_arity(name, found, f"{_arguments(expected)} in the program", place, row)


def other_arity(name: str, found: int, expected: int, row: int | None = None) -> InputError:
    """Facts that differ in the arguments of a predicate that the program does not have."""
    return _other_arity(name, found, f"{_arguments(expected)} in another fact", "", row)


def _other_arity(name: str, found: int, expected: str, place: str, row: int | None) -> InputError:
    return InputError(
        "INP021",
        f"`{name}` has {expected}, but {found} here",
        place=place,
        row=row,
        help="facts and rules must agree on the number of arguments",
    )


def wrong_columns(name: str, found: Sequence[str], expected: int, place: str) -> InputError:
    number = f"{len(found)} column{'' if len(found) == 1 else 's'}"
    columns = ", ".join(f"`{column}`" for column in found) or "none"
    return InputError(
        "INP021",
        f"`{name}` has {_arguments(expected)}, but the table has {number} for them: {columns}",
        place=place,
        help="a table has a column per argument, in order",
    )


def no_such_column(column: str, found: Sequence[str], place: str) -> InputError:
    """A column that was picked by its name."""
    columns = ", ".join(f"`{name}`" for name in found) or "none"
    return InputError(
        "INP141",
        f"the table has no column `{column}`; its columns are {columns}",
        place=place,
        help=did_you_mean(column, found)
        or "pick columns of the table, such as --input 'p(id)=PATH'",
    )


def no_time_column(name: str, found: Sequence[str], time: str, place: str) -> InputError:
    """One column too many, and none for the time."""
    return InputError(
        "INP021",
        f"one of the columns must be the time, but none is called `{time}`: "
        f"{', '.join(f'`{column}`' for column in found)}",
        place=place,
        help=f"`{name}` has {_arguments(len(found) - 1)}; say with --time which column is the time",
    )


def _arguments(number: int) -> str:
    return "1 argument" if number == 1 else f"{number} arguments"


def empty_interval(place: Place, index: int, found: object) -> InputError:
    return InputError(
        "INP027",
        f"the interval {found} is empty",
        place=place.name,
        row=place.row(index),
        help="it must begin before it ends; a single time is closed on both sides",
    )


def not_a_fact(index: int, found: object) -> InputError:
    return InputError(
        "INP029",
        f"{quoted(found)} is not a fact",
        row=index + 1,
        help='a fact is a tuple such as ("tram", ["a1", "p1"], 36): '
        "predicate, arguments, and a time, an interval or None",
    )


def not_a_fact_time(index: int, found: object) -> InputError:
    return InputError(
        "INP025",
        f"{quoted(found)} is neither a time nor an interval",
        row=index + 1,
        help='a time is a number or text such as "7/2"; an interval is text such as "[1,5/2)"',
    )


def name_needed(path: str, what: str) -> InputError:
    return InputError(
        "INP030",
        f"the table `{path}` needs the name of its {what}",
        help=f"write --input NAME={path}; only .facts files need none, each line names its own",
    )


def too_many_times(step: Fraction, most: int, instead: str) -> InputError:
    return InputError(
        "INP031",
        f"`every {step}` asks for answers at more than {most:,} times",
        help=f"take a longer step, or leave --at out: {instead}",
    )


def derived_in_stream(predicate: str, row: int | None = None) -> InputError:
    return InputError(
        "INP041",
        f"`{predicate}` is derived by rules, so facts at time points cannot be about it",
        row=row,
        help="give the input another name, and derive the predicate from it with a rule",
    )


def without_beginning(place: Place, index: int, predicate: str) -> InputError:
    return InputError(
        "INP055",
        f"a fact about `{predicate}` comes in a stream, but holds since the beginning of time",
        place=place.name,
        row=place.row(index),
        help="give it a time, or give it with the static facts before the stream starts",
    )


def time_too_fine(place: Place, index: int, found: Fraction, tick: Fraction) -> InputError:
    return InputError(
        "INP060",
        f"the time {found} lies between two ticks of {tick}",
        place=place.name,
        row=place.row(index),
        help=f"declare the precision of the input, such as 1/{found.denominator}",
    )
