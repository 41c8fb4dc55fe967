"""The canonical layout of a program: ASCII spelling, one statement per line, each with its dot.

p(X)←q( X ) ∧  % why      →      p(X) :-
    ⊟ [0,2]r(X)                      q(X),  % why
                                     Boxminus[0,2] r(X).
"""

from __future__ import annotations

from collections.abc import Iterator

from horae.frontend.comments import NO_COMMENTS, Comments, PieceExtent, attach
from horae.frontend.lalr import span_of
from horae.frontend.layout import (
    Block,
    closing_blocks,
    comment_text,
    join_blocks,
    statement_blocks,
    trailing_text,
)
from horae.languages.datalogmtl.syntax.parse import Parsed, parse_chunks
from horae.languages.datalogmtl.syntax.print_statement import (
    print_head,
    print_line,
    print_literal,
    print_statement,
)
from horae.languages.datalogmtl.syntax.rename import rename_variables
from horae.languages.datalogmtl.syntax.tokens import scan
from horae.languages.datalogmtl.syntax.tree import Rule, Statement
from horae.rules.terms import Variable
from horae.source.errors import ProgramError
from horae.source.text import Source

__all__ = ["format_source", "format_statement"]

_INDENT = "    "
_WIDTH = 100


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


# --- the pieces of a statement: the head of a rule and each literal, or all of a fact or query


def _extents(number: int, parsed: Parsed) -> Iterator[PieceExtent]:
    chunk, statement = parsed.chunk, parsed.statement
    tokens = chunk.all_tokens
    starts = [span_of(chunk.first).start]
    if isinstance(statement, Rule):
        starts += [literal.span.start for literal in statement.body]
    ends = [*starts[1:], span_of(tokens[-1]).end]
    for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
        inside = [token for token in tokens if start <= span_of(token).start < end]
        yield PieceExtent.of((number, _kind(index)), inside[0], inside[-1])


def _kind(index: int) -> str:
    return "head" if index == 0 else str(index)


# --- lines


def _lines(number: int, statement: Statement, comments: Comments) -> list[str]:
    if not isinstance(statement, Rule):
        return [print_line(statement) + trailing_text(comments.trailing.get((number, "head"), ()))]
    line = print_statement(statement)
    if len(line) <= _WIDTH and not _is_commented_inside(number, statement, comments):
        last = (number, _kind(len(statement.body)))
        return [line + trailing_text(comments.trailing.get(last, ()))]
    return list(_broken(number, statement, comments))


def _is_commented_inside(number: int, rule: Rule, comments: Comments) -> bool:
    places = [(number, _kind(index)) for index in range(len(rule.body) + 1)]
    behind = any(comments.trailing.get(place) for place in places[:-1])
    return behind or any(comments.before(place) for place in places[1:])


def _broken(number: int, rule: Rule, comments: Comments) -> Iterator[str]:
    """The head, then one literal per line."""
    head = trailing_text(comments.trailing.get((number, "head"), ()))
    yield f"{print_head(rule.head)} :-{head}"
    for index, literal in enumerate(rule.body, start=1):
        place = (number, _kind(index))
        for comment in comments.before(place):
            yield _INDENT + comment_text(comment)
        end = "." if index == len(rule.body) else ","
        behind = trailing_text(comments.trailing.get(place, ()))
        yield f"{_INDENT}{print_literal(literal)}{end}{behind}"
