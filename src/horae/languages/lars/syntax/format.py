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
    comment_text,
    join_blocks,
    statement_blocks,
    trailing_text,
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
from horae.rules.terms import Term, Variable
from horae.source.errors import ProgramError
from horae.source.text import Source

__all__ = ["format_source", "format_statement"]

_INDENT = "    "
_WIDTH = 100
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


# --- the pieces of a statement: the head of a rule and each conjunct, or all of a fact or query


def _extents(number: int, parsed: Parsed) -> Iterator[PieceExtent]:
    chunk, statement = parsed.chunk, parsed.statement
    tokens = chunk.all_tokens
    starts = [span_of(chunk.first).start]
    if isinstance(statement, Rule):
        starts += [_start(chunk, formula.span.start) for formula in statement.body]
    ends = [*starts[1:], span_of(tokens[-1]).end]
    for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
        inside = [token for token in tokens if start <= span_of(token).start < end]
        yield PieceExtent.of((number, _kind(index)), inside[0], inside[-1])


def _start(chunk: Chunk, place: int) -> int:
    """The parentheses around a conjunct belong to it."""
    before = [token for token in chunk.tokens if span_of(token).start < place]
    while before and before[-1].type == "LPAR":
        place = span_of(before.pop()).start
    return place


def _kind(index: int) -> str:
    return "head" if index == 0 else str(index)


# --- lines


def _lines(number: int, statement: Statement, comments: Comments) -> list[str]:
    if not isinstance(statement, Rule) or not statement.body:
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
    """The head, then one conjunct per line."""
    yield print_head(rule) + trailing_text(comments.trailing.get((number, "head"), ()))
    for index, formula in enumerate(rule.body, start=1):
        place = (number, _kind(index))
        for comment in comments.before(place):
            yield _INDENT + comment_text(comment)
        end = "." if index == len(rule.body) else ","
        behind = trailing_text(comments.trailing.get(place, ()))
        yield f"{_INDENT}{print_conjunct(formula)}{end}{behind}"
