"""Parts of a specification as they are written, on one line."""

from __future__ import annotations

from collections.abc import Sequence

from horae.frontend.scanning import on_one_line
from horae.languages.rtlola.analysis.bindings import ConditionLiteral
from horae.languages.rtlola.program import Binary, Chain, Conditional
from horae.languages.rtlola.syntax.tokens import scan
from horae.source.text import Source, Span


def written(source: Source, span: Span) -> str:
    """The text of a part without comments, and with single spaces."""
    text = source.snippet(span)
    return on_one_line(text, scan(Source(source.name, text)).tokens)


def conjunction(source: Source, literals: Sequence[ConditionLiteral]) -> str:
    """Literals joined by `and`, each with its `not` and the parentheses that it needs there."""
    return " and ".join(_literal(source, literal) for literal in literals)


def _literal(source: Source, literal: ConditionLiteral) -> str:
    text = written(source, literal.atom.span)
    match literal.atom:
        case Conditional():
            text = f"({text})"
        case Binary() | Chain() if not literal.positive:
            text = f"({text})"
        case _:
            pass
    return text if literal.positive else f"not {text}"
