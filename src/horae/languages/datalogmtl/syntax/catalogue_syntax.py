"""The syntax diagnostics of DatalogMTL, in order of their codes (DMT001 to DMT019, DMT105 to DMT109).

Each entry is one finding: what was written, and what would work instead. Those that texts of facts have
too stand in `data/fact_lines/catalogue_lines.py`.
"""

from __future__ import annotations

from horae.data.fact_lines.catalogue_lines import UNEXPECTED
from horae.frontend.catalogue_syntax import error
from horae.source.diagnostic import Diagnostic
from horae.source.messages import ProgramMessage
from horae.source.text import Span


def chained_operators(span: Span, operator: str) -> Diagnostic:
    return error(
        UNEXPECTED,
        f"`{operator}` does not chain",
        span,
        help="put one of the two into parentheses: `(p Since[0,1] q) Since[0,1] r`",
    )


MISSING_INTERVAL = ProgramMessage(
    "DMT007",
    "`{operator}` has no interval",
    caption="over which times?",
    help="write `{operator}[0,5]` with its bounds, or `{operator}[0,inf)` for all times",
)


OPERATOR_IN_HEAD = ProgramMessage(
    "DMT009",
    "`{operator}` cannot stand in a head",
    caption="does not say when the atom holds",
    note="a head is an atom, with `Boxplus` or `Boxminus` before it",
    help="`Boxplus[a,b]` in a head makes the atom hold at all times from a to b from now on",
)


NEGATED_HEAD = ProgramMessage(
    "DMT010",
    "a head cannot be negated",
    note="a rule says what holds; what no rule derives does not hold",
)


SEVERAL_HEADS = ProgramMessage(
    "DMT010",
    "a rule has one head",
    caption="a second head",
    help="write a rule of its own for it, with the same body",
)


NESTED_TOO_DEEPLY = ProgramMessage(
    "DMT012",
    "this statement is nested more than {limit} levels deep",
    help="give a part of it a predicate of its own",
)


def negation_inside(span: Span, operator: str, dual: str) -> Diagnostic:
    help = f"`{operator}[a,b] not f` is `not {dual}[a,b] f`" if dual else ""
    return error(
        "DMT014",
        "`not` stands only before a whole literal of a body",
        span,
        help=help or "negate the whole literal, or give this part a predicate of its own",
    )


QUERY_NOT_PREDICATE = ProgramMessage(
    "DMT016",
    "a query names predicates only",
    help="write `?- {predicate}.`; a rule of its own can select among its answers",
)


TIME_IN_RULE = ProgramMessage(
    "DMT018",
    "only facts have a time",
    caption="in a rule",
    help=(
        "a rule holds at all times; operators look at other times, as in `Diamondminus[0,5] p(X)`"
    ),
)


def past_and_future(span: Span, operator: str, interval: str) -> Diagnostic:
    two = (
        "two rules, one for each part"
        if operator != "ALWAYS"
        else "two literals, one for each part"
    )
    return error(
        "DMT106",
        f"`{operator}{interval}` reaches into the past and into the future",
        span,
        help=f"write {two}: times up to 0, and times from 0 on",
    )


DATE_AS_DISTANCE = ProgramMessage(
    "DMT107",
    "the interval of an operator says how long ago or ahead, but `{text}` is a date",
    help=(
        "write numbers, in the unit of the facts: dates are seconds since 1970, so a day is 86400"
    ),
)


OPERATOR_OF_OTHER_LOGICS = ProgramMessage("DMT109", "there is no operator `{name}`", help="{help}")
