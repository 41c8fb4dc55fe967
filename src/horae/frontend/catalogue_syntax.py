"""The syntax diagnostics that all languages have, each with the code of the language.

A language's own catalogue gives the code, and where it helps, its own words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from horae.source.diagnostic import Diagnostic, Label, Severity
from horae.source.text import Span


def error(
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


def unexpected(code: str, span: Span, found: str, expected: str, *, help: str = "") -> Diagnostic:
    message = f"expected {expected}, found {found}"
    return error(code, message, span, f"expected {expected}", help=help)


def strange_character(
    code: str, helps: Mapping[str, str], span: Span, character: str
) -> Diagnostic:
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    message = f"the character `{shown}` has no meaning here"
    return error(code, message, span, help=helps.get(character, ""))


def unterminated_string(code: str, span: Span, quote: str) -> Diagnostic:
    return error(
        code,
        "this string is not closed",
        span,
        "starts here",
        help=f"a string ends with `{quote}` on the same line; write `\\n` for a line break",
    )


def unknown_escape(code: str, span: Span, escape: str) -> Diagnostic:
    return error(
        code,
        f"`{escape}` means nothing in a string",
        span,
        note='the escapes are \\" \\\\ \\n \\r \\t and \\uXXXX',
        help=f"for a backslash write two: `\\{escape}`",
    )


def unclosed_bracket(code: str, span: Span, bracket: str, closing: str, end: Span) -> Diagnostic:
    return error(
        code,
        f"`{bracket}` is not closed",
        span,
        "opened here",
        labels=(Label(end, f"expected {closing} before this place"),),
    )


def unopened_bracket(code: str, span: Span, bracket: str) -> Diagnostic:
    return error(code, f"`{bracket}` closes nothing", span, "never opened")


def mismatched_brackets(
    code: str, opening: Span, span: Span, bracket: str, found: str
) -> Diagnostic:
    return error(
        code,
        f"`{bracket}` is closed by `{found}`",
        span,
        "does not match",
        labels=(Label(opening, "opened here"),),
    )


def zero_denominator(code: str, span: Span) -> Diagnostic:
    return error(code, "this number divides by zero", span)


def number_too_long(code: str, span: Span, limit: int) -> Diagnostic:
    return error(code, f"this number has more than {limit} digits", span)
