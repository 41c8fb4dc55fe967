"""Parts of a program as they are written, on one line."""

from __future__ import annotations

from horae.languages.lalr import span_of
from horae.languages.lars.tokens import scan
from horae.source.text import Source, Span


def written(source: Source, span: Span) -> str:
    """Without comments, and with single spaces."""
    text = source.snippet(span)
    if "\n" in text:
        for comment in reversed(scan(Source(source.name, text)).comments):
            place = span_of(comment)
            text = text[: place.start] + text[place.end :]
    return " ".join(text.split())
