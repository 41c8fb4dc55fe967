"""Text into the syntax tree of a specification, or into all that is wrong with the text.

The way: `tokens.scan` → `chunks.cut` (one chunk per declaration) → per chunk the brackets, the
grammar, the tree. A declaration with an error does not keep the others from being read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from lark import Token

from horae.frontend.brackets import Brackets, check_brackets
from horae.frontend.chunks import Chunk
from horae.frontend.lalr import Stuck, derive, span_of
from horae.languages.rtlola.syntax import catalogue_syntax as catalogue
from horae.languages.rtlola.syntax import tree
from horae.languages.rtlola.syntax.build import Builder
from horae.languages.rtlola.syntax.chunks import cut
from horae.languages.rtlola.syntax.expectations import DeclarationSurprise, cutting_keyword, explain
from horae.languages.rtlola.syntax.nesting import DEEPEST, nesting
from horae.languages.rtlola.syntax.tokens import grammar, scan
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source, Span

_BRACKETS = Brackets(
    catalogue.BRACKETS,
    pairs={"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE"},
    words={"RPAR": "`)`", "RSQB": "`]`", "RBRACE": "`}`"},
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """One chunk after parsing: the declaration, or what is wrong with it."""

    chunk: Chunk
    declaration: tree.Declaration | None
    diagnostics: tuple[Diagnostic, ...]


def parse(source: Source) -> tuple[tree.Specification | None, list[Diagnostic]]:
    """The specification, or None and the errors in source order."""
    scanned = scan(source)
    chunks = list(parse_chunks(source, scanned.tokens, scanned.diagnostics))
    diagnostics = [*scanned.diagnostics, *(d for chunk in chunks for d in chunk.diagnostics)]
    if diagnostics:
        return None, sorted(diagnostics, key=lambda d: (d.span.start, d.code))
    declarations = [chunk.declaration for chunk in chunks if chunk.declaration is not None]
    return tree.Specification(tuple(declarations)), []


def parse_chunks(
    source: Source, tokens: Sequence[Token], unreadable: Iterable[Diagnostic] = ()
) -> Iterator[Parsed]:
    """Parse chunk by chunk; those with unreadable characters have had their error already."""
    holes = [diagnostic.span.start for diagnostic in unreadable]
    own_aggregations = _declared_aggregations(tokens)
    skipped: Token | None = None
    for chunk in cut(tokens):
        if chunk.first is skipped or _covers_any(chunk, holes, len(source.text)):
            continue
        parsed = _parse_chunk(source, chunk, own_aggregations)
        if parsed.declaration is None:
            skipped = cutting_keyword(chunk)
        yield parsed


def _declared_aggregations(tokens: Sequence[Token]) -> frozenset[str]:
    pairs = pairwise(tokens)
    return frozenset(str(b) for a, b in pairs if a.type == "AGGREGATION" and b.type == "NAME")


def _covers_any(chunk: Chunk, places: Iterable[int], end_of_text: int) -> bool:
    start = span_of(chunk.first).start
    end = span_of(chunk.follower).start if chunk.follower is not None else end_of_text
    return any(start <= place < end for place in places)


def _parse_chunk(source: Source, chunk: Chunk, own_aggregations: frozenset[str]) -> Parsed:
    unbalanced = check_brackets(_BRACKETS, chunk.tokens)
    if unbalanced is not None:
        return Parsed(chunk, None, (unbalanced,))
    parsed = derive(grammar(), chunk.tokens)
    if isinstance(parsed, Stuck):
        surprise = DeclarationSurprise(chunk, parsed.index, parsed.accepted)
        return Parsed(chunk, None, (explain(surprise),))
    if nesting(parsed) > DEEPEST:
        span = Span(span_of(chunk.first).start, span_of(chunk.last).end)
        return Parsed(chunk, None, (catalogue.NESTED_TOO_DEEPLY(span, limit=DEEPEST),))
    builder = Builder(source, own_aggregations)
    declaration: tree.Declaration = builder.transform(parsed)
    return Parsed(chunk, declaration, tuple(builder.diagnostics))
