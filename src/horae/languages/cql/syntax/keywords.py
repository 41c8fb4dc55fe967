"""The words of CQL, in any case: which are always keywords, and which only in certain places.

`range` is a keyword in a window and a name elsewhere, `count` a keyword before a parenthesis. A word
in double quotes is always a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lark import Token

from horae.languages.cql.syntax.tree import Aggregation, StreamOperator

_KEPT = ("REGISTER", "DISTINCT", "ALL", "UNION", "EXCEPT", "INTERSECT", "NOT", "TRUE", "FALSE")
_ORDERS = ("ASC", "DESC")
_CLAUSES = ("SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "BY", "LIMIT", "AS")
_CONNECTIVES = ("AND", "OR", "IN", "IS", "NULL", "EXISTS")
_WINDOWS = ("RANGE", "SLIDE", "UNBOUNDED", "NOW", "ROWS", "PARTITION")

RESERVED = (
    {word: word for word in (*_KEPT, *_ORDERS)}
    | {word: f"_{word}" for word in (*_CLAUSES, *_CONNECTIVES)}
    | {word.value: "STREAM_OPERATOR" for word in StreamOperator}
)
"""From a word that is a keyword everywhere to its terminal."""

_IN_WINDOW = {word: f"_{word}" for word in _WINDOWS}
_KINDS_OF_INPUT = {"STREAM": "STREAM", "RELATION": "RELATION"}
_AGGREGATIONS = {word.value: "AGGREGATION" for word in Aggregation}


def settle(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens of one statement, each word with its meaning."""
    is_window = False
    for index, token in enumerate(tokens):
        if token.type in ("LSQB", "RSQB"):
            is_window = token.type == "LSQB"
        kind = _kind(tokens, index, is_window)
        yield token if token.type == kind else token.update(type=kind)


def _kind(tokens: Sequence[Token], index: int, is_window: bool) -> str:
    token, word = tokens[index], tokens[index].upper()
    if token.type == "QUOTED":
        return "NAME"
    if token.type != "NAME":
        return token.type
    if word in RESERVED:
        return RESERVED[word]
    if is_window:
        return _IN_WINDOW.get(word, "NAME")
    is_registered = tokens[0].upper() == "REGISTER"
    if is_registered:
        return _KINDS_OF_INPUT.get(word, "NAME") if index == 1 else "NAME"
    following = tokens[index + 1].type if index + 1 < len(tokens) else ""
    return _AGGREGATIONS.get(word, "NAME") if following == "LPAR" else "NAME"
