"""Tokens into one chunk per statement.

A statement ends at a dot, or at the end of a line where it can end: not inside of brackets, not
behind a comma, `:-`, an operator or its interval, and not before a line that starts with something
no statement starts with (`:-`, a comma, `and`, `Since`, `@` …). Indentation means nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from lark import Token

from horae.data.fact_lines import catalogue_lines as catalogue
from horae.data.fact_lines.places import TokenPlace, settle_token
from horae.data.fact_lines.words import reserved_kind
from horae.frontend.brackets import Brackets
from horae.frontend.chunks import Chunk
from horae.frontend.scanning import ScannedText
from horae.source.text import Source

_STOPS = frozenset(("DOT", "IMPLIES", "QUERY"))  # never inside of brackets
_OPENING = frozenset(("LPAR", "INTERVAL_START"))
_CLOSING = frozenset(("RPAR", "INTERVAL_END"))
_ENDS = frozenset((TokenPlace.ARGUMENTS_OR_AFTER, TokenPlace.AFTER))
_INSIDE = frozenset((TokenPlace.ARGUMENTS, TokenPlace.TIME_INTERVAL, TokenPlace.BOUNDS))
_STARTS = frozenset(("PREDICATE", "OPERATOR", "QUERY", "NOT"))


IsVariable = Callable[[str], bool]
"""Whether a name among the arguments of an atom is a variable."""

BRACKETS = Brackets(
    catalogue.BRACKETS,
    pairs={"LPAR": "RPAR", "INTERVAL_START": "INTERVAL_END"},
    words={"RPAR": "`)`", "INTERVAL_END": "`]` or `)`"},
)
"""The ends of an interval may differ, as in `[0,5)`."""


def readable_chunks(
    source: Source, scanned: ScannedText, is_variable: IsVariable
) -> Iterator[Chunk]:
    """All but those with unreadable characters, which have had their error already."""
    holes = {source.position(diagnostic.span.start).line for diagnostic in scanned.diagnostics}
    for chunk in _cut(scanned.tokens, is_variable):
        if holes.isdisjoint(chunk.lines):
            yield chunk


def _cut(tokens: Sequence[Token], is_variable: IsVariable) -> Iterator[Chunk]:
    """One chunk per statement; a lone dot is none."""
    closed = _closed_brackets(tokens)
    start = 0
    while start < len(tokens):
        if tokens[start].type == "DOT":
            start += 1
            continue
        settled, end = _statement(tokens, start, closed)
        named = tuple(_with_variable(token, is_variable) for token in settled)
        follower = tokens[end] if end < len(tokens) else None
        if follower is not None and follower.type == "DOT":
            end += 1
            after = tokens[end] if end < len(tokens) else None
            yield Chunk(named, follower, after)
        else:
            yield Chunk(named, None, follower)
        start = end


def _with_variable(token: Token, is_variable: IsVariable) -> Token:
    is_one = token.type == "CONSTANT" and is_variable(token)
    return token.update(type="VARIABLE") if is_one else token


def _statement(
    tokens: Sequence[Token], start: int, closed: frozenset[int]
) -> tuple[list[Token], int]:
    """The settled tokens of the statement that starts here, and the index of its end."""
    settled: list[Token] = []
    place, depth = TokenPlace.FORMULA, 0
    for index in range(start, len(tokens)):
        token = tokens[index]
        if token.type == "DOT":
            return settled, index
        if settled and token.line != settled[-1].end_line and depth == 0:
            following = tokens[index + 1] if index + 1 < len(tokens) else None
            if _ends(place, token, following):
                return settled, index
        depth += _deeper(index, token, closed) if depth or index in closed else 0
        token, place = settle_token(place, token)
        settled.append(token)
    return settled, len(tokens)


def _deeper(index: int, token: Token, closed: frozenset[int]) -> int:
    if token.type in _CLOSING:
        return -1
    return 1 if index in closed else 0


def _ends(place: TokenPlace, token: Token, following: Token | None) -> bool:
    """Whether the statement before a line that starts with this token is over."""
    if place in _INSIDE:
        return True  # in a bracket that nothing closes
    return place in _ENDS and _starts_statement(token, following)


def _starts_statement(token: Token, following: Token | None) -> bool:
    """`Since` and `S[` go on with the line before; `S(` starts with a predicate `S`."""
    if token.type not in _STARTS:
        return False
    if token.lower() in ("s", "u"):
        return following is None or following.type != "INTERVAL_START"
    return (reserved_kind(token) or token.type) in _STARTS


def _closed_brackets(tokens: Sequence[Token]) -> frozenset[int]:
    """The indices of the opening brackets that something closes before the next rule starts."""
    closed: set[int] = set()
    opened: list[int] = []
    for index, token in enumerate(tokens):
        if token.type in _OPENING:
            opened.append(index)
        elif token.type in _CLOSING and opened:
            closed.add(opened.pop())
        elif token.type in _STOPS:
            opened.clear()
    return frozenset(closed)
