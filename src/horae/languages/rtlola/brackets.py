"""Do the brackets of a declaration match?

Checked before the grammar looks, which would only notice much later, at a token that is fine.
"""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token

from horae.languages.lalr import span_of
from horae.languages.rtlola import catalogue_syntax as catalogue
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_KINDS = frozenset(("LPAR", "RPAR", "LSQB", "RSQB", "LBRACE", "RBRACE"))


def check_brackets(tokens: Sequence[Token]) -> Diagnostic | None:
    """The first bracket that is wrong, or None."""
    opened: list[Token] = []
    for token in tokens:
        if token.type not in _KINDS:
            continue
        if token in _PAIRS:
            opened.append(token)
        elif not opened:
            return catalogue.unopened_bracket(span_of(token), str(token))
        elif _PAIRS[(last := opened.pop())] != token:
            return catalogue.mismatched_brackets(
                span_of(last), span_of(token), str(last), str(token)
            )
    return _unclosed(opened[-1], tokens[-1]) if opened else None


def _unclosed(bracket: Token, last: Token) -> Diagnostic:
    end = span_of(last).end
    closing = f"`{_PAIRS[bracket]}`"
    return catalogue.unclosed_bracket(span_of(bracket), str(bracket), closing, Span(end, end))
