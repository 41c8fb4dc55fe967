"""An unexpected token as a diagnostic: found, expected, and help for the usual mistakes."""

from __future__ import annotations

from fractions import Fraction

from lark import Token

from horae.data.fact_lines import catalogue_lines as catalogue
from horae.data.fact_lines.words import reserved_kind
from horae.data.rationals import is_readable, read_number, write_number
from horae.frontend.chunks import Chunk
from horae.frontend.expectations import Surprise, TokenGroup, in_words
from horae.frontend.lalr import Stuck, span_of
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span

_GROUPS = (
    TokenGroup("a formula", frozenset(("PREDICATE", "OPERATOR", "LPAR", "NOT")), "PREDICATE"),
    TokenGroup(
        "a variable or a constant",
        frozenset(("VARIABLE", "CONSTANT", "NUMBER", "STRING", "MOMENT")),
        "STRING",
    ),
    TokenGroup("a number", frozenset(("NUMBER", "INFINITE", "MOMENT")), "INFINITE"),
    TokenGroup("an operator", frozenset(("SINCE", "UNTIL", "AND")), "SINCE"),
)
_WORDS = {
    "IMPLIES": "`:-`",
    "AT": "`@`",
    "COMMA": "`,`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "INTERVAL_START": "an interval",
    "INTERVAL_END": "`]` or `)`",
    "NUMBER": "a time",
    "MOMENT": "a time",
    "QUERY": "`?-`",
    "AND": "`and`",
    "$END": "the end of the statement",
}
_KINDS = {
    "PREDICATE": "the name ",
    "VARIABLE": "the variable ",
    "CONSTANT": "the constant ",
    "NUMBER": "the number ",
    "STRING": "the string ",
    "INFINITE": "the number ",
    "MOMENT": "the date ",
}
_UNITS = {
    **dict.fromkeys(("ns",), Fraction(1, 10**9)),
    **dict.fromkeys(("us", "µs"), Fraction(1, 10**6)),
    **dict.fromkeys(("ms",), Fraction(1, 1000)),
    **dict.fromkeys(("s", "sec", "second", "seconds"), Fraction(1)),
    **dict.fromkeys(("min", "minute", "minutes"), Fraction(60)),
    **dict.fromkeys(("h", "hour", "hours"), Fraction(3600)),
    **dict.fromkeys(("d", "day", "days"), Fraction(86400)),
}


def explain_fact(chunk: Chunk, stuck: Stuck) -> Diagnostic:
    """The most specific diagnostic for the place in a text of facts."""
    surprise = Surprise(chunk, stuck.index, stuck.accepted)
    return (
        conjunction_inside(surprise)
        or time_with_unit(surprise)
        or _rule_with_time(surprise)
        or statement_not_ended(surprise)
        or unexpected_token(surprise, help_with(surprise))
    )


# --- the special cases


def conjunction_inside(surprise: Surprise) -> Diagnostic | None:
    """`(p, q)`, but not `p(, a)`."""
    token = surprise.token
    if token is None or token.type not in ("COMMA", "AND"):
        return None
    is_group = "RPAR" in surprise.accepted and surprise.accepted.isdisjoint(("COMMA", "CONSTANT"))
    return catalogue.CONJUNCTION_INSIDE(span_of(token)) if is_group else None


def time_with_unit(surprise: Surprise) -> Diagnostic | None:
    """`p@[0,5s]`, `p@3ms`: a name just behind a number, where none can stand."""
    token, before = surprise.token, surprise.before
    if token is None or before is None or before.type != "NUMBER" or not token.isalpha():
        return None
    number, unit = span_of(before), span_of(token)
    if number.end != unit.start and "INTERVAL_END" not in surprise.accepted:
        return None
    worth = _UNITS.get(token.lower())
    value = read_number(before) if worth is not None and is_readable(before) else None
    seconds = "" if value is None or worth is None else write_number(value * worth)
    span = Span(number.start, unit.end)
    return catalogue.bound_with_unit(span, str(before), str(token), seconds)


def _rule_with_time(surprise: Surprise) -> Diagnostic | None:
    """`p(a)@3 :- q(a)`."""
    if (
        surprise.token is None
        or surprise.token.type != "IMPLIES"
        or "$END" not in surprise.accepted
    ):
        return None
    return catalogue.NO_FACT(surprise.chunk.span, kind="a rule")


def statement_not_ended(surprise: Surprise) -> Diagnostic | None:
    """Two statements on one line, or a word where none can stand."""
    token = surprise.token
    if token is None or token.type not in ("PREDICATE", "OPERATOR", "QUERY"):
        return None
    if surprise.index == 0 or "$END" not in surprise.accepted:
        return None
    return catalogue.STATEMENT_NOT_ENDED(span_of(token), found=described_token(token))


# --- what was found, what was expected


def unexpected_token(surprise: Surprise, help: str) -> Diagnostic:
    expected = (
        "a statement" if surprise.index == 0 else in_words(surprise.accepted, _GROUPS, _WORDS)
    )
    return catalogue.unexpected(surprise.span, _found(surprise), expected, help=help)


def _found(surprise: Surprise) -> str:
    if surprise.token is not None:
        return described_token(surprise.token)
    if surprise.chunk.end is not None:
        return "`.`"
    is_last = surprise.chunk.follower is None
    return "the end of the file" if is_last else "the end of the line"


def described_token(token: Token) -> str:
    if reserved_kind(token) and token.isalpha():
        return f"the keyword `{token}`"
    return f"{_KINDS.get(token.type, '')}`{token}`"


# --- help


def help_with(surprise: Surprise) -> str:
    token = surprise.token
    if token is None:
        return ""
    if token.type == "INTERVAL_START" and surprise.index:
        return "an interval stands behind an operator or `@`"
    if token.type == "OPERATOR" and "VARIABLE" in surprise.accepted:
        return "the arguments of an atom are variables and constants"
    if token.type == "STRING" and "MOMENT" in surprise.accepted:
        return "a date stands without quotes: `p(a)@2026-11-16T09:53:30`"
    if reserved_kind(token) and "PREDICATE" in surprise.accepted:
        return f"`{token}` is a keyword; choose another name"
    return ""
