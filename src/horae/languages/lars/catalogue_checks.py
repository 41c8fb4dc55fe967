"""Everything that checking can find wrong with a program, in the order of the codes.

02x variables and predicates, 03x heads, 04x windows, 05x facts, 09x warnings.
"""

from __future__ import annotations

from collections.abc import Sequence

from horae.source.diagnostic import Diagnostic, Label, Severity
from horae.source.text import Span


def _error(
    code: str,
    message: str,
    span: Span,
    caption: str = "",
    *,
    labels: Sequence[Label] = (),
    note: str = "",
    help: str = "",
) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, span, caption, tuple(labels), note, help)


def _warning(
    code: str, message: str, span: Span, caption: str = "", *, note: str = "", help: str = ""
) -> Diagnostic:
    return Diagnostic(code, Severity.WARNING, message, span, caption, (), note, help)


def arity(predicate: str, given: int, span: Span, first: int, first_span: Span) -> Diagnostic:
    return _error(
        "LRS021",
        f"`{predicate}` has {_arguments(given)} here, but {_arguments(first)} elsewhere",
        span,
        _arguments(given),
        labels=[Label(first_span, _arguments(first))],
    )


def _arguments(number: int) -> str:
    return {0: "no arguments", 1: "1 argument"}.get(number, f"{number} arguments")
