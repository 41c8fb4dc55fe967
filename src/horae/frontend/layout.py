"""Formatted statements and their comments, one below the other. Single blank lines stay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lark import Token

from horae.frontend.comments import Comments
from horae.frontend.lalr import span_of
from horae.source.text import Source


@dataclass(frozen=True, slots=True)
class Block:
    """A comment or a statement at the top level, and whether a blank line sets it off."""

    text: str
    is_set_off: bool


def join_blocks(blocks: Iterable[Block]) -> str:
    text = ""
    for block in blocks:
        text += "\n" if text and block.is_set_off else ""
        text += block.text + "\n"
    return text


def statement_blocks(
    source: Source, number: int, body: str, first: Token, comments: Comments
) -> Iterator[Block]:
    """The comments before a statement, then the statement.

    A comment from inside of the head moves before it, and takes over its blank line if it is
    now the first: so that formatting again changes nothing.
    """
    place = (number, "head")
    leading, inside = comments.leading.get(place, []), comments.inside.get(place, [])
    is_set_off = _has_blank_before(source, first)
    for comment in leading:
        yield _comment_block(source, comment)
    for index, comment in enumerate(inside):
        yield Block(comment_text(comment), is_set_off and not leading and index == 0)
    yield Block(body, is_set_off and (bool(leading) or not inside))


def closing_blocks(source: Source, comments: Comments) -> list[Block]:
    """The comments after the last statement."""
    return [_comment_block(source, comment) for comment in comments.at_end]


def trailing_text(comments: Iterable[Token]) -> str:
    return "".join(f"  {comment_text(comment)}" for comment in comments)


def comment_text(token: Token) -> str:
    """A comment as it was written; only spaces at line ends go."""
    return "\n".join(line.rstrip() for line in str(token).split("\n"))


def _comment_block(source: Source, comment: Token) -> Block:
    return Block(comment_text(comment), _has_blank_before(source, comment))


def _has_blank_before(source: Source, token: Token) -> bool:
    start = end = span_of(token).start
    while start > 0 and source.text[start - 1].isspace():
        start -= 1
    return source.text.count("\n", start, end) > 1
