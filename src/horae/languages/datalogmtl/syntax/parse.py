"""Text into the syntax tree of a program, or into all that is wrong with the text.

The way: scan and cut into statements, as texts of facts are (`data/fact_lines`) → per statement the
brackets, the grammar, the tree. A statement with an error does not keep the others from being read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from lark import Lark

from horae.data.fact_lines.parse import scan_statements
from horae.data.fact_lines.statements import BRACKETS, readable_chunks
from horae.frontend.brackets import check_brackets
from horae.frontend.chunks import Chunk
from horae.frontend.grammars import load_grammar
from horae.frontend.lalr import Stuck, depth, derive
from horae.frontend.scanning import ScannedText
from horae.languages.datalogmtl.syntax import catalogue_syntax as catalogue
from horae.languages.datalogmtl.syntax.build import Builder
from horae.languages.datalogmtl.syntax.expectations import explain
from horae.languages.datalogmtl.syntax.tree import Statement, Tree
from horae.rules.print_atom import is_variable
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source

_DEEPEST = 200  # every later stage walks formulas recursively


@cache
def _grammar() -> Lark:
    """Built once: a grammar takes longer to load than most programs to parse."""
    return load_grammar(__file__)


@dataclass(frozen=True, slots=True)
class Parsed:
    """One statement after parsing: its tree, or what is wrong with it."""

    chunk: Chunk
    statement: Statement | None
    diagnostics: tuple[Diagnostic, ...]


def parse(source: Source) -> tuple[Tree | None, list[Diagnostic]]:
    """The tree, or None and the errors in source order."""
    scanned = scan_statements(source)
    parsed = list(parse_chunks(source, scanned))
    diagnostics = [*scanned.diagnostics, *(d for part in parsed for d in part.diagnostics)]
    if diagnostics:
        return None, sorted(diagnostics, key=lambda d: (d.span.start, d.code))
    return Tree(tuple(part.statement for part in parsed if part.statement is not None)), []


def parse_chunks(source: Source, scanned: ScannedText) -> Iterator[Parsed]:
    """Parse chunk by chunk those without unreadable characters."""
    for chunk in readable_chunks(source, scanned, is_variable):
        yield _parse_chunk(chunk)


def _parse_chunk(chunk: Chunk) -> Parsed:
    unbalanced = check_brackets(BRACKETS, chunk.tokens)
    if unbalanced is not None:
        return Parsed(chunk, None, (unbalanced,))
    parsed = derive(_grammar(), chunk.tokens)
    if isinstance(parsed, Stuck):
        return Parsed(chunk, None, (explain(chunk, parsed),))
    if depth(parsed) > _DEEPEST:
        too_deep = catalogue.NESTED_TOO_DEEPLY(chunk.span, limit=_DEEPEST)
        return Parsed(chunk, None, (too_deep,))
    builder = Builder([t for t in chunk.tokens if t.type == "VARIABLE"])
    statement = builder.transform(parsed)
    return Parsed(chunk, statement, tuple(builder.diagnostics))
