"""Tokens into one chunk per declaration, with the tokens settled that depend on their place.

Declaration keywords are reserved, so a chunk ends where the next one starts. An error inside of
a chunk therefore stays there, and the chunks after it are still read.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lark import Token

from horae.frontend.chunks import Chunk
from horae.languages.rtlola.syntax.definition_sign import mark_definition
from horae.languages.rtlola.syntax.tokens import STARTERS

_SECTIONS = frozenset(("state", "step", "combine", "inverse", "result"))


def cut(tokens: Sequence[Token]) -> list[Chunk]:
    """One chunk per declaration; tokens before the first keyword form a chunk of their own."""
    starts = [i for i, token in enumerate(tokens) if token.type in STARTERS or i == 0]
    return [
        Chunk(
            tuple(_settle(tokens[start:end])),
            follower=tokens[end] if end < len(tokens) else None,
        )
        for start, end in pairwise([*starts, len(tokens)])
    ]


def _settle(tokens: Sequence[Token]) -> Sequence[Token]:
    match tokens[0].type:
        case "OUTPUT":
            return mark_definition(_split_parameter_end(tokens))
        case "AGGREGATION":
            return _mark_sections(tokens)
        case _:
            return tokens


def _split_parameter_end(tokens: Sequence[Token]) -> Sequence[Token]:
    """`<int id>= e` is read as `<int id> = e`: no comparison can stand in a parameter list."""
    head = {"OUTPUT", "NAME", "TYPE", "LESS", "COLON", "COMMA"}
    for index, token in enumerate(tokens):
        if token.type == "AT_LEAST" and str(token) == ">=":
            return [*tokens[:index], *_halves(token), *tokens[index + 1 :]]
        if token.type not in head:
            break
    return tokens


def _halves(token: Token) -> tuple[Token, Token]:
    """`>=` as `>` and `=`, each with its own place."""
    start, column = token.start_pos or 0, token.column or 0
    more = Token("MORE", ">", start, token.line, column, token.line, column + 1, start + 1)
    equal = Token(
        "EQUAL", "=", start + 1, token.line, column + 1, token.line, column + 2, start + 2
    )
    return more, equal


def _mark_sections(tokens: Sequence[Token]) -> list[Token]:
    """`state:` after `{` or `;` opens a section; elsewhere `state` is a name like any other."""
    padded = [*tokens, None]
    return [
        token.update(type=str(token).upper())
        if str(token) in _SECTIONS and _opens_section(tokens[index - 1], padded[index + 1])
        else token
        for index, token in enumerate(tokens)
    ]


def _opens_section(before: Token, after: Token | None) -> bool:
    return before.type in ("LBRACE", "SEMICOLON") and after is not None and after.type == "COLON"
