"""Tokens in words: what was found, and what could have stood there."""

from __future__ import annotations

from collections.abc import Sequence, Set

from lark import Token

from horae.rules.window_keywords import RESERVED

_VALUE = frozenset(("LPAR", "MINUS", "NAME", "NUMBER", "STRING", "VARIABLE", "PLUS"))
_FORMULA = _VALUE | {"ALWAYS", "AT", "NOT", "SOME", "WINDOW"}
_INFIX = frozenset(("AND", "OR", "ARROW", "COMPARATOR", "PLUS", "MINUS", "TIMES", "DIVIDE", "CALL"))
_GROUPS = (
    ("a formula", _FORMULA, "WINDOW"),
    ("the size of a window", _VALUE | {"HASH", "INFINITE", "PATTERN", "WINDOW_NAME"}, "HASH"),
    ("a value", _VALUE | {"INFINITE"}, "LPAR"),
    ("a variable or a constant", _VALUE | {"INFINITE"}, "STRING"),
    ("an operator", _INFIX, "TIMES"),
    ("an operator", _INFIX, "AND"),
)
_WORDS = {
    "IMPLIES": "`:-`",
    "AT": "`@`",
    "COMMA": "`,`",
    "LPAR": "`(`",
    "CALL": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "HASH": "`#`",
    "NUMBER": "a number",
    "VARIABLE": "a variable",
    "UNIT": "a unit of time",
    "INFINITE": "`inf`",
    "QUERY": "`?-`",
    "BY": "`by`",
    "DIVIDE": "`/`",
    "$END": "`.`",
}
_KINDS = {
    "NAME": "the name ",
    "PATTERN": "the name ",
    "WINDOW_NAME": "the name ",
    "VARIABLE": "the variable ",
    "NUMBER": "the number ",
    "STRING": "the string ",
}


def described(token: Token) -> str:
    if token.lower() in RESERVED and token.isalpha() and token.type != "NAME":
        return f"the keyword `{token}`"
    return f"{_KINDS.get(token.type, '')}`{token}`"


def in_words(accepted: Set[str]) -> str:
    """The accepted tokens in words: groups by their name, single tokens as they are written."""
    left = set(accepted)
    words: list[str] = []
    for name, group, sign in _GROUPS:
        if sign in left:
            words.append(name)
            left -= group
    singles = {_WORDS.get(kind, f"`{kind.lower()}`") for kind in left}
    end = _WORDS["$END"]
    return _either([*sorted(singles - {end}), *words, *([end] if end in singles else [])])


def _either(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
