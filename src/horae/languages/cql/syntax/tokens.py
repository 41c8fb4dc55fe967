"""The tokens of a CQL file, comments kept aside, and what cannot be read reported."""

from __future__ import annotations

from functools import cache

from lark import Lark

from horae.frontend.grammars import load_grammar
from horae.frontend.scanning import Problems, ScannedText, scan_tokens
from horae.languages.cql.syntax import catalogue_sql
from horae.languages.cql.syntax import catalogue_syntax as catalogue
from horae.source.text import Source

_PROBLEMS: Problems = {
    "OPEN_STRING": catalogue.unterminated_quotes,
    "STRANGE": catalogue.strange_character,
    "BLOCK_COMMENT": catalogue_sql.block_comment,
}


@cache
def grammar() -> Lark:
    """Built once: a grammar takes longer to load than most programs to parse."""
    return load_grammar(__file__)


def scan(source: Source) -> ScannedText:
    return scan_tokens(grammar(), source, _PROBLEMS)
