"""A stream knows the past only: programs that look ahead are refused before they run."""

from __future__ import annotations

from horae.languages.datalogmtl.normal import Link, NormalProgram, NormalRule, Step
from horae.languages.datalogmtl.tree import BinaryOperator, Operator
from horae.source.diagnostic import Diagnostic, Severity
from horae.source.errors import ProgramError

_AHEAD = (Operator.BOX_PLUS, Operator.DIAMOND_PLUS)


def looks_ahead(rule: NormalRule) -> bool:
    match rule:
        case Step(operator=operator):
            return operator in _AHEAD
        case Link(operator=operator):
            return operator is BinaryOperator.UNTIL
        case _:
            return False


def refuse_future(normal: NormalProgram) -> None:
    """A `Boxminus` in a head is a look ahead too: its head holds before its body does."""
    rules = dict.fromkeys(rule.of for rule in normal.rules if looks_ahead(rule))
    if rules:
        found = [
            Diagnostic(
                "RUN012",
                Severity.ERROR,
                "this rule looks ahead in time, so it cannot be decided while a stream runs",
                rule.span,
                help="evaluate all facts at once, or ask only for the past",
            )
            for rule in rules
        ]
        raise ProgramError(normal.program.source, found)
