"""A fault of the loop as an error that names the place in the program, the row and the time."""

from __future__ import annotations

from typing import NoReturn

from horae.analysis.rtlola.written import written
from horae.kernels.rtlola import runtime
from horae.kernels.rtlola.rows import Rows
from horae.kernels.rtlola.runner import ERROR, NOW, SITE, Runner
from horae.kernels.seconds import seconds_of_ticks
from horae.languages.rtlola.program import Program
from horae.source.errors import InputError

_FAULTS = {
    runtime.DIVISION_BY_ZERO: (
        "RUN001",
        "division by zero",
        "guard it: `if b = 0 then … else a / b`",
    ),
    runtime.INTEGER_OVERFLOW: ("RUN002", "integer overflow", "use `double`, or smaller numbers"),
    runtime.NOT_FINITE: ("RUN003", "the result is not a finite number", "guard the argument"),
    runtime.CAST_FAILED: ("RUN004", "the value cannot be cast", "guard it, texts with `matches`"),
    runtime.NEGATIVE_EXPONENT: ("RUN005", "negative exponent of an int", "use `double`"),
    runtime.BAD_PATTERN: ("RUN006", "the pattern is not a regular expression", "mend the pattern"),
}


def raise_fault(program: Program, resolution: int, runner: Runner, rows: Rows) -> NoReturn:
    code, what, advice = _FAULTS[int(runner.limits[ERROR])]
    site = runner.source.sites[int(runner.limits[SITE])]
    span = site.expression.span
    at = program.source.position(span.start)
    text = written(program.source, span)
    of = f" of `{site.stream}`" if site.stream else ""
    raise InputError(
        code,
        f"{what} in `{text}`{of}",
        place=f"{program.source.name}:{at.line}:{at.column}",
        row=_row(runner, rows),
        time=time_text(int(runner.limits[NOW]), resolution),
        help=advice,
    )


def _row(runner: Runner, rows: Rows) -> int | None:
    """The row at which the loop stopped; a tick has none."""
    at = runner.next_row
    if at < len(rows) and rows.times[at] == runner.limits[NOW]:
        return int(rows.columns["row"][at])
    return None


def time_text(ticks: int, resolution: int) -> str:
    return repr(seconds_of_ticks(ticks, resolution))
