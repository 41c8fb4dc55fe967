"""Text into the syntax tree of a file, or into all that is wrong with the text.

The way: `tokens.scan` → `statements.cut` (one chunk per statement) → per chunk the brackets, the
grammar, the tree. A statement with an error does not keep the others from being read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lark import Token

from horae.data.durations import durations_in, precision_for
from horae.frontend.brackets import Brackets, check_brackets
from horae.frontend.chunks import Chunk
from horae.frontend.lalr import Stuck, depth, derive, span_of
from horae.languages.cql.syntax import catalogue_syntax as catalogue
from horae.languages.cql.syntax.build import Builder
from horae.languages.cql.syntax.expectations import explain
from horae.languages.cql.syntax.statements import cut
from horae.languages.cql.syntax.tokens import grammar, scan
from horae.languages.cql.syntax.tree import Statement, Tree
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source, Span

_DEEPEST = 200  # every later stage walks queries recursively
_BRACKETS = Brackets(
    catalogue.BRACKETS,
    pairs={"LPAR": "RPAR", "LSQB": "RSQB"},
    words={"RPAR": "`)`", "RSQB": "`]`"},
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """One chunk after parsing: the statement, or what is wrong with it."""

    chunk: Chunk
    statement: Statement | None
    diagnostics: tuple[Diagnostic, ...]


def parse(source: Source, precision: str | None = None) -> tuple[Tree | None, list[Diagnostic]]:
    """The tree, or None and the errors in source order."""
    scanned = scan(source)
    written = list(durations_in(scanned.tokens))
    precision = precision or precision_for(written)
    parsed = list(parse_chunks(scanned.tokens, scanned.diagnostics, precision))
    diagnostics = [*scanned.diagnostics, *(d for chunk in parsed for d in chunk.diagnostics)]
    if diagnostics:
        return None, sorted(diagnostics, key=lambda d: (d.span.start, d.code))
    statements = (chunk.statement for chunk in parsed if chunk.statement is not None)
    return Tree(tuple(statements), bool(written), precision), []


def parse_chunks(
    tokens: Sequence[Token],
    unreadable: Iterable[Diagnostic] = (),
    precision: str | None = None,
) -> Iterator[Parsed]:
    """Parse chunk by chunk; those with unreadable characters have had their error already."""
    precision = precision or precision_for(durations_in(tokens))
    holes = [diagnostic.span.start for diagnostic in unreadable]
    for chunk in cut(tokens):
        if not any(hole in _reach(chunk) for hole in holes):
            yield _parse_chunk(chunk, precision)


def _reach(chunk: Chunk) -> range:
    """From its first token to its semicolon, or else to the next statement."""
    start = span_of(chunk.first).start
    if chunk.end is not None:
        return range(start, span_of(chunk.end).end)
    return range(start, sys.maxsize if chunk.follower is None else span_of(chunk.follower).start)


def _parse_chunk(chunk: Chunk, precision: str) -> Parsed:
    unbalanced = check_brackets(_BRACKETS, chunk.tokens)
    if unbalanced is not None:
        return Parsed(chunk, None, (unbalanced,))
    parsed = derive(grammar(), chunk.tokens)
    if isinstance(parsed, Stuck):
        return Parsed(chunk, None, (explain(chunk, parsed),))
    if depth(parsed) > _DEEPEST:
        span = Span(span_of(chunk.first).start, span_of(chunk.last).end)
        return Parsed(chunk, None, (catalogue.NESTED_TOO_DEEPLY(span, limit=_DEEPEST),))
    if chunk.end is None and chunk.follower is not None:
        end = span_of(chunk.last).end
        return Parsed(chunk, None, (catalogue.MISSING_SEMICOLON(Span(end, end)),))
    builder = Builder(precision)
    statement = builder.transform(parsed)
    return Parsed(chunk, statement, tuple(builder.diagnostics))
