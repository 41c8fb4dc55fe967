"""Tokens into one chunk per statement.

A statement ends at a semicolon. It also ends where the next one starts for sure, at `REGISTER` or
`name:`, so that a forgotten semicolon is one error and not many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lark import Token

from horae.frontend.chunks import Chunk
from horae.languages.cql.syntax.keywords import settle


def cut(tokens: Sequence[Token]) -> Iterator[Chunk]:
    """One chunk per statement; a lone semicolon is none."""
    start = 0
    while start < len(tokens):
        end = _end(tokens, start)
        follower = tokens[end] if end < len(tokens) else None
        semicolon = follower if follower is not None and follower.type == "SEMICOLON" else None
        if semicolon is not None:
            follower = tokens[end + 1] if end + 1 < len(tokens) else None
        if end > start:
            yield Chunk(tuple(settle(tokens[start:end])), semicolon, follower)
        start = end + 1 if semicolon is not None else end


def _end(tokens: Sequence[Token], start: int) -> int:
    for index in range(start, len(tokens)):
        if tokens[index].type == "SEMICOLON" or (index > start and _starts(tokens, index)):
            return index
    return len(tokens)


def _starts(tokens: Sequence[Token], index: int) -> bool:
    token = tokens[index]
    if token.type not in ("NAME", "QUOTED"):
        return False
    is_label = index + 1 < len(tokens) and tokens[index + 1].type == "COLON"
    return is_label or (token.type == "NAME" and token.upper() == "REGISTER")
