"""Words of rules, which name no predicate. They are written in any case.

Arguments may be called anything.
"""

from __future__ import annotations

_RESERVED = {
    **dict.fromkeys(("boxminus", "diamondminus", "boxplus", "diamondplus"), "OPERATOR"),
    "since": "SINCE",
    "until": "UNTIL",
    "and": "AND",
    "not": "NOT",
}
_IN_CAPITALS = frozenset(("ALWAYS", "SOMETIME"))  # as MeTeoR writes them; else they are names
_BETWEEN_FORMULAS = {"s": "SINCE", "u": "UNTIL"}
INFINITY = frozenset(("inf", "infinity"))


def reserved_kind(word: str) -> str | None:
    """The kind of token that a keyword is; None for what can name a predicate."""
    return "OPERATOR" if word in _IN_CAPITALS else _RESERVED.get(word.lower())


def infix_kind(word: str) -> str | None:
    """The same behind a formula, where `S` and `U` are keywords too."""
    return _BETWEEN_FORMULAS.get(word.lower()) or reserved_kind(word)
