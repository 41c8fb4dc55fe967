"""Tokens into one chunk per statement.

A statement ends at a semicolon. It also ends where the next one starts for sure, at `REGISTER` or
`name:`, so that a forgotten semicolon is one error and not many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lark import Token

from horae.languages.cql.syntax.keywords import settle


@dataclass(frozen=True, slots=True)
class Chunk:
    """The settled tokens of one statement, without its semicolon; `follower` is the next token."""

    tokens: tuple[Token, ...]
    semicolon: Token | None
    follower: Token | None

    @property
    def first(self) -> Token:
        return self.tokens[0]

    @property
    def last(self) -> Token:
        return self.tokens[-1]

    @property
    def final(self) -> Token:
        """The last token, semicolon included."""
        return self.semicolon if self.semicolon is not None else self.last


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
