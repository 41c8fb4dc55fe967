"""The diagnostics about what SQL has and CQL has not, in order of their codes (CQL100 to CQL104)."""

from __future__ import annotations

from horae.frontend.catalogue_syntax import error
from horae.source.diagnostic import Diagnostic
from horae.source.messages import ProgramMessage
from horae.source.text import Span

_OTHER_CASES = (
    "write a SELECT for each case, with its condition in WHERE, and `UNION ALL` between them"
)
_NO_NULLS = (
    "input has no nulls; aggregates of no rows are null, and `HAVING COUNT(*) > 0` drops them"
)
_FUNCTIONS = {
    "ABS": "instead of `ABS(x) < 5` write `x < 5 AND x > -5`",
    "CAST": "int and double mix: `x + 0.0` is a double; types are declared with REGISTER",
    "CONVERT": "int and double mix: `x + 0.0` is a double; types are declared with REGISTER",
    "IF": _OTHER_CASES,
    "IIF": _OTHER_CASES,
    "COALESCE": _NO_NULLS,
    "IFNULL": _NO_NULLS,
    "NVL": _NO_NULLS,
    "MOD": "take the remainder before the rows come in",
    "NOW": "each answer has its evaluation time; `[NOW]` is the window of the rows at that time",
    "CURRENT_TIMESTAMP": "each answer has its evaluation time",
    "MEAN": "write `AVG(x)`",
    "COUNT_DISTINCT": "write `COUNT(DISTINCT x)`",
    "TUMBLE": "a window stands in brackets behind a stream in FROM: `tram [RANGE 5 SLIDE 5]`",
    "HOP": "a window stands in brackets behind a stream in FROM: `tram [RANGE 5 SLIDE 1]`",
}


UNSUPPORTED = ProgramMessage("CQL100", "`{what}` is not supported", help="{help}")


def unknown_function(span: Span, name: str) -> Diagnostic:
    return error(
        "CQL101",
        f"the function `{name}` is not supported",
        span,
        note="the functions are `COUNT`, `SUM`, `AVG`, `MIN` and `MAX`",
        help=_FUNCTIONS.get(name.upper(), "compute it before the rows come in"),
    )


LENGTH_OF_TYPE = ProgramMessage(
    "CQL101",
    "types have no length here",
    note="the types are `int`, `double`, `string` and `bool`",
    help="leave the parentheses out: `name string`",
)


def block_comment(span: Span, _: str) -> Diagnostic:
    return error(
        "CQL102",
        "comments in `/* … */` are not supported",
        span,
        help="start each line of it with `--` or `//`",
    )


TRAILING_COMMA = ProgramMessage("CQL103", "nothing follows this comma", help="leave it out")


def text_as_name(span: Span, text: str) -> Diagnostic:
    return error(
        "CQL104",
        f"{text} is text, and a name is needed here",
        span,
        help=f'write the name without quotes, or in double ones: `"{text[1:-1]}"`',
    )


NAME_FOR_TEXT = ProgramMessage(
    "CQL104",
    '`"{name}"` is a name, and there is no such column',
    note="the columns are {columns}",
    help="text stands in single quotes: `'{name}'`",
)
