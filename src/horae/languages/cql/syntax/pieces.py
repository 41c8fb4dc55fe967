"""The pieces of a statement: where the formatter may break a line, and what comments belong to.

q: SELECT a, b FROM s [NOW] WHERE a = 1 AND b = 2;

has the pieces `q: SELECT a,` `b` `FROM s [NOW]` `WHERE a = 1` `AND b = 2;`
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lark import Token

from horae.frontend.chunks import Chunk

_CLAUSES = frozenset(
    ("_FROM", "_WHERE", "_GROUP", "_HAVING", "_ORDER", "_LIMIT", "UNION", "EXCEPT", "INTERSECT")
)
_OPENING = frozenset(("LPAR", "LSQB"))
_CLOSING = frozenset(("RPAR", "RSQB"))


@dataclass(frozen=True, slots=True)
class Piece:
    """Some tokens of a statement; `starts_clause` also for the first piece."""

    tokens: tuple[Token, ...]
    starts_clause: bool


def cut_pieces(chunk: Chunk) -> list[Piece]:
    """All tokens of the statement, semicolon included if there is one."""
    tokens = chunk.all_tokens
    starts = [0, *(index for index, _ in _breaks(chunk))]
    clauses = {0, *(index for index, is_clause in _breaks(chunk) if is_clause)}
    ends = [*starts[1:], len(tokens)]
    return [
        Piece(tuple(tokens[start:end]), start in clauses)
        for start, end in zip(starts, ends, strict=True)
    ]


def _breaks(chunk: Chunk) -> Iterator[tuple[int, bool]]:
    """The indices at which a piece starts, and whether a clause does."""
    is_declaration = chunk.first.type == "REGISTER"
    level = int(is_declaration or any(t.type == "STREAM_OPERATOR" for t in chunk.tokens[:3]))
    depth = 0
    for index, token in enumerate(chunk.tokens):
        depth += (token.type in _OPENING) - (token.type in _CLOSING)
        if depth != level or index == 0 or token.type in _CLOSING:
            continue
        if token.type in _CLAUSES:
            yield index, True
        elif token.type == "_AND" or chunk.tokens[index - 1].type == "COMMA":
            yield index, is_declaration
