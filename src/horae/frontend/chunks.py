"""The tokens of one statement or declaration. Data only.

Errors stay inside of a chunk: the chunks after it are still read.
"""

from __future__ import annotations

from dataclasses import dataclass

from lark import Token

from horae.frontend.lalr import span_of
from horae.source.text import Span


@dataclass(frozen=True, slots=True)
class Chunk:
    """Settled tokens, at least one.

    `end` is the dot or the semicolon behind them, None if it is missing or the language has none;
    `follower` is the next token, None at the end of the file.
    """

    tokens: tuple[Token, ...]
    end: Token | None = None
    follower: Token | None = None

    @property
    def first(self) -> Token:
        return self.tokens[0]

    @property
    def last(self) -> Token:
        return self.tokens[-1]

    @property
    def span(self) -> Span:
        """From the first token to the last, without the end."""
        return span_of(self.first).to(span_of(self.last))

    @property
    def all_tokens(self) -> tuple[Token, ...]:
        """The tokens of the statement, and its end."""
        return self.tokens if self.end is None else (*self.tokens, self.end)

    @property
    def lines(self) -> range:
        """The lines from the first token to the end of the statement."""
        return range(self.first.line or 0, (self.all_tokens[-1].end_line or 0) + 1)
