"""Tokens through a LALR grammar, one by one: then the place of an error is an index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken
from lark.tree import Meta

from horae.source.text import Span


@dataclass(frozen=True, slots=True)
class Stuck:
    """The grammar could not go on at this index; `accepted` are the kinds that it would take."""

    index: int
    accepted: frozenset[str]


def derive(grammar: Lark, tokens: Sequence[Token]) -> Tree[Token] | Stuck:
    """The parse tree of the tokens (there is at least one), or where the grammar stopped."""
    parser = grammar.parse_interactive()
    index = -1
    try:
        for index, token in enumerate(tokens):  # noqa: B007
            parser.feed_token(token)
        index = len(tokens)
        result: Tree[Token] = parser.feed_eof(tokens[-1])  # type: ignore[no-untyped-call]
    except UnexpectedToken:
        return Stuck(index, _accepted(grammar, tokens[:index]))
    return result


def _accepted(grammar: Lark, tokens: Iterable[Token]) -> frozenset[str]:
    """What may follow the tokens. A failed parser has forgotten some of it: it reduced first."""
    parser = grammar.parse_interactive()
    for token in tokens:
        parser.feed_token(token)
    return frozenset(parser.accepts())  # type: ignore[no-untyped-call]


def depth(root: Tree[Token]) -> int:
    """The height of the tree, without recursion."""
    height, level = 0, [root]
    while level:
        height += 1
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
    return height


def span_of(token: Token) -> Span:
    """The place of a token that came out of the lexer."""
    assert token.start_pos is not None
    assert token.end_pos is not None
    return Span(token.start_pos, token.end_pos)


def span_in(meta: Meta) -> Span:
    """The place of a node of the parse tree."""
    return Span(meta.start_pos, meta.end_pos)
