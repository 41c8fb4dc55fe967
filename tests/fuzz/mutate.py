"""Mutations of texts: what people mistype, what exports break, and what nobody would write."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

_TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)
_LONGEST = 8_000
_NUMBERS = (
    *("0", "-0", "-1", "1", "2", "0.1", "1/3", "1/0", "07", "1_000", "0x10", ".5", "5.", "1e3"),
    *(str(2**exponent + offset) for exponent in (31, 40, 53, 62, 63, 64) for offset in (-1, 0, 1)),
    *("1e308", "1e400", "1e-400", "1e30", "9" * 30, "9" * 5_000, "inf", "-inf", "nan", "Infinity"),
    *("1700000000", "1700000000000", "1700000000000000000", "2026-11-16T09:53:30Z", "9999-12-31"),
)
_CHARACTERS = (
    *("\x00", "\ud800", "\udfff", "\ufeff", "\u2028", "\x85", "\u200f", "\r", "\t", "\x1b", "\x7f"),
    *("é", "e\u0301", "ß", "İ", "𝒳", "🦉", "٣", "½", "⊟", "◇", "□", "“", "”", "´", "−", "…"),
    *('"', "'", "`", "\\", "\\u", "\\", "%", "#", "$", "&", "|", "~", "?", "!", "@", ";", ":", ","),
    *("(", ")", "[", "]", "{", "}", "<", ">", "/*", "*/", "//", "--", "\n", " "),
)
_REPEATS = (2,) * 20 + (3,) * 10 + (10,) * 5 + (50,) * 4 + (400,)

Mutation = Callable[[Random, list[str], Sequence[str]], list[str]]


def mutated(random: Random, seeds: Sequence[str], words: Sequence[str]) -> str:
    """A seed after one to six mutations; `words` are tokens that stand somewhere in the seeds."""
    tokens = tokens_of(random.choice(seeds))
    for _ in range(random.choice((1, 1, 1, 2, 3, 6))):
        if random.random() < 0.1:
            tokens = _spliced(random, tokens, tokens_of(random.choice(seeds)))
        else:
            tokens = random.choice(_MUTATIONS)(random, tokens, words)
    return "".join(tokens)[:_LONGEST]


def tokens_of(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _spliced(random: Random, left: list[str], right: list[str]) -> list[str]:
    """The beginning of one text and the end of another."""
    return left[: _place(random, left)] + right[_place(random, right) :]


def _delete(random: Random, tokens: list[str], words: Sequence[str]) -> list[str]:
    start = _place(random, tokens)
    return tokens[:start] + tokens[start + random.choice((1, 1, 2, 5)) :]


def _insert(random: Random, tokens: list[str], words: Sequence[str]) -> list[str]:
    start = _place(random, tokens)
    return [*tokens[:start], random.choice(words), *tokens[start:]]


def _insert_character(random: Random, tokens: list[str], words: Sequence[str]) -> list[str]:
    start = _place(random, tokens)
    return [*tokens[:start], random.choice(_CHARACTERS), *tokens[start:]]


def _replace(random: Random, tokens: list[str], words: Sequence[str]) -> list[str]:
    start = _place(random, tokens)
    return [*tokens[:start], random.choice(words), *tokens[start + 1 :]]


def _replace_number(random: Random, tokens: list[str], words: Sequence[str]) -> list[str]:
    places = [index for index, token in enumerate(tokens) if token.isdecimal()]
    if not places:
        return _insert(random, tokens, _NUMBERS)
    start = random.choice(places)
    return [*tokens[:start], random.choice(_NUMBERS), *tokens[start + 1 :]]


def _swap(random: Random, tokens: list[str], words: Sequence[str]) -> list[str]:
    if len(tokens) < 2:
        return tokens
    left, right = sorted(random.sample(range(len(tokens)), 2))
    swapped = list(tokens)
    swapped[left], swapped[right] = tokens[right], tokens[left]
    return swapped


def _repeat(random: Random, tokens: list[str], words: Sequence[str]) -> list[str]:
    """A slice many times: long chains and deep nesting."""
    start = _place(random, tokens)
    piece = tokens[start : start + random.choice((1, 2, 3, 8))]
    return tokens[:start] + piece * random.choice(_REPEATS) + tokens[start:]


def _misspell(random: Random, tokens: list[str], words: Sequence[str]) -> list[str]:
    places = [index for index, token in enumerate(tokens) if len(token) > 2 and token.isalpha()]
    if not places:
        return tokens
    place = random.choice(places)
    letters = list(tokens[place])
    cut = random.randrange(len(letters) - 1)
    letters[cut], letters[cut + 1] = letters[cut + 1], letters[cut]
    return [*tokens[:place], "".join(letters), *tokens[place + 1 :]]


def _change_case(random: Random, tokens: list[str], words: Sequence[str]) -> list[str]:
    start = random.randrange(len(tokens)) if tokens else 0
    changed = [token.swapcase() for token in tokens[start : start + 1]]
    return tokens[:start] + changed + tokens[start + 1 :]


def _truncate(random: Random, tokens: list[str], words: Sequence[str]) -> list[str]:
    return tokens[: _place(random, tokens)]


def _place(random: Random, tokens: list[str]) -> int:
    return random.randrange(len(tokens) + 1)


_MUTATIONS: tuple[Mutation, ...] = (
    _delete,
    _insert,
    _insert_character,
    _replace,
    _replace_number,
    _swap,
    _repeat,
    _misspell,
    _change_case,
    _truncate,
)
