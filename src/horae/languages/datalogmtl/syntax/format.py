"""The canonical layout of a program: ASCII spelling, one statement per line, each with its dot.

p(X)←q( X ) ∧  % why      →      p(X) :-
    ⊟ [0,2]r(X)                      q(X),  % why
                                     Boxminus[0,2] r(X).
"""

from __future__ import annotations

from collections.abc import Iterator

from horae.data.fact_lines.parse import scan_statements
from horae.frontend.comments import NO_COMMENTS, Comments, PieceExtent, attach
from horae.frontend.layout import (
    Block,
    closing_blocks,
    join_blocks,
    statement_blocks,
)
from horae.languages.datalogmtl.syntax.parse import Parsed, parse_chunks
from horae.languages.datalogmtl.syntax.print_statement import (
    print_head,
    print_line,
    print_literal,
    print_statement,
)
from horae.languages.datalogmtl.syntax.rename import rename_variables
from horae.languages.datalogmtl.syntax.tree import Rule, Statement
from horae.rules.rule_layout import RuleText, piece_extents, plain_line, rule_lines
from horae.rules.terms import Variable
from horae.source.errors import ProgramError
from horae.source.text import Source

__all__ = ["format_source", "format_statement"]


def format_source(source: Source) -> str:
    """The formatted text; a source with syntax errors raises `ProgramError`."""
    scanned = scan_statements(source)
    parsed = list(parse_chunks(source, scanned))
    problems = [*scanned.diagnostics, *(d for chunk in parsed for d in chunk.diagnostics)]
    if problems:
        raise ProgramError(source, sorted(problems, key=lambda d: d.span.start))
    extents = [e for number, chunk in enumerate(parsed) for e in _extents(number, chunk)]
    comments = attach(scanned.comments, extents)
    blocks: list[Block] = []
    for number, chunk in enumerate(parsed):
        assert chunk.statement is not None
        statement = _with_unnamed(source, chunk.statement)
        body = "\n".join(_lines(number, statement, comments))
        blocks += statement_blocks(source, number, body, chunk.chunk.first, comments)
    return join_blocks([*blocks, *closing_blocks(source, comments)])


def format_statement(statement: Statement) -> str:
    """One statement on its own, without comments and without a line end."""
    return "\n".join(_lines(0, statement, NO_COMMENTS))


def _with_unnamed(source: Source, statement: Statement) -> Statement:
    """Variables that were written `_` are written so again."""

    def written(variable: Variable) -> str:
        return "_" if source.snippet(variable.span) == "_" else variable.name

    return rename_variables(statement, written)


def _extents(number: int, parsed: Parsed) -> Iterator[PieceExtent]:
    body = parsed.statement.body if isinstance(parsed.statement, Rule) else ()
    return piece_extents(number, parsed.chunk, [literal.span.start for literal in body])


def _lines(number: int, statement: Statement, comments: Comments) -> list[str]:
    if not isinstance(statement, Rule):
        return [plain_line(number, print_line(statement), comments)]
    body = [print_literal(literal) for literal in statement.body]
    text = RuleText(print_statement(statement), f"{print_head(statement.head)} :-", body)
    return rule_lines(number, text, comments)
