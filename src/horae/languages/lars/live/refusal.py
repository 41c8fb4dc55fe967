"""Programs that would keep a stream waiting for ever."""

from __future__ import annotations

from horae.languages.lars.analysis.reach import find_reach
from horae.languages.lars.analysis.reasons import remedy_ahead, why_ahead
from horae.languages.lars.analysis.report_delay import endless_looks
from horae.languages.lars.analysis.written import written
from horae.languages.lars.program import Program
from horae.source.errors import InputError


def delay_of(program: Program) -> int:
    """How long an evaluation waits for input; an error if there is no bound."""
    reach = find_reach(program)
    if reach.delay is not None:
        return reach.delay
    cause, *_ = endless_looks(reach)
    source, span = program.source, cause.formula.span
    position = source.position(span.start)
    raise InputError(
        "RUN025",
        f"`{written(source, span)}` keeps a stream waiting for ever: {why_ahead(cause)}",
        place=f"{source.name}:{position.line}:{position.column}",
        help=remedy_ahead(cause),
    )
