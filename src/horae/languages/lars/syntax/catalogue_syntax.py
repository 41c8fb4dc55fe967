"""The syntax diagnostics of LARS, in order of their codes (LRS001 to LRS019).

Each function is one finding: what was written, and what would work instead.
"""

from __future__ import annotations

from functools import partial

from horae.frontend import catalogue_syntax as shared
from horae.frontend.catalogue_syntax import error
from horae.source.diagnostic import Diagnostic
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


def argument_arithmetic(span: Span, sign: str, place: str) -> Diagnostic:
    return error(
        "LRS008",
        f"`{sign}` cannot stand in {place}",
        span,
        "only a variable or a constant",
        help="compute the value in the body: `Y = X + 1`, and use `Y` here",
    )


def nested_term(span: Span, name: str) -> Diagnostic:
    return error(
        "LRS008",
        f"`{name}(…)` cannot be an argument",
        span,
        "only a variable or a constant",
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


def chained_comparison(span: Span) -> Diagnostic:
    return error(
        "LRS010",
        "comparisons do not chain",
        span,
        "a second comparison",
        help="write two of them: `1 < X, X < 5`",
    )


def diamond_between_values(span: Span) -> Diagnostic:
    return error(
        "LRS010",
        "`<>` stands before a formula, not between two values",
        span,
        help="unequal is written `!=`",
    )


def value_without_comparison(span: Span, what: str) -> Diagnostic:
    return error(
        "LRS011",
        f"{what} is a value, not a formula",
        span,
        "neither true nor false",
        help="compare it: `X = …`, or write an atom: `p(X)`",
    )


def formula_as_value(span: Span, what: str) -> Diagnostic:
    return error(
        "LRS011",
        f"{what} is a formula, and has no value to compute or compare with",
        span,
        help="bind a variable by an atom, `p(X)`, and compare `X`",
    )


def several_heads(span: Span) -> Diagnostic:
    return error(
        "LRS012",
        "a rule has one head",
        span,
        "a second head",
        note="other languages read a comma here as “and”, or as “or”",
        help="write `and` or `or`, or a rule of its own with the same body",
    )


def empty_window(span: Span, sign: str) -> Diagnostic:
    return error(
        "LRS013",
        f"`{sign}[]` does not say which window",
        span,
        help=f"write `{sign}[10]` for the last 10 time points and now, `{sign}[#3]` for the last 3 "
        f"atoms, `{sign}[inf]` for all of the past",
    )


def missing_window(span: Span, sign: str) -> Diagnostic:
    return error(
        "LRS013",
        f"`{sign}` has no size",
        span,
        help=f"write it in brackets: `{sign}[10]`, `{sign}[#3]`, `{sign}[inf]`",
    )


def duration_not_whole(span: Span, text: str) -> Diagnostic:
    return error(
        "LRS014",
        f"`{text}` is no whole number of seconds",
        span,
        note="a time point is a second",
        help="round it to seconds, or count time in smaller units throughout",
    )


def duration_of_tuples(span: Span) -> Diagnostic:
    return error(
        "LRS014",
        "`#` counts atoms, not time",
        span,
        "a duration",
        help="write a number of atoms, `win[#3]`, or a window over time without `#`",
    )


def time_behind_atom(span: Span) -> Diagnostic:
    return error(
        "LRS015",
        "in a rule the time stands before the formula",
        span,
        "behind",
        help="write `@T p(X)`; only facts have their time behind: `p(a)@3.`",
    )


def fact_not_atom(span: Span) -> Diagnostic:
    return error(
        "LRS016",
        "only an atom can have a time behind it",
        span,
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


def query_not_predicate(span: Span, predicate: str) -> Diagnostic:
    return error(
        "LRS017",
        "a query names predicates only",
        span,
        help=f"write `?- {predicate}.`; a rule of its own can select among its answers",
    )


def nested_too_deeply(span: Span, limit: int) -> Diagnostic:
    return error(
        "LRS018",
        f"this statement is nested more than {limit} levels deep",
        span,
        help="give a part of it a predicate of its own",
    )


def no_fact_time(span: Span, text: str) -> Diagnostic:
    return error(
        "LRS019",
        f"a fact cannot be at `{text}`",
        span,
        "no time point",
        note="time points are the whole numbers from 0 on",
        help="write `p(a)@3.` or `p(a)@[1,5].`; what holds at all times has no `@`",
    )


def endless_fact(span: Span) -> Diagnostic:
    return error(
        "LRS019",
        "a fact cannot hold without end",
        span,
        "not a time point",
        help="write the last time point; what holds at all times has no `@`",
    )


def empty_interval(span: Span, low: str, high: str) -> Diagnostic:
    return error(
        "LRS019",
        f"the interval `[{low},{high}]` is empty",
        span,
        help=f"did you mean `[{high},{low}]`?",
    )


# --- what other languages have


_NO_REMAINDER = "there is no remainder of a division: compute it before, as an argument of the fact"


def no_aggregates(span: Span, name: str) -> Diagnostic:
    return error(
        "LRS102",
        f"there is no `{name}` of atoms",
        span,
        "an aggregate",
        note="a rule joins atoms and compares values; it does not count or add them up",
        help="for “at least two” write `p(X), p(Y), X != Y`; a query of CQL has "
        "COUNT, SUM, AVG, MIN and MAX",
    )


def comment_as_operator(span: Span, sign: str) -> Diagnostic:
    help = _NO_REMAINDER if sign == "%" else "exact division is `/`: `Y = X / 2`"
    return error("LRS103", f"`{sign}` starts a comment", span, "the rest is not read", help=help)


def no_remainder(span: Span, sign: str) -> Diagnostic:
    return error("LRS103", f"there is no operator `{sign}`", span, help=_NO_REMAINDER)
