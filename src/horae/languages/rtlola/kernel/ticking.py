"""How often clocks tick, before they do: a mistaken unit of time must not run for days.

Milliseconds that are read as seconds let a clock tick a thousand times too often, and each tick
is a position with answers.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from horae.data.seconds import seconds_of_ticks
from horae.engine.report.units import frequency
from horae.languages.rtlola import catalogue
from horae.languages.rtlola.kernel.model import build_model, tick_driven
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.kernel.sleeping import recursive_members, settling_time
from horae.languages.rtlola.kernel.times import last_that_fits
from horae.languages.rtlola.options import Emit
from horae.languages.rtlola.program import Periodic, Program
from horae.source.errors import InputError

MOST = 10**8
"""So many ticks are taken to be meant; they take minutes."""


def check_ticks(program: Program, options: Options, first: int, last: int) -> None:
    """Refuse clocks that tick more often than that from one time to another, in ticks of rows.

    What a kernel cannot count is refused by the kernel, and cannot be confirmed.
    """
    if last > last_that_fits(first, options.scale):
        return
    periods = _periods(program)
    count = sum(_count(period, options, first, last) for period in periods)
    if count > MOST and not _passes_over_idle_ticks(program, options):
        raise _too_many(periods, count, options, first, last)


def _periods(program: Program) -> list[Fraction]:
    clauses = [clause for o in program.outputs for clause in (o.pace, o.template.terminate)]
    return sorted({clause.period for clause in clauses if isinstance(clause, Periodic)})


def _count(period: Fraction, options: Options, first: int, last: int) -> int:
    step, scale = period * options.resolution, options.scale
    before = ceil((first * scale - options.origin) / step)
    return max(floor((last * scale - options.origin) / step) - before + 1, 0)


def _passes_over_idle_ticks(program: Program, options: Options) -> bool:
    """Where nothing changes until the next row, nothing is evaluated: then ticks cost nothing."""
    if options.emit is Emit.ALL:
        return False
    model, driven = build_model(program, options.joined), tick_driven(program, options.joined)
    return settling_time(model, driven) is not None and not driven & recursive_members(model)


def _too_many(
    periods: list[Fraction], count: int, options: Options, first: int, last: int
) -> InputError:
    rates = " and ".join(f"`{frequency(1 / period)}`" for period in periods)
    ends = [str(seconds_of_ticks(time, options.row_resolution)) for time in (first, last)]
    return catalogue.TOO_MANY_TICKS(rates=rates, count=count, first=ends[0], last=ends[1])
