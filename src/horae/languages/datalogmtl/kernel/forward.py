"""Which rules look ahead, and how long a stream must wait for them.

A predicate with the delay d is decided up to t − d once all facts up to t are there. Seen d later
each, all predicates of such a program look back only: a head that looks ahead by [a,b] at a body
looks back at it by [d' − d − b, d' − d − a], with d' and d the delays of both, and d' ≥ d + b.
"""

from __future__ import annotations

from fractions import Fraction

from horae.languages.datalogmtl.analysis.delays import Infeasible, find_delays
from horae.languages.datalogmtl.check.normal import JoinRule, Link, NormalProgram, NormalRule, Step
from horae.languages.datalogmtl.syntax.tree import BinaryOperator, Operator
from horae.source.diagnostic import Diagnostic, Label, Severity
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


def bounded_delays(normal: NormalProgram) -> dict[str, Fraction]:
    """A delay per predicate that is not 0; where there is no bound, the program is refused.

    A `Boxminus` in a head is a look ahead too: its head holds before its body does.
    """
    found = find_delays(normal)
    if isinstance(found, Infeasible):
        raise ProgramError(normal.program.source, [_refused(found)])
    return found


def _refused(found: Infeasible) -> Diagnostic:
    written = list(dict.fromkeys(rule.of for rule in found.path))
    first = next(r.of for r in found.path if looks_ahead(r))
    return Diagnostic(
        "RUN012",
        Severity.ERROR,
        f"this rule {_why(found)}, so it cannot be decided while a stream runs",
        first.span,
        labels=tuple(Label(r.span, "waits too") for r in written if r is not first),
        help="evaluate all facts at once, or look ahead by a bounded time",
    )


def _why(found: Infeasible) -> str:
    rule = found.path[0]
    if len(found.path) == 1 and not isinstance(rule, JoinRule) and rule.interval.high is None:
        return "looks ahead without end"
    return "waits for itself: each time it looks ahead, it must look ahead again"
