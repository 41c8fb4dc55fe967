"""What can be wrong with the types, groups and shapes of a query: CQL040 to CQL069."""

from __future__ import annotations

from collections.abc import Sequence

from horae.data.types import Type
from horae.frontend.catalogue_syntax import error
from horae.source.diagnostic import Diagnostic, Label
from horae.source.messages import ProgramMessage
from horae.source.text import Span

Typed = tuple[Type, Span]

# --- 04x: types


def not_comparable(sign: str, left: Typed, right: Typed) -> Diagnostic:
    return error(
        "CQL040",
        f"`{sign}` cannot compare {left[0]} with {right[0]}",
        right[1],
        str(right[0]),
        labels=(Label(left[1], str(left[0])),),
        note="numbers are compared with numbers, text with text, bool with bool",
        help=_quoting_help(left[0], right[0]),
    )


def _quoting_help(left: Type, right: Type) -> str:
    if Type.STRING in (left, right) and Type.INT in (left, right):
        return "text is written in single quotes (`'7'`), a number without (`7`)"
    return ""


def no_number(sign: str, operand: Typed) -> Diagnostic:
    return error(
        "CQL041",
        f"`{sign}` works on numbers, not on {operand[0]}",
        operand[1],
        str(operand[0]),
    )


def no_number_to_aggregate(function: str, argument: Typed) -> Diagnostic:
    return error(
        "CQL042",
        f"`{function}` works on numbers, not on {argument[0]}",
        argument[1],
        str(argument[0]),
        help="`COUNT`, `MIN` and `MAX` take every type",
    )


def no_condition(found: Typed) -> Diagnostic:
    return error(
        "CQL043",
        f"a condition is needed here, not a value of type {found[0]}",
        found[1],
        str(found[0]),
        help="compare it: `x > 0`, `x = 'text'`",
    )


# --- 05x: groups


def aggregate_in(clause: str, function: str, span: Span) -> Diagnostic:
    help = "conditions on groups stand in HAVING" if clause == "WHERE" else ""
    return error("CQL050", f"`{function}` cannot stand in {clause}", span, help=help)


NESTED_AGGREGATE = ProgramMessage(
    "CQL051",
    "`{function}` stands inside of another aggregate",
    help="nest the query in FROM: `SELECT MAX(n) FROM (SELECT COUNT(*) AS n … ) AS part`",
)


OUTER_AGGREGATE = ProgramMessage(
    "CQL051",
    "`{function}` aggregates a column of the query around it",
    help="aggregate in a query in FROM, and use its column here",
)


def not_grouped(name: str, span: Span, groups: Sequence[Span]) -> Diagnostic:
    labels = [Label(group, "grouped by") for group in groups]
    way = f"add `{name}` to GROUP BY" if groups else f"write `GROUP BY {name}`"
    return error(
        "CQL052",
        f"`{name}` is neither grouped nor aggregated",
        span,
        "which row of the group?",
        labels=labels,
        help=f"{way}, or aggregate it: `MIN({name})`",
    )


GROUP_BY_POSITION = ProgramMessage(
    "CQL053",
    "GROUP BY takes columns and expressions, not constants",
    help="write the column itself; positions stand in ORDER BY only",
)


# --- 06x: shapes


def width_of_in(values: int, outputs: int, query: Span) -> Diagnostic:
    return error(
        "CQL060",
        f"IN compares {_count(values, 'value')} with {_count(outputs, 'column')}",
        query,
        f"gives {_count(outputs, 'column')}",
        help="write `(x, y) IN (SELECT a, b …)`",
    )


def different_widths(operator: str, left: tuple[int, Span], right: tuple[int, Span]) -> Diagnostic:
    return error(
        "CQL061",
        f"the two sides of {operator} have {left[0]} and {_count(right[0], 'column')}",
        right[1],
        _count(right[0], "column"),
        labels=(Label(left[1], _count(left[0], "column")),),
    )


def different_types(operator: str, place: int, left: Typed, right: Typed) -> Diagnostic:
    return error(
        "CQL062",
        f"column {place} of {operator} is {left[0]} on one side, {right[0]} on the other",
        right[1],
        f"{right[0]}",
        labels=(Label(left[1], f"{left[0]}"),),
    )


def position_out_of_range(position: int, width: int, span: Span) -> Diagnostic:
    return error(
        "CQL063",
        f"there is no column {position} to order by",
        span,
        note=f"the query has {_count(width, 'column')}; positions count from 1",
    )


def order_needs_output(span: Span, *, is_distinct: bool) -> Diagnostic:
    reason = "SELECT DISTINCT" if is_distinct else "UNION, EXCEPT and INTERSECT"
    return error(
        "CQL064",
        "ORDER BY is not among the columns of the result",
        span,
        note=f"with {reason}, ORDER BY takes the columns of the result only",
        help="select it too, or name a column of the result by its name or position",
    )


AMBIGUOUS_ORDER = ProgramMessage(
    "CQL065",
    "several columns of the result are called `{name}`",
    help="order by the position, as in `ORDER BY 1`",
)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
