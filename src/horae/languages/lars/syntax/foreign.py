"""What other languages of rules have and LARS does not, said in words of its own.

`#count{X : p(X)} > 3`     an aggregate; the scanner alone would dislike the brace
`Y = X % 2, q(Y).`         a remainder; here `%` starts a comment, and the rule seems to have no dot
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lark import Token

from horae.frontend.lalr import span_of
from horae.languages.lars.syntax import catalogue_syntax as catalogue
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source, Span

_AGGREGATE = re.compile(r"(?:#\s*)?\b(count|sum|min|max|avg|times)\s*$", re.IGNORECASE)
_OPERAND = re.compile(r"(%|//)\s*([0-9]+|[A-Z_]\w*)\s*[-+*/=<>!,.)]")


def explain_braces(source: Source, found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What the scanner has found, with aggregates called by their name."""
    return tuple(_aggregate(source, each) or each for each in found)


def _aggregate(source: Source, diagnostic: Diagnostic) -> Diagnostic | None:
    start = diagnostic.span.start
    if source.text[start : start + 1] != "{":
        return None
    line = source.text[source.text.rfind("\n", 0, start) + 1 : start]
    word = _AGGREGATE.search(line)
    if word is None:
        return None
    return catalogue.NO_AGGREGATES(Span(start - len(line) + word.start(), start), name=word[1])


def operators_as_comments(tokens: Sequence[Token], comments: Sequence[Token]) -> Iterator[Token]:
    """Comments behind a value that look like its second operand."""
    last = {token.line: token for token in tokens}
    for comment in comments:
        before = last.get(comment.line)
        if before is not None and _is_value(before) and _OPERAND.match(comment):
            yield comment


def _is_value(token: Token) -> bool:
    """A number or a variable: the scanner calls all names alike."""
    return token.type == "NUMBER" or (
        token.type == "NAME" and (token[0].isupper() or token[0] == "_")
    )


def explain_comment(comment: Token) -> Diagnostic:
    sign = "//" if comment.startswith("//") else "%"
    start = span_of(comment).start
    return catalogue.comment_as_operator(Span(start, start + len(sign)), sign)
