"""The syntax diagnostics of DatalogMTL, in order of their codes (DMT001 to DMT019, DMT105 to DMT109).

Each entry is one finding: what was written, and what would work instead.
"""

from __future__ import annotations

from functools import partial

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


unexpected = partial(shared.unexpected, "DMT001")


CHAINED_OPERATORS = ProgramMessage(
    "DMT001",
    "`{operator}` does not chain",
    help="put one of the two into parentheses: `(p Since[0,1] q) Since[0,1] r`",
)


strange_character = partial(shared.strange_character, "DMT002", _CHARACTER_HELP)
unterminated_string = partial(shared.unterminated_string, "DMT003")
unknown_escape = partial(shared.unknown_escape, "DMT004")
BRACKETS = "DMT005"
zero_denominator = partial(shared.zero_denominator, "DMT006")
number_too_long = partial(shared.number_too_long, "DMT006")


MISSING_INTERVAL = ProgramMessage(
    "DMT007",
    "`{operator}` has no interval",
    caption="over which times?",
    help="write `{operator}[0,5]` with its bounds, or `{operator}[0,inf)` for all times",
)


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


def fact_not_ground(span: Span, variable: str) -> Diagnostic:
    meant = variable[:1].lower() + variable[1:]
    constant = f'for a constant write `{meant}` or `"{variable}"`; ' if meant[:1] != "_" else ""
    return error(
        "DMT011",
        f"a fact has no variables, but `{variable}` is one",
        span,
        "starts with an uppercase letter or `_`",
        help=f"{constant}what holds for all values is a rule: `head :- body`",
    )


NESTED_TOO_DEEPLY = ProgramMessage(
    "DMT012",
    "this statement is nested more than {limit} levels deep",
    help="give a part of it a predicate of its own",
)


FACT_WITH_OPERATOR = ProgramMessage(
    "DMT013",
    "a fact is a single atom, without {what}",
    help="write `p(a)@[1,5]` for the times at which it holds, or a rule with a body",
)


def negation_inside(span: Span, operator: str, dual: str) -> Diagnostic:
    help = f"`{operator}[a,b] not f` is `not {dual}[a,b] f`" if dual else ""
    return error(
        "DMT014",
        "`not` stands only before a whole literal of a body",
        span,
        help=help or "negate the whole literal, or give this part a predicate of its own",
    )


CONJUNCTION_INSIDE = ProgramMessage(
    "DMT015",
    "parentheses and operators hold one formula, not several",
    help="give the conjunction a predicate of its own: `both(X) :- p(X), q(X).`",
)


QUERY_NOT_PREDICATE = ProgramMessage(
    "DMT016",
    "a query names predicates only",
    help="write `?- {predicate}.`; a rule of its own can select among its answers",
)


NO_FACT = ProgramMessage(
    "DMT017",
    "facts are expected here, not {kind}",
    help="rules and queries belong into the program",
)


TIME_IN_RULE = ProgramMessage(
    "DMT018",
    "only facts have a time",
    caption="in a rule",
    help=(
        "a rule holds at all times; operators look at other times, as in `Diamondminus[0,5] p(X)`"
    ),
)


STATEMENT_NOT_ENDED = ProgramMessage(
    "DMT019",
    "expected `.` or the end of the line, found {found}",
    help="a comma separates the literals of a body, a dot the statements on one line",
)


def bound_with_unit(span: Span, number: str, unit: str, seconds: str) -> Diagnostic:
    meant = f"where the facts count seconds, write `{seconds}`" if seconds else f"write `{number}`"
    return error(
        "DMT105",
        f"`{number}{unit}`: times are plain numbers, without a unit",
        span,
        help=f"{meant}; dates in facts are seconds since 1970",
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


NO_SUCH_DATE = ProgramMessage(
    "DMT108",
    "there is no `{text}`",
    help=("a date is written `2026-11-16`, `2026-11-16T09:53:30` or `2026-11-16T09:53:30.5+01:00`"),
)


OPERATOR_OF_OTHER_LOGICS = ProgramMessage("DMT109", "there is no operator `{name}`", help="{help}")
