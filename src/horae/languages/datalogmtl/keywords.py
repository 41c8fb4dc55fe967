"""The keywords and signs of DatalogMTL. Keywords are written in any case; only words are here."""

from __future__ import annotations

from horae.languages.datalogmtl.tree import BinaryOperator, Operator

OPERATORS = {
    "boxminus": Operator.BOX_MINUS,
    "diamondminus": Operator.DIAMOND_MINUS,
    "boxplus": Operator.BOX_PLUS,
    "diamondplus": Operator.DIAMOND_PLUS,
    "⊟": Operator.BOX_MINUS,
    "◇⁻": Operator.DIAMOND_MINUS,
    "⊞": Operator.BOX_PLUS,
    "◇⁺": Operator.DIAMOND_PLUS,
}
BINARY_OPERATORS = {
    "since": BinaryOperator.SINCE,
    "s": BinaryOperator.SINCE,
    "until": BinaryOperator.UNTIL,
    "u": BinaryOperator.UNTIL,
}
INFINITY = frozenset(("inf", "infinity"))
_CONNECTIVES = {"since": "SINCE", "until": "UNTIL", "and": "AND", "not": "NOT"}
RESERVED = {**{word: "OPERATOR" for word in OPERATORS}, **_CONNECTIVES}
"""What cannot name a predicate, with the kind of token it is. Arguments may be called anything."""
