"""The tokens of a statement as text, in the canonical spelling.

Tokens are printed, not trees: parentheses and optional words stay as they were written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from lark import Token

_SPELLING = {"−": "-", "×": "*", "÷": "/", "==": "=", "<>": "!=", "≠": "!=", "≤": "<=", "≥": ">="}
_AS_WRITTEN = frozenset(("NAME", "NUMBER", "STRING"))
_NO_SPACE_BEFORE = frozenset(("COMMA", "RPAR", "RSQB", "DOT", "COLON", "SEMICOLON"))
_NO_SPACE_AFTER = frozenset(("LPAR", "LSQB", "DOT"))
_CALLED = frozenset(("AGGREGATION", "STREAM_OPERATOR"))
_VALUE_ENDS = frozenset(("NAME", "NUMBER", "STRING", "TRUE", "FALSE", "RPAR"))


def spell(token: Token) -> str:
    """Keywords in upper case; one spelling per sign."""
    if token.type in _AS_WRITTEN:
        return str(token)
    return _SPELLING.get(token, token.upper())


def print_tokens(tokens: Sequence[Token], before: Token | None = None) -> str:
    """On one line. `before` is the token that stands before them, on another line."""
    if not tokens:
        return ""
    text = spell(tokens[0])
    for (left, right), is_tight in zip(pairwise(tokens), _tight(tokens, before), strict=True):
        text += ("" if is_tight or not _is_spaced(tokens, left, right) else " ") + spell(right)
    return text


def _tight(tokens: Sequence[Token], before: Token | None) -> Iterator[bool]:
    """Whether a token is a sign of the next one: `-x`, but `- -x`, since `--` is a comment."""
    for token, following in pairwise(tokens):
        is_sign = token.type == "MINUS" and (before is None or before.type not in _VALUE_ENDS)
        yield is_sign and following.type != "MINUS"
        before = token


def _is_spaced(tokens: Sequence[Token], left: Token, right: Token) -> bool:
    if right.type in _NO_SPACE_BEFORE or left.type in _NO_SPACE_AFTER:
        return False
    if right.type == "LPAR":
        is_declaration = tokens[0].type == "REGISTER" and left.type == "NAME"
        return not (left.type in _CALLED or is_declaration)
    return True
