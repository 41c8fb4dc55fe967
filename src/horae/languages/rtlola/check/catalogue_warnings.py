"""RTL09x and RTL111: what is allowed but probably not meant."""

from __future__ import annotations

from horae.source.diagnostic import Diagnostic, Severity
from horae.source.text import Span


def _warning(
    code: str, message: str, span: Span, caption: str = "", *, note: str = "", help: str = ""
) -> Diagnostic:
    return Diagnostic(code, Severity.WARNING, message, span, caption, note=note, help=help)


def looks_ahead(text: str, span: Span) -> Diagnostic:
    return _warning(
        "RTL090",
        "a positive real-time offset looks into the future",
        span,
        "in the future",
        help=f"did you mean -{text}?",
    )


def hidden_stream(parameter: str, span: Span) -> Diagnostic:
    return _warning(
        "RTL091",
        f"the parameter `{parameter}` hides the stream of the same name",
        span,
        help="give the parameter another name to read the stream here",
    )


def never_extended(span: Span) -> Diagnostic:
    return _warning(
        "RTL092",
        "this `extend` never holds",
        span,
        help="leave `extend` out, or give a rate",
    )


def always_fails(message: str, span: Span) -> Diagnostic:
    return _warning("RTL093", message, span, note="the run stops with an error when it gets here")


def counts_also_false(template: str, span: Span) -> Diagnostic:
    return _warning(
        "RTL111",
        f"`count({template})` counts the instances of `{template}`, also those that are false",
        span,
        f"`{template}` is bool",
        help=f"`count({template} = true)` counts those that are true",
    )
