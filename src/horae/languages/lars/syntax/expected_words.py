"""Tokens in words: what was found, and what could have stood there."""

from __future__ import annotations

from collections.abc import Set

from lark import Token

from horae.frontend.expectations import TokenGroup, in_words
from horae.rules.window_keywords import RESERVED

_VALUE = frozenset(("LPAR", "MINUS", "NAME", "NUMBER", "STRING", "VARIABLE", "PLUS"))
_FORMULA = _VALUE | {"ALWAYS", "AT", "NOT", "SOME", "WINDOW"}
_INFIX = frozenset(("AND", "OR", "ARROW", "COMPARATOR", "PLUS", "MINUS", "TIMES", "DIVIDE", "CALL"))
_GROUPS = (
    TokenGroup("a formula", _FORMULA, "WINDOW"),
    TokenGroup(
        "the size of a window", _VALUE | {"HASH", "INFINITE", "PATTERN", "WINDOW_NAME"}, "HASH"
    ),
    TokenGroup("a value", _VALUE | {"INFINITE"}, "LPAR"),
    TokenGroup("a variable or a constant", _VALUE | {"INFINITE"}, "STRING"),
    TokenGroup("an operator", _INFIX, "TIMES"),
    TokenGroup("an operator", _INFIX, "AND"),
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


def accepted_in_words(accepted: Set[str]) -> str:
    return in_words(accepted, _GROUPS, _WORDS)
