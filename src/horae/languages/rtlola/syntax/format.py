"""The canonical layout of a specification. Comments stay, single blank lines stay.

output int x<id:int> extend: a=id    // c      output int x<int id>
= x+(1)                                  →         extend: a = id  // c
                                                   := x + 1
"""

from __future__ import annotations

from collections.abc import Iterator

from horae.frontend.comments import NO_COMMENTS, Comments
from horae.frontend.layout import (
    Block,
    closing_blocks,
    comment_text,
    join_blocks,
    statement_blocks,
    trailing_text,
)
from horae.languages.rtlola.syntax.comments import attach_comments
from horae.languages.rtlola.syntax.parse import parse_chunks
from horae.languages.rtlola.syntax.print_declaration import Piece, pieces
from horae.languages.rtlola.syntax.print_expression import format_expression
from horae.languages.rtlola.syntax.tokens import scan
from horae.languages.rtlola.syntax.tree import Declaration
from horae.source.errors import ProgramError
from horae.source.text import Source

__all__ = ["format_declaration", "format_expression", "format_source"]

_INDENT = "    "
_WIDTH = 100


def format_source(source: Source) -> str:
    """The formatted text; a source with syntax errors raises `ProgramError`."""
    scanned = scan(source)
    parsed = list(parse_chunks(source, scanned.tokens, scanned.diagnostics))
    problems = [*scanned.diagnostics, *(d for chunk in parsed for d in chunk.diagnostics)]
    if problems:
        raise ProgramError(source, sorted(problems, key=lambda d: d.span.start))
    comments = attach_comments(scanned.comments, [chunk.chunk for chunk in parsed])
    blocks: list[Block] = []
    for number, chunk in enumerate(parsed):
        assert chunk.declaration is not None
        body = "\n".join(_body(number, pieces(chunk.declaration), comments))
        blocks += statement_blocks(source, number, body, chunk.chunk.first, comments)
    return join_blocks([*blocks, *closing_blocks(source, comments)])


def format_declaration(declaration: Declaration) -> str:
    """One declaration on its own, without comments and without a line end."""
    return "\n".join(_body(0, pieces(declaration), NO_COMMENTS))


def _body(number: int, parts: list[Piece], comments: Comments) -> list[str]:
    """The lines of a declaration; an output without clauses goes on one line if it fits."""
    head, *others = parts
    kinds = [piece.kind for piece in others]
    if kinds == ["define"] and not _is_commented_between(number, comments):
        line = f"{head.text} {others[0].text}"
        if len(line) <= _WIDTH:
            return [line + trailing_text(comments.trailing.get((number, "define"), ()))]
    lines = [head.text + trailing_text(comments.trailing.get((number, "head"), ()))]
    for piece in others:
        lines += _piece_lines(number, piece, comments)
    return lines


def _is_commented_between(number: int, comments: Comments) -> bool:
    head, define = (number, "head"), (number, "define")
    return bool(comments.trailing.get(head) or comments.before(define))


def _piece_lines(number: int, piece: Piece, comments: Comments) -> Iterator[str]:
    place = (number, piece.kind)
    for comment in comments.before(place):
        yield _INDENT + comment_text(comment)
    indent = "" if piece.kind == "close" else _INDENT
    yield indent + piece.text + trailing_text(comments.trailing.get(place, ()))
