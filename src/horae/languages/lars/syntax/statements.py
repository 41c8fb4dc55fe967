"""Tokens into one chunk per statement: cut at the dots, wherever they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lark import Token

from horae.frontend.chunks import Chunk
from horae.languages.lars.syntax.places import settle


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
