"""Text in quotes: what the inside of a string literal stands for, and how to write it."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
_ESCAPED = {char: f"\\{letter}" for letter, char in _ESCAPES.items()}
_ANY_ESCAPE = re.compile(r"\\(.)")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)", re.DOTALL)


def text_of_literal(literal: str) -> str:
    """What a literal in double or single quotes stands for; in single ones also `\\'` is an escape."""
    body = literal[1:-1]
    return unescape(_ANY_ESCAPE.sub(_plain_quote, body) if literal[0] == "'" else body)


def wrong_escapes(literal: str) -> Iterator[tuple[int, str]]:
    """The escapes without a meaning: their places in the literal, quotes counted."""
    for place, escape in unknown_escapes(literal[1:-1]):
        if literal[0] + escape != "'\\'":
            yield place + 1, escape


def _plain_quote(escape: re.Match[str]) -> str:
    return "'" if escape[1] == "'" else escape[0]


def unescape(body: str) -> str:
    """The characters that the inside of a string literal stands for."""
    return _ESCAPE.sub(_meaning, body)


def unknown_escapes(body: str) -> Iterator[tuple[int, str]]:
    """Every backslash that starts no escape: its place and the two characters."""
    for match in _ESCAPE.finditer(body):
        if not _is_escape(match[1], match[2]):
            yield match.start(), match[0]


def _is_escape(code: str | None, letter: str | None) -> bool:
    """Half of a surrogate pair is no character, and could not be written out again."""
    if code is None:
        return letter in _ESCAPES
    return not 0xD800 <= int(code, 16) <= 0xDFFF


def _meaning(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else _ESCAPES.get(match[2], match[0])


def quote(text: str) -> str:
    """The literal that stands for `text`; `unescape` undoes it."""
    return '"' + "".join(_quoted(char) for char in text) + '"'


def _quoted(char: str) -> str:
    if char in _ESCAPED:
        return _ESCAPED[char]
    must_escape = not char.isprintable() and ord(char) <= 0xFFFF
    return f"\\u{ord(char):04x}" if must_escape else char
