"""Do the brackets of a statement match?

Checked before the grammar looks, which would only notice much later, at a token that is fine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lark import Token

from horae.frontend import catalogue_syntax as catalogue
from horae.frontend.lalr import span_of
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span


@dataclass(frozen=True, slots=True)
class Brackets:
    """From each kind of opening bracket to its closing kind, the latter in words, and the code."""

    code: str
    pairs: Mapping[str, str]
    words: Mapping[str, str]

    def match(self, opening: Token, closing: Token) -> bool:
        """Parentheses match whatever kinds they have been given."""
        return self.pairs[opening.type] == closing.type or (opening, closing) == ("(", ")")


def check_brackets(brackets: Brackets, tokens: Sequence[Token]) -> Diagnostic | None:
    """The first bracket that is wrong, or None."""
    opened: list[Token] = []
    for token in tokens:
        if token.type in brackets.pairs:
            opened.append(token)
        elif token.type not in brackets.words:
            continue
        elif not opened:
            return catalogue.unopened_bracket(brackets.code, span_of(token), str(token))
        elif not brackets.match(last := opened.pop(), token):
            return catalogue.mismatched_brackets(
                brackets.code, span_of(last), span_of(token), str(last), str(token)
            )
    return _unclosed(brackets, opened[-1], tokens[-1]) if opened else None


def _unclosed(brackets: Brackets, bracket: Token, last: Token) -> Diagnostic:
    end = span_of(last).end
    closing = brackets.words[brackets.pairs[bracket.type]]
    return catalogue.unclosed_bracket(
        brackets.code, span_of(bracket), str(bracket), closing, Span(end, end)
    )
