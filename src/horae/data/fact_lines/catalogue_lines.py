"""What can be wrong with lines of facts, in order of the codes; programs of DatalogMTL have the same.

Each entry is one finding: what was written, and what would work instead.
"""

from __future__ import annotations

from functools import partial

from horae.data.intervals import Interval
from horae.frontend import catalogue_syntax as shared
from horae.frontend.catalogue_syntax import error
from horae.source.diagnostic import Diagnostic
from horae.source.messages import ProgramMessage
from horae.source.text import Span

TRUTH_HELP = {
    "true": "leave out a condition that is always true; what always holds is a fact: `a.`",
    "false": "leave out a rule whose condition is never true",
}
_COMPARISON = (
    "there is no comparison and no arithmetic; let facts say it: `high(s1)@3` for a value above 80"
)
_CHARACTER_HELP = {
    **dict.fromkeys(("<", ">", "=", "≤", "≥", "≠", "+", "*", "/"), _COMPARISON),
    "⊤": TRUTH_HELP["true"],
    "⊥": TRUTH_HELP["false"],
    "◇": "write `◇⁻` (or `Diamondminus`) for the past, `◇⁺` (or `Diamondplus`) for the future",
    "□": "write `⊟` (or `Boxminus`) for the past, `⊞` (or `Boxplus`) for the future",
    "!": "write `not` before the literal",
    "~": "write `not` before the literal",
    "&": "write a comma, or `and`",
    ";": "several rules for one head say `or`; a rule ends with `.` or with its line",
    "|": "several rules for one head say `or`; for `||` write `, not` before each literal",
    "∨": "several rules for one head say `or`",
    "#": "comments start with `%` or `//`",
    "→": "a rule is written `head :- body`",
}

UNEXPECTED = "DMT001"
unexpected = partial(shared.unexpected, UNEXPECTED)
strange_character = partial(shared.strange_character, "DMT002", _CHARACTER_HELP)
unterminated_string = partial(shared.unterminated_string, "DMT003")
unknown_escape = partial(shared.unknown_escape, "DMT004")
BRACKETS = "DMT005"
zero_denominator = partial(shared.zero_denominator, "DMT006")
number_too_long = partial(shared.number_too_long, "DMT006")


MISPLACED_INFINITY = ProgramMessage(
    "DMT008", "no interval {end}s with `{text}`", help="write for example `[0,inf)`"
)


def open_point(span: Span, text: str) -> Diagnostic:
    return error(
        "DMT008",
        f"`{text}` is no interval",
        span,
        help=f"a single time is written `[{text[1:-1].strip()}]`",
    )


def variable_in_fact(span: Span, variable: str) -> Diagnostic:
    meant = variable[:1].lower() + variable[1:]
    constant = f'for a constant write `{meant}` or `"{variable}"`; ' if meant[:1] != "_" else ""
    return error(
        "DMT011",
        f"a fact has no variables, but `{variable}` is one",
        span,
        "starts with an uppercase letter or `_`",
        help=f"{constant}what holds for all values is a rule: `head :- body`",
    )


FACT_WITH_OPERATOR = ProgramMessage(
    "DMT013",
    "a fact is a single atom, without {what}",
    help="write `p(a)@[1,5]` for the times at which it holds, or a rule with a body",
)


CONJUNCTION_INSIDE = ProgramMessage(
    "DMT015",
    "parentheses and operators hold one formula, not several",
    help="give the conjunction a predicate of its own: `both(X) :- p(X), q(X).`",
)


NO_FACT = ProgramMessage(
    "DMT017",
    "facts are expected here, not {kind}",
    help="rules and queries belong into the program",
)


STATEMENT_NOT_ENDED = ProgramMessage(
    "DMT019",
    "expected `.` or the end of the line, found {found}",
    help="a comma separates the literals of a body, a dot the statements on one line",
)


def interval_without_times(span: Span, interval: Interval) -> Diagnostic:
    low, high = interval.low, interval.high
    meant = f"[{low},{high}]" if low == high else str(Interval(high, low))
    return error(
        "DMT024", f"the interval `{interval}` is empty", span, help=f"did you mean `{meant}`?"
    )


def bound_with_unit(span: Span, number: str, unit: str, seconds: str) -> Diagnostic:
    meant = f"where the facts count seconds, write `{seconds}`" if seconds else f"write `{number}`"
    return error(
        "DMT105",
        f"`{number}{unit}`: times are plain numbers, without a unit",
        span,
        help=f"{meant}; dates in facts are seconds since 1970",
    )


NO_SUCH_DATE = ProgramMessage(
    "DMT108",
    "there is no `{text}`",
    help=("a date is written `2026-11-16`, `2026-11-16T09:53:30` or `2026-11-16T09:53:30.5+01:00`"),
)
