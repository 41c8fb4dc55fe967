"""The pieces of a specification that comments belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lark import Token

from horae.frontend import comments as shared
from horae.frontend.chunks import Chunk
from horae.frontend.comments import Comments, PieceExtent

_PIECES = frozenset(("INVOKE", "EXTEND", "TERMINATE", "DEFINE"))
_SECTIONS = frozenset(("STATE", "STEP", "COMBINE", "INVERSE", "RESULT"))


def attach_comments(comments: Iterable[Token], chunks: Sequence[Chunk]) -> Comments:
    """Give every comment to exactly one piece, or to the end of the file."""
    extents = [e for number, chunk in enumerate(chunks) for e in _extents(number, chunk)]
    return shared.attach(comments, extents)


def _extents(number: int, chunk: Chunk) -> Iterator[PieceExtent]:
    tokens = chunk.tokens
    starts = [i for i in range(len(tokens)) if _kind(chunk, i) is not None]
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        kind = _kind(chunk, start)
        assert kind is not None
        yield PieceExtent.of((number, kind), tokens[start], tokens[end - 1])


def _kind(chunk: Chunk, index: int) -> str | None:
    """The kind of the piece that starts with this token, if one does."""
    token = chunk.tokens[index]
    if index == 0:
        return "head"
    if chunk.first.type == "OUTPUT" and token.type in _PIECES:
        return token.type.lower()
    if chunk.first.type == "AGGREGATION":
        if token.type in _SECTIONS:
            return token.type.lower()
        return "close" if token is chunk.last else None
    return None
