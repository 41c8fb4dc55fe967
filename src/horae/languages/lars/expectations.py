"""An unexpected token as a diagnostic: found, expected, and help for the usual mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lark import Token

from horae.languages.lalr import Stuck, span_of
from horae.languages.lars import catalogue_syntax as catalogue
from horae.languages.lars.statements import Chunk
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span


@dataclass(frozen=True, slots=True)
class Surprise:
    """Where the grammar stopped: the token (None: the statement ended) and what was possible."""

    chunk: Chunk
    index: int
    accepted: frozenset[str]

    @property
    def token(self) -> Token | None:
        return self.chunk.tokens[self.index] if self.index < len(self.chunk.tokens) else None

    @property
    def before(self) -> Sequence[Token]:
        return self.chunk.tokens[: self.index]

    @property
    def kinds(self) -> list[str]:
        """Those of the tokens before."""
        return [token.type for token in self.before]

    @property
    def span(self) -> Span:
        """At the end of a statement: just behind it."""
        if self.token is not None:
            return span_of(self.token)
        end = span_of(self.chunk.last).end
        return Span(end, end)


def explain(chunk: Chunk, stuck: Stuck) -> Diagnostic:
    """The most specific diagnostic for the place."""
    surprise = Surprise(chunk, stuck.index, stuck.accepted)
    return catalogue.unexpected(surprise.span, str(surprise.token), str(sorted(surprise.accepted)))
