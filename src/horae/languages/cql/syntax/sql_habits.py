"""What people know from SQL and CQL does not have: each is named, with what to write instead."""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token

from horae.frontend.lalr import span_of
from horae.languages.cql.syntax import catalogue_sql as catalogue
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span

_JOINED = (
    "write the elements with commas, and what they share in WHERE: `FROM a, b WHERE a.x = b.x`"
)
_OUTER = f"{_JOINED}; rows without a partner are those `WHERE NOT EXISTS (SELECT …)`"
_CASES = "write a SELECT for each case, with its condition in WHERE, and `UNION ALL` between them"
_FIRST_ROWS = "write `ORDER BY … LIMIT 3` at the end"
_NAMED = "name the query instead: `part: SELECT …;`, and read `part` in a later one"
_JOINS = ("LEFT", "RIGHT", "FULL", "INNER", "CROSS", "NATURAL", "OUTER", "JOIN")
_WORDS = {
    "JOIN": _JOINED,
    "INNER": _JOINED,
    "CROSS": _JOINED,
    "NATURAL": _JOINED,
    "LEFT": _OUTER,
    "RIGHT": _OUTER,
    "FULL": _OUTER,
    "OUTER": _OUTER,
    "CASE": _CASES,
    "BETWEEN": "write `x >= 1 AND x <= 5`",
    "LIKE": "texts are compared with `=`, `<` and the like",
    "ILIKE": "texts are compared with `=`, `<` and the like",
    "XOR": "write `(a OR b) AND NOT (a AND b)`",
    "MOD": "take the remainder before the rows come in",
    "ANY": "write `x IN (SELECT …)`, or `EXISTS (SELECT …)` with the comparison in its WHERE",
    "SOME": "write `x IN (SELECT …)`, or `EXISTS (SELECT …)` with the comparison in its WHERE",
    "WITH": _NAMED,
    "INTO": "name the query: `x: SELECT …;`",
    "INSERT": "name the query: `x: SELECT …;`",
    "OVER": "a window stands behind a stream in FROM: `tram [ROWS 5]`",
    "WINDOW": "a window stands in brackets behind a stream in FROM: `tram [RANGE 5]`",
    "OFFSET": _FIRST_ROWS,
    "TOP": _FIRST_ROWS,
    "FETCH": _FIRST_ROWS,
    "ON": "write `GROUP BY`, or say in WHERE which rows belong together",
    "NULLS": "nulls are the first ones, with DESC the last ones",
    "CREATE": "write `REGISTER STREAM name(column type, …)`",
    "MINUS": "write `EXCEPT`",
    "DATE": "time points are whole numbers, dates in the input are seconds since 1970",
    "TIMESTAMP": "time points are whole numbers, dates in the input are seconds since 1970",
    "INTERVAL": "durations stand in windows: `[RANGE 5 min]`",
}
_REACH = 2  # a foreign word is first taken for a name, so the grammar stops some tokens later


def explain_habit(
    tokens: Sequence[Token], index: int, accepted: frozenset[str]
) -> Diagnostic | None:
    """The diagnostic for the place where the grammar stopped, if it looks like SQL."""
    return (
        _foreign_word(tokens, index)
        or _function(tokens, index)
        or _trailing_comma(tokens, index)
        or _operator(tokens, index, accepted)
    )


def _foreign_word(tokens: Sequence[Token], index: int) -> Diagnostic | None:
    for place in range(max(index - _REACH, 0), min(index + 2, len(tokens))):
        if _is_foreign(tokens, place):
            end = place
            while _is_join(tokens[place]) and end + 1 < len(tokens) and _is_join(tokens[end + 1]):
                end += 1
            return _unsupported(tokens[place : end + 1], _WORDS[tokens[place].upper()])
    return None


def _is_foreign(tokens: Sequence[Token], place: int) -> bool:
    """Such a word may also be a name: then something follows that follows names."""
    token = tokens[place]
    if token.type != "NAME" or token.startswith('"') or token.upper() not in _WORDS:
        return False
    following = tokens[place + 1].type if place + 1 < len(tokens) else "$END"
    return following in _AFTER_WORDS


_AFTER_WORDS = frozenset(
    ("NAME", "NUMBER", "STRING", "LPAR", "MINUS", "AGGREGATION", "_SELECT", "STREAM", "RELATION")
)


def _is_join(token: Token) -> bool:
    return token.upper() in _JOINS


def _unsupported(tokens: Sequence[Token], help: str) -> Diagnostic:
    span = Span(span_of(tokens[0]).start, span_of(tokens[-1]).end)
    return catalogue.UNSUPPORTED(span, what=" ".join(token.upper() for token in tokens), help=help)


def _function(tokens: Sequence[Token], index: int) -> Diagnostic | None:
    if not 0 < index < len(tokens) or tokens[index].type != "LPAR":
        return None
    name = tokens[index - 1]
    if name.type != "NAME" or name.startswith('"'):
        return None
    if tokens[0].upper() == "REGISTER":
        return catalogue.LENGTH_OF_TYPE(span_of(tokens[index]))
    return catalogue.unknown_function(span_of(name), name)


def _trailing_comma(tokens: Sequence[Token], index: int) -> Diagnostic | None:
    if index == 0 or tokens[index - 1].type != "COMMA":
        return None
    return catalogue.TRAILING_COMMA(span_of(tokens[index - 1])) if _ends(tokens, index) else None


def _ends(tokens: Sequence[Token], index: int) -> bool:
    """Whether a list ends here; a keyword may also be meant as a name: `STREAM s(a int, order int)`."""
    if index == len(tokens) or tokens[index].type in ("RPAR", "RSQB"):
        return True
    return tokens[0].upper() != "REGISTER" and tokens[index].type in _CLAUSES


_CLAUSES = frozenset(
    ("_FROM", "_WHERE", "_GROUP", "_HAVING", "_ORDER", "_LIMIT", "UNION", "EXCEPT")
)


def _operator(tokens: Sequence[Token], index: int, accepted: frozenset[str]) -> Diagnostic | None:
    if not 0 < index < len(tokens):
        return None
    pair = (tokens[index - 1].type, tokens[index].type)
    both = tokens[index - 1 : index + 1]
    if pair == ("STAR", "STAR"):
        return _unsupported_sign(both, "write `x * x`")
    if pair == ("COMPARATOR", "COMPARATOR"):
        return _unsupported_sign(both, "the comparisons are `=`, `!=`, `<`, `<=`, `>` and `>=`")
    if pair[0] == "COMPARATOR" and pair[1] == "ALL":
        return _unsupported(both[1:], "write `NOT EXISTS (SELECT …)` with the opposite comparison")
    if pair[0] == "_IS" and pair[1] in ("TRUE", "FALSE"):
        return _unsupported(both, "a bool is a condition: write `x` or `NOT x`")
    if pair[1] == "STRING" and accepted == {"NAME"}:
        return catalogue.text_as_name(span_of(tokens[index]), tokens[index])
    return None


def _unsupported_sign(tokens: Sequence[Token], help: str) -> Diagnostic:
    span = Span(span_of(tokens[0]).start, span_of(tokens[-1]).end)
    return catalogue.UNSUPPORTED(span, what="".join(tokens), help=help)
