"""Which piece of a program each comment belongs to.

A comment behind a piece on the same line is trailing. One inside of a piece, or on lines of its
own, goes before: the first to the piece that contains it, the second to the piece that follows.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lark import Token

from horae.languages.rtlola.chunks import Chunk
from horae.languages.rtlola.tokens import span_of

_PIECES = frozenset(("INVOKE", "EXTEND", "TERMINATE", "DEFINE"))
_SECTIONS = frozenset(("STATE", "STEP", "COMBINE", "INVERSE", "RESULT"))
_END = (-1, "end")

Place = tuple[int, str]  # the number of the chunk, and the kind of the piece


@dataclass(frozen=True, slots=True)
class Comments:
    """The comments of each place, in source order."""

    leading: dict[Place, list[Token]]
    inside: dict[Place, list[Token]]
    trailing: dict[Place, list[Token]]

    @property
    def at_end(self) -> list[Token]:
        """Those after the last declaration."""
        return self.leading.get(_END, [])

    def before(self, place: Place) -> list[Token]:
        return [*self.leading.get(place, ()), *self.inside.get(place, ())]


@dataclass(frozen=True, slots=True)
class _Extent:
    """The tokens of one piece in the source."""

    place: Place
    start: int
    end: int
    end_line: int | None


def attach(comments: Iterable[Token], chunks: Sequence[Chunk]) -> Comments:
    """Give every comment to exactly one piece, or to the end of the file."""
    extents = [e for number, chunk in enumerate(chunks) for e in _extents(number, chunk)]
    starts = [extent.start for extent in extents]
    attached = Comments(defaultdict(list), defaultdict(list), defaultdict(list))
    for comment in comments:
        after = bisect_right(starts, span_of(comment).start)
        previous = extents[after - 1] if after else None
        following = extents[after].place if after < len(extents) else _END
        _put(attached, comment, previous, following)
    return attached


def _put(attached: Comments, comment: Token, previous: _Extent | None, following: Place) -> None:
    if previous is not None and span_of(comment).start < previous.end:
        attached.inside[previous.place].append(comment)
    elif previous is not None and comment.line == previous.end_line:
        attached.trailing[previous.place].append(comment)
    else:
        attached.leading[following].append(comment)


def _extents(number: int, chunk: Chunk) -> Iterator[_Extent]:
    tokens = chunk.tokens
    starts = [i for i in range(len(tokens)) if _kind(chunk, i) is not None]
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        kind, last = _kind(chunk, start), tokens[end - 1]
        assert kind is not None
        first, final = span_of(tokens[start]), span_of(last)
        yield _Extent((number, kind), first.start, final.end, last.end_line)


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
