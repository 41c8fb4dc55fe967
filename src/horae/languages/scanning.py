"""Text into tokens, with comments kept aside and what cannot be read reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lark import Lark, Token

from horae.source.diagnostic import Diagnostic
from horae.source.text import Source

Problem = Callable[[Token], Diagnostic | None]


@dataclass(frozen=True, slots=True)
class Scan:
    """The tokens of the statements and their dots, the comments, and the lexical errors."""

    tokens: tuple[Token, ...]
    comments: tuple[Token, ...]
    diagnostics: tuple[Diagnostic, ...]


def scan_tokens(grammar: Lark, source: Source, find_problem: Problem) -> Scan:
    """Cut the text into tokens. Never fails: what is no token becomes a diagnostic."""
    tokens: list[Token] = []
    comments: list[Token] = []
    diagnostics: list[Diagnostic] = []
    last_problem: int | None = None
    for token in grammar.lex(source.text, dont_ignore=True):
        if token.type == "COMMENT":
            comments.append(token)
        elif (problem := find_problem(token)) is not None:
            if token.line != last_problem:  # one per line: a wrong file should not give thousands
                diagnostics.append(problem)
            last_problem = token.line
        elif token.type != "SPACE":
            tokens.append(token)
    return Scan(tuple(tokens), tuple(comments), tuple(diagnostics))
