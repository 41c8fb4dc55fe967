"""What all front ends say of an unexpected token: where it stands, and what could have stood there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from lark import Token

from horae.frontend.chunks import Chunk
from horae.frontend.lalr import span_of
from horae.source.text import Span

END = "$END"
"""The kind of the token that a grammar accepts where the statement may end."""


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
    def before(self) -> Token | None:
        return self.chunk.tokens[self.index - 1] if self.index else None

    @property
    def all_before(self) -> Sequence[Token]:
        return self.chunk.tokens[: self.index]

    @property
    def kinds(self) -> list[str]:
        """The kinds of the tokens before."""
        return [token.type for token in self.all_before]

    @property
    def span(self) -> Span:
        """At the end of a statement: just behind it."""
        if self.token is not None:
            return span_of(self.token)
        end = span_of(self.chunk.last).end
        return Span(end, end)


@dataclass(frozen=True, slots=True)
class TokenGroup:
    """What kinds of tokens are called together, if the `sign` is among those that are accepted."""

    name: str
    kinds: frozenset[str]
    sign: str


def grouped(accepted: Set[str], groups: Iterable[TokenGroup]) -> tuple[list[str], set[str]]:
    """The names of the groups that are accepted, and the kinds that belong to none of these."""
    left = set(accepted)
    names: list[str] = []
    for group in groups:
        if group.sign in left:
            names.append(group.name)
            left -= group.kinds
    return names, left


def in_words(accepted: Set[str], groups: Iterable[TokenGroup], words: Mapping[str, str]) -> str:
    """The accepted tokens in words: single ones as they are written, then groups by their name."""
    names, left = grouped(accepted, groups)
    singles = {words.get(kind, f"`{kind.lower()}`") for kind in left - {END}}
    return either([*sorted(singles), *names, *([words[END]] if END in left else [])])


def either(words: Sequence[str]) -> str:
    """`a, b or c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
