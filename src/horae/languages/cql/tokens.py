"""The tokens of a CQL file, comments kept aside, and what cannot be read reported."""

from __future__ import annotations

from functools import cache

from lark import Lark, Token

from horae.languages.cql import catalogue_syntax as catalogue
from horae.languages.lalr import span_of
from horae.languages.scanning import Scan, scan_tokens
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source


@cache
def grammar() -> Lark:
    """Built once: a grammar takes longer to load than most programs to parse."""
    return Lark.open(
        "grammar.lark",
        rel_to=__file__,
        parser="lalr",
        lexer="basic",
        propagate_positions=True,
        maybe_placeholders=False,
    )


def scan(source: Source) -> Scan:
    return scan_tokens(grammar(), source, _problem)


def _problem(token: Token) -> Diagnostic | None:
    match token.type:
        case "OPEN_STRING":
            return catalogue.unterminated_string(span_of(token), token[0])
        case "STRANGE":
            return catalogue.strange_character(span_of(token), token[0])
        case _:
            return None
