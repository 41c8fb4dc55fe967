"""A fault of the loop as an error that names the place in the program, the row and the time."""

from __future__ import annotations

from fractions import Fraction
from typing import NoReturn

from horae.data.seconds import seconds_of_ticks
from horae.languages.rtlola import catalogue
from horae.languages.rtlola.analysis.written import written
from horae.languages.rtlola.kernel import runtime
from horae.languages.rtlola.kernel.model import build_model
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.kernel.rows import KernelRows
from horae.languages.rtlola.kernel.runner import ERROR, NOW, SITE, Runner
from horae.languages.rtlola.kernel.times import LAST, last_that_fits
from horae.languages.rtlola.plan.timing import durations
from horae.languages.rtlola.program import Program

_FAULTS = {
    runtime.DIVISION_BY_ZERO: catalogue.DIVISION_BY_ZERO,
    runtime.INTEGER_OVERFLOW: catalogue.INTEGER_OVERFLOW,
    runtime.NOT_FINITE: catalogue.NOT_FINITE,
    runtime.CAST_FAILED: catalogue.CAST_FAILED,
    runtime.NEGATIVE_EXPONENT: catalogue.NEGATIVE_EXPONENT,
    runtime.BAD_PATTERN: catalogue.BAD_PATTERN,
}


def raise_fault(
    program: Program, resolution: int, runner: Runner, rows: KernelRows, start: int
) -> NoReturn:
    message = _FAULTS[int(runner.limits[ERROR])]
    site = runner.source.sites[int(runner.limits[SITE])]
    span = site.span
    at = program.source.position(span.start)
    text = written(program.source, span)
    of = f" of `{site.stream}`" if site.stream else ""
    raise message(
        where=f"`{text}`{of}",
        place=f"{program.source.name}:{at.line}:{at.column}",
        row=_row(runner, rows),
        time=time_text(start + int(runner.limits[NOW]), resolution),
    )


def _row(runner: Runner, rows: KernelRows) -> int | None:
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
    raise catalogue.TOO_LONG_AFTER(
        last=time_text(last, options.row_resolution),
        first=time_text(first, options.row_resolution),
        why=_why_so_fine(program, options),
        longest=_seconds_text(Fraction(LAST, options.resolution)),
        row=row,
    )


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
