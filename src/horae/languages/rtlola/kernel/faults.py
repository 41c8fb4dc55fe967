"""A fault of the loop as an error that names the place in the program, the row and the time."""

from __future__ import annotations

from fractions import Fraction
from typing import NoReturn

from horae.data.seconds import seconds_of_ticks
from horae.languages.rtlola.analysis.written import written
from horae.languages.rtlola.kernel import runtime
from horae.languages.rtlola.kernel.model import build_model
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.kernel.rows import Rows
from horae.languages.rtlola.kernel.runner import ERROR, NOW, SITE, Runner
from horae.languages.rtlola.kernel.times import LAST, last_that_fits
from horae.languages.rtlola.plan.timing import durations
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


def raise_fault(
    program: Program, resolution: int, runner: Runner, rows: Rows, start: int
) -> NoReturn:
    code, what, advice = _FAULTS[int(runner.limits[ERROR])]
    site = runner.source.sites[int(runner.limits[SITE])]
    span = site.span
    at = program.source.position(span.start)
    text = written(program.source, span)
    of = f" of `{site.stream}`" if site.stream else ""
    raise InputError(
        code,
        f"{what} in `{text}`{of}",
        place=f"{program.source.name}:{at.line}:{at.column}",
        row=_row(runner, rows),
        time=time_text(start + int(runner.limits[NOW]), resolution),
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


# --- time that does not fit


def check_span(
    program: Program, options: Options, first: int, last: int, row: int | None = None
) -> None:
    """A row must not be farther from the first one than a kernel can count; both in ticks of rows."""
    if last <= last_that_fits(first, options.scale):
        return
    raise InputError(
        "RUN030",
        f"the time {time_text(last, options.row_resolution)} is too long after the first row, "
        f"{time_text(first, options.row_resolution)}: {_why_so_fine(program, options)}",
        row=row,
        help=f"{_CURES}; a run may span {_seconds_text(Fraction(LAST, options.resolution))}",
    )


_CURES = "use a coarser --precision, rates and durations whose fractions agree, or shorter inputs"


def _why_so_fine(program: Program, options: Options) -> str:
    """Which constants make ticks finer than the times of rows."""
    fine = dict.fromkeys(d for d in durations(program) if options.row_resolution % d.denominator)
    rates = build_model(program).rates
    texts = [f"{_decimal(1 / d)} Hz" if d in rates else _seconds_text(d) for d in fine]
    because = f", because of {', '.join(texts)}" if fine else ""
    return f"time is counted in 1/{options.resolution} s{because}"


def _seconds_text(seconds: Fraction) -> str:
    return f"{_decimal(seconds)} s"


def _decimal(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):.6g}"
