"""The written form of constants: units of time, rates, strings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

_SECONDS = {
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "sec": Fraction(1),
    "m": Fraction(60),
    "min": Fraction(60),
    "h": Fraction(3600),
    "d": Fraction(86400),
}
_HERTZ = {"mHz": Fraction(1, 1000), "Hz": Fraction(1), "kHz": Fraction(1000)}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
_ESCAPED = {char: f"\\{letter}" for letter, char in _ESCAPES.items()}
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)", re.DOTALL)
_GREATEST_EXPONENT = 400  # far beyond any `double`, and small enough to write out


def is_readable(number: str) -> bool:
    """Whether the number can be taken exactly without writing out a huge power of ten."""
    exponent = re.search(r"[eE]([+-]?\d+)$", number)
    return exponent is None or abs(int(exponent[1])) <= _GREATEST_EXPONENT


def seconds(number: str, unit: str) -> Fraction | None:
    """`("10", "s")` is 10 seconds; None if there is no such unit of time."""
    factor = _SECONDS.get(unit)
    return None if factor is None else Fraction(number) * factor


def period(number: str, unit: str) -> Fraction | None:
    """`("2", "Hz")` and `("0.5", "s")` are half a second; zero stands for a rate of 0 Hz."""
    factor = _HERTZ.get(unit)
    if factor is None:
        return seconds(number, unit)
    hertz = Fraction(number) * factor
    return 1 / hertz if hertz else Fraction(0)


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
