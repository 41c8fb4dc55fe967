"""An unexpected token as a diagnostic: found, expected, and help for the usual mistakes."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from fractions import Fraction

from lark import Token

from horae.data.fact_lines import catalogue_lines as catalogue
from horae.data.fact_lines.statements import WrittenStatement
from horae.data.fact_lines.words import reserved_kind
from horae.data.rationals import is_readable, read_number, write_number
from horae.frontend.lalr import Stuck, span_of
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span

_GROUPS = (
    ("a formula", frozenset(("PREDICATE", "OPERATOR", "LPAR", "NOT")), "PREDICATE"),
    (
        "a variable or a constant",
        frozenset(("VARIABLE", "CONSTANT", "NUMBER", "STRING", "MOMENT")),
        "STRING",
    ),
    ("a number", frozenset(("NUMBER", "INFINITE", "MOMENT")), "INFINITE"),
    ("an operator", frozenset(("SINCE", "UNTIL", "AND")), "SINCE"),
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


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a grammar stopped: the token (None: the statement ended) and what was possible."""

    statement: WrittenStatement
    index: int
    accepted: frozenset[str]

    @property
    def token(self) -> Token | None:
        tokens = self.statement.tokens
        return tokens[self.index] if self.index < len(tokens) else None

    @property
    def before(self) -> Token | None:
        return self.statement.tokens[self.index - 1] if self.index else None

    @property
    def span(self) -> Span:
        """At the end of a statement: just behind it."""
        if self.token is not None:
            return span_of(self.token)
        end = span_of(self.statement.last).end
        return Span(end, end)


def explain_fact(statement: WrittenStatement, stuck: Stuck) -> Diagnostic:
    """The most specific diagnostic for the place in a text of facts."""
    stop = Stop(statement, stuck.index, stuck.accepted)
    return (
        conjunction_inside(stop)
        or time_with_unit(stop)
        or _rule_with_time(stop)
        or statement_not_ended(stop)
        or unexpected_token(stop, help_with(stop))
    )


# --- the special cases


def conjunction_inside(stop: Stop) -> Diagnostic | None:
    """`(p, q)`, but not `p(, a)`."""
    token = stop.token
    if token is None or token.type not in ("COMMA", "AND"):
        return None
    is_group = "RPAR" in stop.accepted and stop.accepted.isdisjoint(("COMMA", "CONSTANT"))
    return catalogue.CONJUNCTION_INSIDE(span_of(token)) if is_group else None


def time_with_unit(stop: Stop) -> Diagnostic | None:
    """`p@[0,5s]`, `p@3ms`: a name just behind a number, where none can stand."""
    token, before = stop.token, stop.before
    if token is None or before is None or before.type != "NUMBER" or not token.isalpha():
        return None
    number, unit = span_of(before), span_of(token)
    if number.end != unit.start and "INTERVAL_END" not in stop.accepted:
        return None
    worth = _UNITS.get(token.lower())
    value = read_number(before) if worth is not None and is_readable(before) else None
    seconds = "" if value is None or worth is None else write_number(value * worth)
    span = Span(number.start, unit.end)
    return catalogue.bound_with_unit(span, str(before), str(token), seconds)


def _rule_with_time(stop: Stop) -> Diagnostic | None:
    """`p(a)@3 :- q(a)`."""
    if stop.token is None or stop.token.type != "IMPLIES" or "$END" not in stop.accepted:
        return None
    return catalogue.NO_FACT(stop.statement.span, kind="a rule")


def statement_not_ended(stop: Stop) -> Diagnostic | None:
    """Two statements on one line, or a word where none can stand."""
    token = stop.token
    if token is None or token.type not in ("PREDICATE", "OPERATOR", "QUERY"):
        return None
    if stop.index == 0 or "$END" not in stop.accepted:
        return None
    return catalogue.STATEMENT_NOT_ENDED(span_of(token), found=described_token(token))


# --- what was found, what was expected


def unexpected_token(stop: Stop, help: str) -> Diagnostic:
    expected = "a statement" if stop.index == 0 else _in_words(stop.accepted)
    return catalogue.unexpected(stop.span, _found(stop), expected, help=help)


def _found(stop: Stop) -> str:
    if stop.token is not None:
        return described_token(stop.token)
    if stop.statement.dot is not None:
        return "`.`"
    is_last = stop.statement.follower is None
    return "the end of the file" if is_last else "the end of the line"


def described_token(token: Token) -> str:
    if reserved_kind(token) and token.isalpha():
        return f"the keyword `{token}`"
    return f"{_KINDS.get(token.type, '')}`{token}`"


def _in_words(accepted: Set[str]) -> str:
    """The accepted tokens in words: groups by their name, single tokens as they are written."""
    left = set(accepted)
    words: list[str] = []
    for name, group, sign in _GROUPS:
        if sign in left:
            words.append(name)
            left -= group
    singles = {_WORDS.get(kind, f"`{kind.lower()}`") for kind in left}
    end = _WORDS["$END"]
    return _either([*sorted(singles - {end}), *words, *([end] if end in singles else [])])


def _either(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


# --- help


def help_with(stop: Stop) -> str:
    token = stop.token
    if token is None:
        return ""
    if token.type == "INTERVAL_START" and stop.index:
        return "an interval stands behind an operator or `@`"
    if token.type == "OPERATOR" and "VARIABLE" in stop.accepted:
        return "the arguments of an atom are variables and constants"
    if token.type == "STRING" and "MOMENT" in stop.accepted:
        return "a date stands without quotes: `p(a)@2026-11-16T09:53:30`"
    if reserved_kind(token) and "PREDICATE" in stop.accepted:
        return f"`{token}` is a keyword; choose another name"
    return ""
