"""Tokens into one chunk per statement: cut at the dots, wherever they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lark import Token

from horae.languages.lars.syntax.places import settle


@dataclass(frozen=True, slots=True)
class Chunk:
    """The settled tokens of one statement; `dot` is None if the file ends before one."""

    tokens: tuple[Token, ...]
    dot: Token | None

    @property
    def first(self) -> Token:
        return self.tokens[0]

    @property
    def last(self) -> Token:
        return self.tokens[-1]

    @property
    def final(self) -> Token:
        """The last token, dot included."""
        return self.dot if self.dot is not None else self.last


def cut(tokens: Sequence[Token]) -> Iterator[Chunk]:
    """One chunk per statement; a lone dot is none."""
    pending: list[Token] = []
    for token in tokens:
        if token.type != "DOT":
            pending.append(token)
        elif pending:
            yield Chunk(settle(pending), token)
            pending = []
    if pending:
        yield Chunk(settle(pending), None)
