"""Text into tokens, with comments kept aside and what cannot be read reported.

The grammars of all languages call what cannot be read `OPEN_STRING`, `STRANGE` and the like; each
language says which of these kinds is which finding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from lark import Lark, Token

from horae.frontend.lalr import span_of
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source, Span, find_surrogate

Problems = Mapping[str, Callable[[Span, str], Diagnostic]]
"""From the kind of a token to the finding: it takes the place and the first character."""
_COMMENTS = frozenset(("COMMENT",))


@dataclass(frozen=True, slots=True)
class ScannedText:
    """The tokens that the grammar sees, the comments, and the lexical errors."""

    tokens: tuple[Token, ...]
    comments: tuple[Token, ...]
    diagnostics: tuple[Diagnostic, ...]


def on_one_line(text: str, tokens: Sequence[Token]) -> str:
    """A part of a program as it is written, without comments; what stood apart is one space apart."""
    line, end = "", 0
    for token in tokens:
        place = span_of(token)
        line += " " * (0 < end < place.start) + text[place.start : place.end]
        end = place.end
    return line


def scan_tokens(
    grammar: Lark, source: Source, problems: Problems, comment_kinds: Set[str] = _COMMENTS
) -> ScannedText:
    """Cut the text into tokens. Never fails: what is no token becomes a diagnostic."""
    tokens: list[Token] = []
    comments: list[Token] = []
    diagnostics: list[Diagnostic] = []
    last_problem: int | None = None
    for token in grammar.lex(source.text):
        if (place := find_surrogate(token)) is not None and token.type not in problems:
            start = span_of(token).start + place
            diagnostics.append(problems["STRANGE"](Span(start, start + 1), token[place]))
        if token.type in comment_kinds:
            comments.append(token)
        elif (problem := problems.get(token.type)) is not None:
            if token.line != last_problem:  # one per line: a wrong file should not give thousands
                diagnostics.append(problem(span_of(token), token[0]))
            last_problem = token.line
        elif token.type != "SPACE":
            tokens.append(token)
    return ScannedText(tuple(tokens), tuple(comments), tuple(diagnostics))
