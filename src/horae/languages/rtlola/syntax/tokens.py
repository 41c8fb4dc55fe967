"""Text into tokens, with comments kept aside and what cannot be read reported."""

from __future__ import annotations

from functools import cache

from lark import Lark

from horae.frontend.grammars import load_grammar
from horae.frontend.scanning import Problems, ScannedText, scan_tokens
from horae.languages.rtlola.syntax import catalogue_syntax as catalogue
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source, Span

DECLARATION_KEYWORDS = ("frequency", "input", "timeinput", "output", "trigger", "aggregation")
CLAUSE_KEYWORDS = ("invoke", "extend", "terminate")
_EXPRESSION_KEYWORDS = ("if", "then", "else", "and", "or", "not", "true", "false")
KEYWORDS = frozenset((*DECLARATION_KEYWORDS, *CLAUSE_KEYWORDS, *_EXPRESSION_KEYWORDS))
STARTERS = frozenset(keyword.upper() for keyword in DECLARATION_KEYWORDS)
_COMMENTS = frozenset(("LINE_COMMENT", "BLOCK_COMMENT"))


def _open_comment(span: Span, _first: str) -> Diagnostic:
    """Only its sign: the comment itself is the rest of the text."""
    return catalogue.UNTERMINATED_COMMENT(Span(span.start, span.start + len("/*")))


_PROBLEMS: Problems = {
    "OPEN_STRING": catalogue.unterminated_string,
    "OPEN_COMMENT": _open_comment,
    "STRANGE": catalogue.strange_character,
}


@cache
def grammar() -> Lark:
    """Built once: a grammar takes longer to load than most specifications to parse."""
    return load_grammar(__file__, maybe_placeholders=True)


def scan(source: Source) -> ScannedText:
    return scan_tokens(grammar(), source, _PROBLEMS, _COMMENTS)
