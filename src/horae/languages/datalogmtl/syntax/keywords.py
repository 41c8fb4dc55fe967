"""What the keywords and signs of DatalogMTL mean. Keywords are written in any case."""

from __future__ import annotations

from horae.languages.datalogmtl.syntax.tree import BinaryOperator, Operator

OPERATORS = {
    "boxminus": Operator.BOX_MINUS,
    "diamondminus": Operator.DIAMOND_MINUS,
    "boxplus": Operator.BOX_PLUS,
    "diamondplus": Operator.DIAMOND_PLUS,
    "⊟": Operator.BOX_MINUS,
    "◇⁻": Operator.DIAMOND_MINUS,
    "⊞": Operator.BOX_PLUS,
    "◇⁺": Operator.DIAMOND_PLUS,
    "[-]": Operator.BOX_MINUS,
    "<->": Operator.DIAMOND_MINUS,
    "[+]": Operator.BOX_PLUS,
    "<+>": Operator.DIAMOND_PLUS,
}
# MeTeoR writes the past as negative times. Its words are in capitals, others are predicates.
SIGNED_OPERATORS = {
    "ALWAYS": (Operator.BOX_MINUS, Operator.BOX_PLUS),
    "SOMETIME": (Operator.DIAMOND_MINUS, Operator.DIAMOND_PLUS),
}
SIGNED_UNTIL = "UNTIL"
BINARY_OPERATORS = {
    "since": BinaryOperator.SINCE,
    "s": BinaryOperator.SINCE,
    "until": BinaryOperator.UNTIL,
    "u": BinaryOperator.UNTIL,
}
