"""An unexpected token as a diagnostic: found, expected, and help for the usual mistakes."""

from __future__ import annotations

from collections.abc import Set

from lark import Token

from horae.frontend.chunks import Chunk
from horae.frontend.expectations import END, Surprise, TokenGroup, either, grouped
from horae.frontend.lalr import Stuck, span_of
from horae.languages.cql.syntax import catalogue_syntax as catalogue
from horae.languages.cql.syntax.keywords import RESERVED
from horae.languages.cql.syntax.sql_habits import explain_habit
from horae.source.diagnostic import Diagnostic
from horae.source.suggest import closest
from horae.source.text import Span

_VALUE = frozenset(
    ("NAME", "NUMBER", "STRING", "TRUE", "FALSE", "AGGREGATION", "LPAR", "MINUS", "NOT", "_EXISTS")
)
_GROUPS = (  # what the kinds are called together, if the sign is among them
    TokenGroup("a value", _VALUE, "AGGREGATION"),
    TokenGroup("a query", frozenset(("_SELECT", "STREAM_OPERATOR", "LPAR")), "_SELECT"),
    TokenGroup(
        "an operator", frozenset(("PLUS", "MINUS", "STAR", "DIVIDED", "COMPARATOR")), "DIVIDED"
    ),
    TokenGroup("a window", frozenset(("LSQB",)), "LSQB"),
    TokenGroup(
        "a clause", frozenset(("_WHERE", "_GROUP", "_HAVING", "_ORDER", "_LIMIT")), "_GROUP"
    ),
)
_SIGNS = {
    "COMMA": "`,`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "RSQB": "`]`",
    "COLON": "`:`",
    "DOT": "`.`",
    "STAR": "`*`",
    "MINUS": "`-`",
    "PLUS": "`+`",
    "DIVIDED": "`/`",
    "COMPARATOR": "a comparison",
    "NUMBER": "a number",
    "STRING": "a text",
    "NAME": "a name",
    "STREAM_OPERATOR": "`ISTREAM(…)`",
    "$END": "the end of the statement",
}
_BEFORE_CONDITIONS = frozenset(("_WHERE", "_HAVING", "_AND", "_OR", "NOT"))
_KINDS = {"NAME": "the name ", "NUMBER": "the number ", "STRING": "the text "}
_RARE = frozenset(  # always possible behind a value; naming them all would hide the point
    ("_AND", "_OR", "_IS", "_IN", "NOT", "ASC", "DESC", "UNION", "EXCEPT", "INTERSECT", "ALL")
)
_WORDS = ("SELECT", "REGISTER", "FROM", "WHERE", "GROUP", "ORDER", "HAVING", "LIMIT", "UNION")
_WINDOW_WORDS = ("RANGE", "ROWS", "NOW", "PARTITION", "SLIDE", "UNBOUNDED")


def explain(chunk: Chunk, stuck: Stuck) -> Diagnostic:
    """The most specific diagnostic for the place."""
    is_no_label = stuck.accepted == {"COLON"}  # the first word starts no statement
    surprise = Surprise(chunk, 0 if is_no_label else stuck.index, stuck.accepted)
    return (
        _stream_operator_inside(surprise)
        or _query_as_value(surprise)
        or _forgotten_semicolon(surprise)
        or explain_habit(surprise.chunk.tokens, surprise.index, surprise.accepted)
        or catalogue.unexpected(
            surprise.span, _found(surprise), _expected(surprise), help=_help(surprise)
        )
    )


# --- the special cases


def _stream_operator_inside(surprise: Surprise) -> Diagnostic | None:
    token = surprise.token
    if token is None or token.type != "STREAM_OPERATOR" or "_SELECT" in surprise.accepted:
        return None
    is_inside = any(t.type == "_SELECT" for t in surprise.chunk.tokens[: surprise.index])
    is_next_line = "$END" in surprise.accepted
    if not is_inside or is_next_line:
        return None
    return catalogue.STREAM_OPERATOR_INSIDE(span_of(token), operator=token.upper())


