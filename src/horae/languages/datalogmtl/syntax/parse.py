"""Text into the syntax tree of a program, or into all that is wrong with the text.

The way: `tokens.scan` → `statements.cut` (one chunk per statement) → per chunk the brackets, the
grammar, the tree. A statement with an error does not keep the others from being read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from lark import Token

from horae.data.clock import SECONDS, Clock
from horae.frontend.brackets import Brackets, check_brackets
from horae.frontend.chunks import Chunk
from horae.frontend.lalr import Stuck, depth, derive, span_of
from horae.languages.datalogmtl.syntax import catalogue_syntax as catalogue
from horae.languages.datalogmtl.syntax.build import Builder
from horae.languages.datalogmtl.syntax.expectations import explain
from horae.languages.datalogmtl.syntax.statements import cut
from horae.languages.datalogmtl.syntax.tokens import grammar, scan
from horae.languages.datalogmtl.syntax.tree import Statement, Tree
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source, Span

_DEEPEST = 200  # every later stage walks formulas recursively
# The ends of an interval may differ, as in `[0,5)`.
_BRACKETS = Brackets(
    catalogue.BRACKETS,
    pairs={"LPAR": "RPAR", "INTERVAL_START": "INTERVAL_END"},
    words={"RPAR": "`)`", "INTERVAL_END": "`]` or `)`"},
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """One chunk after parsing: the statement, or what is wrong with it."""

    chunk: Chunk
    statement: Statement | None
    diagnostics: tuple[Diagnostic, ...]


def parse(source: Source) -> tuple[Tree | None, list[Diagnostic]]:
    """The tree, or None and the errors in source order."""
    scanned = scan(source)
    parsed = list(parse_chunks(source, scanned.tokens, scanned.diagnostics))
    diagnostics = [*scanned.diagnostics, *(d for chunk in parsed for d in chunk.diagnostics)]
    if diagnostics:
        return None, sorted(diagnostics, key=lambda d: (d.span.start, d.code))
    return Tree(tuple(chunk.statement for chunk in parsed if chunk.statement is not None)), []


def parse_chunks(
    source: Source,
    tokens: Sequence[Token],
    unreadable: Iterable[Diagnostic] = (),
    *,
    facts_of: Clock | None = None,
) -> Iterator[Parsed]:
    """Parse chunk by chunk; those with unreadable characters have had their error already.

    In facts, names in capitals are constants, and times are those of their clock.
    """
    holes = {source.position(diagnostic.span.start).line for diagnostic in unreadable}
    for chunk in cut(tokens):
        if not holes.intersection(chunk.lines):
            if facts_of is not None:
                chunk = _without_variables(chunk)
            yield _parse_chunk(chunk, facts_of or SECONDS)


def _without_variables(chunk: Chunk) -> Chunk:
    """`_` stays one."""
    named = (
        token.update(type="CONSTANT") if token.type == "VARIABLE" and token[0] != "_" else token
        for token in chunk.tokens
    )
    return replace(chunk, tokens=tuple(named))


def _parse_chunk(chunk: Chunk, clock: Clock) -> Parsed:
    unbalanced = check_brackets(_BRACKETS, chunk.tokens)
    if unbalanced is not None:
        return Parsed(chunk, None, (unbalanced,))
    parsed = derive(grammar(), chunk.tokens)
    if isinstance(parsed, Stuck):
        return Parsed(chunk, None, (explain(chunk, parsed),))
    if depth(parsed) > _DEEPEST:
        span = Span(span_of(chunk.first).start, span_of(chunk.last).end)
        return Parsed(chunk, None, (catalogue.NESTED_TOO_DEEPLY(span, limit=_DEEPEST),))
    builder = Builder([t for t in chunk.tokens if t.type == "VARIABLE"], clock)
    statement = builder.transform(parsed)
    return Parsed(chunk, statement, tuple(builder.diagnostics))
