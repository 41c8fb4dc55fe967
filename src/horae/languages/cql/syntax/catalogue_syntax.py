"""The syntax diagnostics of CQL, in order of their codes (CQL001 to CQL019).

Each entry is one finding: what was written, and what would work instead.
"""

from __future__ import annotations

from functools import partial

from horae.data.clock import NAMES
from horae.frontend import catalogue_syntax as shared
from horae.frontend.catalogue_syntax import error
from horae.source.diagnostic import Diagnostic
from horae.source.messages import ProgramMessage
from horae.source.suggest import closest
from horae.source.text import Span

_CHARACTER_HELP = {
    "#": "comments start with `--` or `//`",
    "!": "write `NOT` before a condition, `!=` for unequal",
    "&": "write `AND`",
    "|": "write `OR`; texts cannot be joined",
    "`": 'a name with spaces is written in double quotes: `"my stream"`',
    "%": "there is no remainder, and comments start with `--` or `//`",
    "~": "there are no patterns; texts are compared with `=`, `<` and the like",
    "^": "write `x * x`",
    "$": "there are no parameters: write the value itself",
    "?": "there are no parameters: write the value itself",
    "{": "a window is written in brackets: `[RANGE 5]`",
}
TYPES = {"int": "int", "double": "double", "float": "double", "string": "string", "bool": "bool"}
_OTHER_TYPES = {
    "integer": "int",
    "bigint": "int",
    "long": "int",
    "smallint": "int",
    "timestamp": "int",
    "real": "double",
    "decimal": "double",
    "numeric": "double",
    "text": "string",
    "varchar": "string",
    "char": "string",
    "str": "string",
    "boolean": "bool",
}


unexpected = partial(shared.unexpected, "CQL001")
strange_character = partial(shared.strange_character, "CQL002", _CHARACTER_HELP)


def unterminated_quotes(span: Span, quote: str) -> Diagnostic:
    what = "text" if quote == "'" else "name"
    return error(
        "CQL003",
        f"this {what} is not closed",
        span,
        "starts here",
        help=f"a {what} ends with `{quote}` on the same line; inside of it write `{quote * 2}`",
    )


MISSING_SEMICOLON = ProgramMessage(
    "CQL004", "the statement ends without `;`", help="put `;` between two statements"
)


BRACKETS = "CQL005"


NUMBER_TOO_LARGE = ProgramMessage(
    "CQL006",
    "this number is too large for an int",
    note="the greatest int is 9223372036854775807",
    help="with a decimal point, as in `1.0`, it is a double",
)


DOUBLE_TOO_LARGE = ProgramMessage("CQL006", "this number is too large for a double")


NUMBER_TOO_LONG = ProgramMessage("CQL006", "this number has more than {limit} digits")


EXPONENT_TOO_LARGE = ProgramMessage("CQL006", "the exponent of this number is beyond {limit}")


NESTED_TOO_DEEPLY = ProgramMessage(
    "CQL007",
    "this statement is nested more than {limit} levels deep",
    note="each `+`, `*`, `NOT` or `UNION` in a row is a level too; `AND`, `OR` and `,` are not",
    help="give a part of it a name: a query may read an earlier one",
)


STREAM_OPERATOR_INSIDE = ProgramMessage(
    "CQL008", "`{operator}` stands around a whole query", help="write `{operator}(SELECT …)`"
)


QUERY_AS_VALUE = ProgramMessage(
    "CQL009",
    "a query cannot stand for a value",
    help=(
        "put it into FROM, `(SELECT …) AS name`, or write `x IN (SELECT …)` or `EXISTS (SELECT …)`"
    ),
)


CONDITION_AS_VALUE = ProgramMessage(
    "CQL010",
    "this is a condition, and a value is needed here",
    help="conditions stand in WHERE and HAVING",
)


UNNAMED_NESTED = ProgramMessage(
    "CQL011", "a query in FROM needs a name", help="write `(SELECT …) AS name`"
)


def unknown_type(span: Span, written: str) -> Diagnostic:
    meant = _OTHER_TYPES.get(written.lower()) or closest(written, TYPES)
    return error(
        "CQL012",
        f"there is no type `{written}`",
        span,
        note="the types are `int`, `double`, `string` and `bool`",
        help=f"did you mean `{meant}`?" if meant else "",
    )


def star_in_aggregate(span: Span, function: str) -> Diagnostic:
    return error(
        "CQL013",
        f"`{function}` needs a column, not `*`",
        span,
        help="only `COUNT(*)` counts rows; write for example "
        f"`{'COUNT(DISTINCT x)' if function == 'COUNT' else function + '(x)'}`",
    )


NEGATIVE_LIMIT = ProgramMessage("CQL014", "LIMIT takes a number of rows: 0, 1, 2, …")


def negative_size(span: Span, what: str) -> Diagnostic:
    return error("CQL015", f"{what} cannot be negative", span, help=_SIZE_HELP[what])


def zero_size(span: Span, what: str) -> Diagnostic:
    return error("CQL015", f"{what} must be at least 1", span, help=_SIZE_HELP[what])


_SIZE_HELP = {
    "RANGE": "`[RANGE 5]` is the last 5 time points and the current one",
    "SLIDE": "`[RANGE 10 SLIDE 2]` moves at every second time point",
    "ROWS": "`[ROWS 1]` is the newest row",
}


def not_whole(span: Span, what: str, precision: str | None) -> Diagnostic:
    """`precision` is that of a duration; a plain number counts what it counts."""
    counted = "" if precision is None else f", which are {NAMES[precision]}"
    help = "write a whole number" if what == "ROWS" else "write a whole number, or a unit: `500 ms`"
    return error("CQL016", f"{what} takes whole {_UNITS[what]}{counted}", span, help=help)


_UNITS = {"RANGE": "time points", "SLIDE": "time points", "ROWS": "numbers of rows"}


def size_too_large(span: Span, what: str) -> Diagnostic:
    return error(
        "CQL016",
        f"this number is too large for {what}",
        span,
        help="`[RANGE UNBOUNDED]` keeps everything" if what == "RANGE" else "",
    )


def unknown_unit(span: Span, unit: str) -> Diagnostic:
    return error(
        "CQL017",
        f"there is no unit `{unit}`",
        span,
        note="the units are `ms`, `s` or `sec`, `m` or `min`, `h` and `d`",
        help=_unit_help(unit),
    )


def _unit_help(unit: str) -> str:
    word = unit.lower().removesuffix("s")
    meant = {"second": "s", "minute": "min", "hour": "h", "day": "d", "millisecond": "ms"}
    return f"did you mean `{meant[word]}`?" if word in meant else ""


UNIT_OF_ROWS = ProgramMessage(
    "CQL017", "ROWS counts rows and has no unit", help="for a duration write `[RANGE 5 min]`"
)
