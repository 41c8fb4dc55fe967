"""The canonical layout of a file: keywords in upper case, a clause per line where a query is long.

q:select a,b from s[range 5] -- why      →      q: SELECT a, b
where a<>1                                          FROM s [RANGE 5]  -- why
                                                    WHERE a != 1;
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from horae.frontend.comments import Comments, PieceExtent, attach
from horae.frontend.layout import (
    Block,
    closing_blocks,
    comment_text,
    join_blocks,
    statement_blocks,
    trailing_text,
)
from horae.languages.cql.syntax.parse import Parsed, parse_chunks
from horae.languages.cql.syntax.pieces import Piece, cut_pieces
from horae.languages.cql.syntax.print_tokens import print_tokens
from horae.languages.cql.syntax.tokens import scan
from horae.source.errors import ProgramError
from horae.source.text import Source

__all__ = ["format_source"]

_INDENT = "    "
_WIDTH = 100


def format_source(source: Source) -> str:
    """The formatted text; a source with syntax errors raises `ProgramError`."""
    scanned = scan(source)
    parsed = list(parse_chunks(scanned.tokens, scanned.diagnostics))
    problems = [*scanned.diagnostics, *(d for chunk in parsed for d in chunk.diagnostics)]
    if problems:
        raise ProgramError(source, sorted(problems, key=lambda d: d.span.start))
    cuts = [cut_pieces(each.chunk) for each in parsed]
    comments = attach(scanned.comments, list(_extents(cuts)))
    blocks: list[Block] = []
    for number, (each, pieces) in enumerate(zip(parsed, cuts, strict=True)):
        body = "\n".join(_Statement(number, each, pieces, comments).lines())
        blocks += statement_blocks(source, number, body, each.chunk.first, comments)
    return join_blocks([*blocks, *closing_blocks(source, comments)])


def _extents(cuts: Sequence[Sequence[Piece]]) -> Iterator[PieceExtent]:
    for number, pieces in enumerate(cuts):
        for index, piece in enumerate(pieces):
            yield PieceExtent.of((number, _kind(index)), piece.tokens[0], piece.tokens[-1])


def _kind(index: int) -> str:
    return "head" if index == 0 else str(index)


class _Statement:
    """The lines of one statement."""

    def __init__(
        self, number: int, parsed: Parsed, pieces: Sequence[Piece], comments: Comments
    ) -> None:
        self._number = number
        self._pieces = pieces
        self._comments = comments
        self._end = "" if parsed.chunk.end is not None else ";"

    def lines(self) -> Iterator[str]:
        """All on one line, or a clause per line, or in long clauses a piece per line."""
        if self._fits(0, len(self._pieces), ""):
            yield self._line(0, len(self._pieces), "")
            return
        starts = [i for i, piece in enumerate(self._pieces) if piece.starts_clause]
        for start, end in pairwise([*starts, len(self._pieces)]):
            yield from self._clause(start, end)

    def _clause(self, start: int, end: int) -> Iterator[str]:
        indent = _INDENT if start else ""
        if self._fits(start, end, indent):
            yield from self._above(start, indent)
            yield self._line(start, end, indent)
            return
        for index in range(start, end):
            inner = indent if index == start else _INDENT * 2
            yield from self._above(index, inner)
            yield self._line(index, index + 1, inner)

    def _above(self, index: int, indent: str) -> Iterator[str]:
        """What stands before the whole statement is not ours to write."""
        if index:
            for comment in self._comments.before(self._place(index)):
                yield indent + comment_text(comment)

    def _line(self, start: int, end: int, indent: str) -> str:
        behind = self._comments.trailing.get(self._place(end - 1), ())
        return indent + self._text(start, end) + trailing_text(behind)

    def _fits(self, start: int, end: int, indent: str) -> bool:
        inner = any(self._comments.before(self._place(i)) for i in range(start + 1, end))
        behind = any(self._comments.trailing.get(self._place(i)) for i in range(start, end - 1))
        return not inner and not behind and len(indent + self._text(start, end)) <= _WIDTH

    def _text(self, start: int, end: int) -> str:
        tokens = [token for piece in self._pieces[start:end] for token in piece.tokens]
        before = self._pieces[start - 1].tokens[-1] if start else None
        return print_tokens(tokens, before) + (self._end if end == len(self._pieces) else "")

    def _place(self, index: int) -> tuple[int, str]:
        return self._number, _kind(index)
