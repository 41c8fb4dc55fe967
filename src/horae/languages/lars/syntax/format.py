"""The canonical layout of a program: ASCII spelling, one statement per line.

p(X)←q( X ) ∧  % why      →      p(X) :-
    ⊞ [10]◇r(X).                     q(X),  % why
                                     win[10] <> r(X).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from horae.data.durations import UNITS
from horae.frontend.chunks import Chunk
from horae.frontend.comments import NO_COMMENTS, Comments, PieceExtent, attach
from horae.frontend.lalr import span_of
from horae.frontend.layout import (
    Block,
    closing_blocks,
    join_blocks,
    statement_blocks,
)
from horae.languages.lars.syntax.parse import Parsed, parse_chunks
from horae.languages.lars.syntax.print_statement import (
    print_conjunct,
    print_head,
    print_line,
    print_statement,
)
from horae.languages.lars.syntax.rewrite import rewrite_statement
from horae.languages.lars.syntax.tokens import scan
from horae.languages.lars.syntax.tree import Rule, Statement
from horae.rules.rule_layout import RuleText, piece_extents, plain_line, rule_lines
from horae.rules.terms import Term, Variable
from horae.source.errors import ProgramError
from horae.source.text import Source

__all__ = ["format_source", "format_statement"]

_DURATION = re.compile(rf"([0-9.]+)\s*({'|'.join(UNITS)})", re.IGNORECASE)


def format_source(source: Source) -> str:
    """The formatted text; a source with syntax errors raises `ProgramError`."""
    scanned = scan(source)
    parsed = list(parse_chunks(source, scanned.tokens, scanned.diagnostics))
    problems = [*scanned.diagnostics, *(d for chunk in parsed for d in chunk.diagnostics)]
    if problems:
        raise ProgramError(source, sorted(problems, key=lambda d: d.span.start))
    extents = [e for number, chunk in enumerate(parsed) for e in _extents(number, chunk)]
    comments = attach(scanned.comments, extents)
    blocks: list[Block] = []
    for number, chunk in enumerate(parsed):
        assert chunk.statement is not None
        statement = _as_written(source, chunk.statement)
        body = "\n".join(_lines(number, statement, comments))
        blocks += statement_blocks(source, number, body, chunk.chunk.first, comments)
    return join_blocks([*blocks, *closing_blocks(source, comments)])


def format_statement(statement: Statement) -> str:
    """One statement on its own, without comments and without a line end."""
    return "\n".join(_lines(0, statement, NO_COMMENTS))


def _as_written(source: Source, statement: Statement) -> Statement:
    """What the tree has forgotten, for printing only: the variables `_`, and durations.

    A duration becomes a variable with its text as the name, which prints as it is.
    """

    def written(term: Term) -> Term:
        text = source.snippet(term.span)
        if isinstance(term, Variable):
            return Variable("_", span=term.span) if text == "_" else term
        duration = _DURATION.fullmatch(text)
        if duration is None:
            return term
        return Variable(f"{duration[1]} {duration[2].lower()}", span=term.span)

    return rewrite_statement(statement, written)


def _extents(number: int, parsed: Parsed) -> Iterator[PieceExtent]:
    chunk = parsed.chunk
    body = parsed.statement.body if isinstance(parsed.statement, Rule) else ()
    return piece_extents(number, chunk, [_start(chunk, formula.span.start) for formula in body])


def _start(chunk: Chunk, place: int) -> int:
    """The parentheses around a conjunct belong to it."""
    before = [token for token in chunk.tokens if span_of(token).start < place]
    while before and before[-1].type == "LPAR":
        place = span_of(before.pop()).start
    return place


def _lines(number: int, statement: Statement, comments: Comments) -> list[str]:
    if not isinstance(statement, Rule) or not statement.body:
        return [plain_line(number, print_line(statement), comments)]
    body = [print_conjunct(formula) for formula in statement.body]
    text = RuleText(print_statement(statement), print_head(statement), body)
    return rule_lines(number, text, comments)
