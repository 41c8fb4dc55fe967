"""Text into the syntax tree of a program, or into all that is wrong with the text.

The way: `tokens.scan` → `statements.cut` (one chunk per statement) → per chunk the brackets, the
grammar, the tree. A statement with an error does not keep the others from being read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import lark
from lark import Token

from horae.data.durations import durations_in, precision_for
from horae.frontend.brackets import Brackets, check_brackets
from horae.frontend.chunks import Chunk
from horae.frontend.lalr import Stuck, depth, derive, span_of
from horae.frontend.scanning import ScannedText
from horae.languages.lars.syntax import catalogue_syntax as catalogue
from horae.languages.lars.syntax.build import Builder
from horae.languages.lars.syntax.expectations import explain
from horae.languages.lars.syntax.foreign import (
    explain_braces,
    explain_comment,
    operators_as_comments,
)
from horae.languages.lars.syntax.statements import cut
from horae.languages.lars.syntax.tokens import grammar, scan
from horae.languages.lars.syntax.tree import Statement, Tree
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source, Span

_DEEPEST = 200  # every later stage walks formulas recursively
_BRACKETS = Brackets(
    catalogue.BRACKETS,
    pairs={"LPAR": "RPAR", "CALL": "RPAR", "LSQB": "RSQB"},
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
    unreadable = explain_braces(source, scanned.diagnostics)
    durations = list(durations_in(scanned.tokens))
    precision = precision or precision_for(durations)
    parsed = list(parse_chunks(source, scanned.tokens, unreadable, precision))
    diagnostics = [*unreadable, *_findings(parsed, scanned)]
    if diagnostics:
        return None, sorted(diagnostics, key=lambda d: (d.span.start, d.code))
    statements = (chunk.statement for chunk in parsed if chunk.statement is not None)
    return Tree(tuple(statements), bool(durations), precision), []


def _findings(parsed: Sequence[Parsed], scanned: ScannedText) -> Iterator[Diagnostic]:
    """What is wrong with the statements; where an operator has been read as a comment, only that."""
    comments = list(operators_as_comments(scanned.tokens, scanned.comments))
    starts = [span_of(each.chunk.first).start for each in parsed]
    cut_off = {bisect_right(starts, span_of(c).start) - 1: c for c in reversed(comments)}
    for number, each in enumerate(parsed):
        if each.diagnostics and number in cut_off:
            yield explain_comment(cut_off[number])
        else:
            yield from each.diagnostics


def parse_chunks(
    source: Source,
    tokens: Sequence[Token],
    unreadable: Iterable[Diagnostic] = (),
    precision: str | None = None,
) -> Iterator[Parsed]:
    """Parse chunk by chunk; those with unreadable characters have had their error already."""
    precision = precision or precision_for(durations_in(tokens))
    holes = {source.position(diagnostic.span.start).line for diagnostic in unreadable}
    for chunk in cut(tokens):
        if not holes.intersection(chunk.lines):
            yield from _parse_chunk(chunk, precision)


def _parse_chunk(chunk: Chunk, precision: str) -> Iterator[Parsed]:
    """One statement, or several lines of which only the last has its dot."""
    unbalanced = check_brackets(_BRACKETS, chunk.tokens)
    if unbalanced is not None:
        yield Parsed(chunk, None, (unbalanced,))
        return
    rest: Chunk | None = chunk
    while rest is not None:
        parsed, rest = _parse_first(rest, precision)
        yield parsed


def _parse_first(chunk: Chunk, precision: str) -> tuple[Parsed, Chunk | None]:
    """The first statement, and what follows it on another line where its dot is missing."""
    parsed = derive(grammar(), chunk.tokens)
    if not isinstance(parsed, Stuck):
        return _build(chunk, parsed, precision), None
    problem, rest = explain(chunk, parsed), chunk.tokens[parsed.index :]
    is_over = problem.code == catalogue.MISSING_DOT
    is_over = is_over and rest[0].line != chunk.tokens[parsed.index - 1].line
    return Parsed(chunk, None, (problem,)), Chunk(rest, chunk.end) if is_over else None


def _build(chunk: Chunk, parsed: lark.Tree[Token], precision: str) -> Parsed:
    if depth(parsed) > _DEEPEST:
        span = Span(span_of(chunk.first).start, span_of(chunk.last).end)
        return Parsed(chunk, None, (catalogue.NESTED_TOO_DEEPLY(span, limit=_DEEPEST),))
    builder = Builder([t for t in chunk.tokens if t.type == "VARIABLE"], precision)
    statement = builder.transform(parsed)
    return Parsed(chunk, statement, (*builder.diagnostics, *_check_end(chunk)))


def _check_end(chunk: Chunk) -> Iterator[Diagnostic]:
    if chunk.end is None:
        end = span_of(chunk.last).end
        yield catalogue.missing_dot(Span(end, end))
