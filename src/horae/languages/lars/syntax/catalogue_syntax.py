"""The syntax diagnostics of LARS, in order of their codes (LRS001 to LRS019).

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
    "true": "leave out a condition that is always true; for one alone write `a :- 0 = 0.`",
    "false": "a constraint has no head: `:- p.`; leave out a condition that is never true",
}
_CHARACTER_HELP = {
    "⊤": TRUTH_HELP["true"],
    "⊥": TRUTH_HELP["false"],
    "!": "write `not` before a formula, and `!=` between two values",
    "~": "write `not` before a formula",
    ";": "write `or` between the parts of a head, a comma between those of a body",
    "^": "write `and`, or a comma in a body",
    ":": "a rule is written `head :- body.`",
    "?": "a query is written `?- p, q.`",
    "{": "group formulas with parentheses; a choice is written `a or b :- body.`",
    "}": "group formulas with parentheses",
    "$": "variables start with an uppercase letter",
    "\\": "there is no remainder of a division: compute it before, as an argument of the fact",
}


unexpected = partial(shared.unexpected, "LRS001")
strange_character = partial(shared.strange_character, "LRS002", _CHARACTER_HELP)
unterminated_string = partial(shared.unterminated_string, "LRS003")
unknown_escape = partial(shared.unknown_escape, "LRS004")
BRACKETS = "LRS005"
zero_denominator = partial(shared.zero_denominator, "LRS006")
number_too_long = partial(shared.number_too_long, "LRS006")


MISSING_DOT = "LRS007"


def missing_dot(span: Span, found: str = "") -> Diagnostic:
    return error(
        MISSING_DOT,
        f"expected `.`, found {found}" if found else "the last statement has no dot",
        span,
        "expected `.`",
        help="a statement ends with a dot; a comma separates the formulas of a body",
    )


ARGUMENT_ARITHMETIC = ProgramMessage(
    "LRS008",
    "`{sign}` cannot stand in {place}",
    caption="only a variable or a constant",
    help="compute the value in the body: `Y = X + 1`, and use `Y` here",
)


NESTED_TERM = ProgramMessage(
    "LRS008",
    "`{name}(…)` cannot be an argument",
    caption="only a variable or a constant",
    help="there are no function terms: give each part an argument of its own",
)


def uppercase_predicate(span: Span, name: str) -> Diagnostic:
    meant = name.lstrip("_")[:1].lower() + name.lstrip("_")[1:]
    return error(
        "LRS009",
        f"`{name}` is a variable, and cannot have arguments",
        span,
        "starts with an uppercase letter or `_`",
        help=f"predicates start with a lowercase letter: `{meant or 'p'}`",
    )


CHAINED_COMPARISON = ProgramMessage(
    "LRS010",
    "comparisons do not chain",
    caption="a second comparison",
    help="write two of them: `1 < X, X < 5`",
)


DIAMOND_BETWEEN_VALUES = ProgramMessage(
    "LRS010", "`<>` stands before a formula, not between two values", help="unequal is written `!=`"
)


VALUE_WITHOUT_COMPARISON = ProgramMessage(
    "LRS011",
    "{what} is a value, not a formula",
    caption="neither true nor false",
    help="compare it: `X = …`, or write an atom: `p(X)`",
)


FORMULA_AS_VALUE = ProgramMessage(
    "LRS011",
    "{what} is a formula, and has no value to compute or compare with",
    help="bind a variable by an atom, `p(X)`, and compare `X`",
)


SEVERAL_HEADS = ProgramMessage(
    "LRS012",
    "a rule has one head",
    caption="a second head",
    note="other languages read a comma here as “and”, or as “or”",
    help="write `and` or `or`, or a rule of its own with the same body",
)


EMPTY_WINDOW = ProgramMessage(
    "LRS013",
    "`{sign}[]` does not say which window",
    help=(
        "write `{sign}[10]` for the last 10 time points and now, `{sign}[#3]` for the last 3 "
        "atoms, `{sign}[inf]` for all of the past"
    ),
)


MISSING_WINDOW = ProgramMessage(
    "LRS013",
    "`{sign}` has no size",
    help="write it in brackets: `{sign}[10]`, `{sign}[#3]`, `{sign}[inf]`",
)


DURATION_NOT_WHOLE = ProgramMessage(
    "LRS014",
    "`{text}` is no whole number of {points}",
    note="a time point is a {point}",
    help="time points are nanoseconds at the finest: round it",
)


DURATION_OF_TUPLES = ProgramMessage(
    "LRS014",
    "`#` counts atoms, not time",
    caption="a duration",
    help="write a number of atoms, `win[#3]`, or a window over time without `#`",
)


TIME_BEHIND_ATOM = ProgramMessage(
    "LRS015",
    "in a rule the time stands before the formula",
    caption="behind",
    help="write `@T p(X)`; only facts have their time behind: `p(a)@3.`",
)


FACT_NOT_ATOM = ProgramMessage(
    "LRS016",
    "only an atom can have a time behind it",
    help="a fact is `p(a)@3.`; a rule without a body has the time before: `@3 (a or b).`",
)


def fact_not_ground(span: Span, variable: str) -> Diagnostic:
    meant = variable.lower() if variable.isupper() else variable[:1].lower() + variable[1:]
    constant = f'for a constant write `{meant}` or `"{variable}"`; ' if meant[:1] != "_" else ""
    return error(
        "LRS016",
        f"a fact has no variables, but `{variable}` is one",
        span,
        "starts with an uppercase letter or `_`",
        help=f"{constant}what holds for several values is a rule: `head :- body.`",
    )


QUERY_NOT_PREDICATE = ProgramMessage(
    "LRS017",
    "a query names predicates only",
    help="write `?- {predicate}.`; a rule of its own can select among its answers",
)


NESTED_TOO_DEEPLY = ProgramMessage(
    "LRS018",
    "this statement is nested more than {limit} levels deep",
    help="give a part of it a predicate of its own",
)


NO_FACT_TIME = ProgramMessage(
    "LRS019",
    "a fact cannot be at `{text}`",
    caption="no time point",
    note="time points are the whole numbers from 0 on",
    help="write `p(a)@3.` or `p(a)@[1,5].`; what holds at all times has no `@`",
)


ENDLESS_FACT = ProgramMessage(
    "LRS019",
    "a fact cannot hold without end",
    caption="not a time point",
    help="write the last time point; what holds at all times has no `@`",
)


EMPTY_INTERVAL = ProgramMessage(
    "LRS019", "the interval `[{low},{high}]` is empty", help="did you mean `[{high},{low}]`?"
)


# --- what other languages have


_NO_REMAINDER = "there is no remainder of a division: compute it before, as an argument of the fact"


NO_AGGREGATES = ProgramMessage(
    "LRS102",
    "there is no `{name}` of atoms",
    caption="an aggregate",
    note="a rule joins atoms and compares values; it does not count or add them up",
    help=(
        "for “at least two” write `p(X), p(Y), X != Y`; a query of CQL has COUNT, SUM, AVG, "
        "MIN and MAX"
    ),
)


def comment_as_operator(span: Span, sign: str) -> Diagnostic:
    help = _NO_REMAINDER if sign == "%" else "exact division is `/`: `Y = X / 2`"
    return error("LRS103", f"`{sign}` starts a comment", span, "the rest is not read", help=help)


def no_remainder(span: Span, sign: str) -> Diagnostic:
    return error("LRS103", f"there is no operator `{sign}`", span, help=_NO_REMAINDER)
