"""Text into tokens, with comments kept aside and what cannot be read reported."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from lark import Lark, Token

from horae.languages.lalr import span_of
from horae.languages.rtlola import catalogue_syntax as catalogue
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source, Span

DECLARATION_KEYWORDS = ("frequency", "input", "timeinput", "output", "trigger", "aggregation")
CLAUSE_KEYWORDS = ("invoke", "extend", "terminate")
_EXPRESSION_KEYWORDS = ("if", "then", "else", "and", "or", "not", "true", "false")
KEYWORDS = frozenset((*DECLARATION_KEYWORDS, *CLAUSE_KEYWORDS, *_EXPRESSION_KEYWORDS))
STARTERS = frozenset(keyword.upper() for keyword in DECLARATION_KEYWORDS)
_COMMENTS = frozenset(("LINE_COMMENT", "BLOCK_COMMENT"))


@dataclass(frozen=True, slots=True)
class Scan:
    """The tokens that the grammar sees, the comments, and the lexical errors."""

    tokens: tuple[Token, ...]
    comments: tuple[Token, ...]
    diagnostics: tuple[Diagnostic, ...]


@cache
def grammar() -> Lark:
    """Built once: a grammar takes longer to load than most specifications to parse."""
    return Lark.open(
        "grammar.lark", rel_to=__file__, parser="lalr", lexer="basic", propagate_positions=True
    )


def scan(source: Source) -> Scan:
    """Cut the text into tokens. Never fails: what is no token becomes a diagnostic."""
    tokens: list[Token] = []
    comments: list[Token] = []
    diagnostics: list[Diagnostic] = []
    last_problem: int | None = None
    for token in grammar().lex(source.text, dont_ignore=True):
        if token.type in _COMMENTS:
            comments.append(token)
        elif (problem := _problem(token)) is not None:
            if token.line != last_problem:  # one per line: a wrong file should not give thousands
                diagnostics.append(problem)
            last_problem = token.line
        elif token.type != "SPACE":
            tokens.append(token)
    return Scan(tuple(tokens), tuple(comments), tuple(diagnostics))


def _problem(token: Token) -> Diagnostic | None:
    match token.type:
        case "OPEN_STRING":
            return catalogue.unterminated_string(span_of(token), token[0])
        case "OPEN_COMMENT":
            opening = span_of(token).start
            return catalogue.unterminated_comment(Span(opening, opening + len("/*")))
        case "STRANGE":
            return catalogue.strange_character(span_of(token), token[0])
        case _:
            return None
