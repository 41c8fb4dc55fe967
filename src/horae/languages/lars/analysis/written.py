"""Parts of a program as they are written, on one line."""

from __future__ import annotations

from horae.frontend.scanning import on_one_line
from horae.languages.lars.syntax.tokens import scan
from horae.source.text import Source, Span


def written(source: Source, span: Span) -> str:
    """The text of a part without comments, and with single spaces."""
    text = source.snippet(span)
    return on_one_line(text, scan(Source(source.name, text)).tokens)
