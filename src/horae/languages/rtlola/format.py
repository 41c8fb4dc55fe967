"""The canonical layout of a specification. Comments stay, single blank lines stay.

output int x<id:int> extend: a=id    // c      output int x<int id>
= x+(1)                                  →         extend: a = id  // c
                                                   := x + 1
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lark import Token

from horae.languages.rtlola.comments import Comments, attach
from horae.languages.rtlola.parse import parse_chunks
from horae.languages.rtlola.print_declaration import Piece, pieces
from horae.languages.rtlola.print_expression import format_expression
from horae.languages.rtlola.tokens import scan, span_of
from horae.languages.rtlola.tree import Declaration
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
    comments = attach(scanned.comments, [chunk.chunk for chunk in parsed])
    blocks: list[_Block] = []
    for number, chunk in enumerate(parsed):
        assert chunk.declaration is not None
        body = "\n".join(_body(number, pieces(chunk.declaration), comments))
        blocks += _declaration_blocks(source, number, body, chunk.chunk.first, comments)
    blocks += [_Block(_comment(c), _has_blank_before(source, c)) for c in comments.at_end]
    return _joined(blocks)


def format_declaration(declaration: Declaration) -> str:
    """One declaration on its own, without comments and without a line end."""
    return "\n".join(_body(0, pieces(declaration), Comments({}, {}, {})))


@dataclass(frozen=True, slots=True)
class _Block:
    """A comment or a declaration at the top level, and whether a blank line sets it off."""

    text: str
    is_set_off: bool


def _joined(blocks: Iterable[_Block]) -> str:
    text = ""
    for block in blocks:
        text += "\n" if text and block.is_set_off else ""
        text += block.text + "\n"
    return text


def _declaration_blocks(
    source: Source, number: int, body: str, first: Token, comments: Comments
) -> Iterator[_Block]:
    """The comments before a declaration, then the declaration.

    A comment from inside of the head moves before it, and takes over its blank line if it is
    now the first: so that formatting again changes nothing.
    """
    place = (number, "head")
    leading, inside = comments.leading.get(place, []), comments.inside.get(place, [])
    is_set_off = _has_blank_before(source, first)
    for comment in leading:
        yield _Block(_comment(comment), _has_blank_before(source, comment))
    for index, comment in enumerate(inside):
        yield _Block(_comment(comment), is_set_off and not leading and index == 0)
    yield _Block(body, is_set_off and (bool(leading) or not inside))


def _has_blank_before(source: Source, token: Token) -> bool:
    start = end = span_of(token).start
    while start > 0 and source.text[start - 1].isspace():
        start -= 1
    return source.text.count("\n", start, end) > 1


def _body(number: int, parts: list[Piece], comments: Comments) -> list[str]:
    """The lines of a declaration; an output without clauses goes on one line if it fits."""
    head, *others = parts
    kinds = [piece.kind for piece in others]
    if kinds == ["define"] and not _is_commented_between(number, comments):
        line = f"{head.text} {others[0].text}"
        if len(line) <= _WIDTH:
            return [line + _trailing(comments.trailing.get((number, "define"), ()))]
    lines = [head.text + _trailing(comments.trailing.get((number, "head"), ()))]
    for piece in others:
        lines += _piece_lines(number, piece, comments)
    return lines


def _is_commented_between(number: int, comments: Comments) -> bool:
    head, define = (number, "head"), (number, "define")
    return bool(comments.trailing.get(head) or comments.before(define))


def _piece_lines(number: int, piece: Piece, comments: Comments) -> Iterator[str]:
    place = (number, piece.kind)
    for comment in comments.before(place):
        yield _INDENT + _comment(comment)
    indent = "" if piece.kind == "close" else _INDENT
    yield indent + piece.text + _trailing(comments.trailing.get(place, ()))


def _trailing(comments: Iterable[Token]) -> str:
    return "".join(f"  {_comment(comment)}" for comment in comments)


def _comment(token: Token) -> str:
    """As it was written; only spaces at line ends go."""
    return "\n".join(line.rstrip() for line in str(token).split("\n"))