def _query_as_value(surprise: Surprise) -> Diagnostic | None:
    token, before = surprise.token, surprise.before
    if token is None or token.type != "_SELECT" or before is None or before.type != "LPAR":
        return None
    return catalogue.QUERY_AS_VALUE(span_of(token)) if "AGGREGATION" in surprise.accepted else None


def _forgotten_semicolon(surprise: Surprise) -> Diagnostic | None:
    """A second query without a name, behind one that could end."""
    token, before = surprise.token, surprise.before
    if token is None or before is None or "$END" not in surprise.accepted:
        return None
    starts_query = token.type in ("_SELECT", "STREAM_OPERATOR")
    if not starts_query or token.line == before.end_line:
        return None
    end = span_of(before).end
    return catalogue.MISSING_SEMICOLON(Span(end, end))


# --- what was found, what was expected


def _found(surprise: Surprise) -> str:
    if surprise.token is not None:
        return _described(surprise.token)
    if surprise.chunk.end is not None:
        return "`;`"
    return "the next statement" if surprise.chunk.follower is not None else "the end of the file"


def _described(token: Token) -> str:
    if token.type in RESERVED.values():
        return f"the keyword `{token}`"
    return f"{_KINDS.get(token.type, '')}{_quoted(token)}"


def _quoted(token: Token) -> str:
    return str(token) if token.type == "STRING" else f"`{token}`"


def _expected(surprise: Surprise) -> str:
    before = surprise.before
    if before is None:
        return "`REGISTER` or a query"
    return "a condition" if before.type in _BEFORE_CONDITIONS else _in_words(surprise.accepted)


def _in_words(accepted: Set[str]) -> str:
    """The accepted tokens in words: groups by their name, single tokens as they are written."""
    names, left = grouped(accepted, _GROUPS)
    common = left - _RARE or left
    singles = {_SIGNS.get(kind, f"`{kind.removeprefix('_')}`") for kind in common - {END}}
    return either([*names, *sorted(singles), *([_SIGNS[END]] if END in common else [])])


# --- help


def _help(surprise: Surprise) -> str:
    token = surprise.token
    return (
        _help_with_keywords(surprise)
        or _help_with_windows(surprise)
        or (_help_with_spelling(token, surprise) if token is not None else "")
    )


def _help_with_keywords(surprise: Surprise) -> str:
    token = surprise.token
    if token is None:
        return ""
    if token.type == "_NULL":
        return "write `x IS NULL` or `x IS NOT NULL`"
    if token.type in RESERVED.values() and surprise.accepted == {"NAME"}:
        return f'`{token}` is a keyword; as a name write it in double quotes: `"{token}"`'
    return ""


def _help_with_windows(surprise: Surprise) -> str:
    token, before = surprise.token, surprise.before
    if token is None or before is None:
        return ""
    if token.type == "LSQB" and before.type == "NAME":
        return f"the window stands before the other name: `stream [RANGE 5] AS {before}`"
    if before.type in ("_RANGE", "_ROWS", "_PARTITION") or token.upper() == "UNBOUNDED":
        return _WINDOWS
    if before.type == "LSQB":
        meant = closest(token, _WINDOW_WORDS)
        return f"did you mean `{meant}`?" if meant else _WINDOWS
    return ""


_WINDOWS = (
    "the windows are `[RANGE n]`, `[RANGE n SLIDE d]`, `[RANGE UNBOUNDED]`, `[NOW]`, `[ROWS n]` "
    "and `[PARTITION BY a ROWS n]`"
)


def _help_with_spelling(token: Token, surprise: Surprise) -> str:
    """A misspelt keyword is taken for a name, so it is often the token before."""
    for word in (token, surprise.before):
        meant = closest(word, _WORDS) if word is not None and word.type == "NAME" else None
        if meant is not None:
            return f"did you mean `{meant}`?"
    return ""
