"""What is said where derivations go on for ever."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil

from horae.data.cuts import PAST
from horae.languages.datalogmtl.analysis.delays import Infeasible
from horae.languages.datalogmtl.kernel.bounds import Bounds
from horae.languages.datalogmtl.kernel.complete import EndlessError, TooManyError
from horae.languages.datalogmtl.kernel.effort import named, roughly
from horae.languages.datalogmtl.kernel.tails import Side
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.languages.datalogmtl.syntax.print_statement import print_statement
from horae.source.errors import InputError

# The horizon that is suggested lies so many steps of the rules behind the data.
_STEPS = 10


def needs_horizon(error: EndlessError, timeline: Timeline) -> InputError:
    """No horizon was given, or none helps since facts are carried into the past."""
    names = named(error.component.predicates)
    if error.side is Side.BEFORE:
        return _no_beginning(error.component.predicates)
    found = f"the rules for {names} carry facts on for ever, so the answers have no end"
    if not error.is_proved:
        found = f"no end was found of what the rules for {names} derive, far behind all facts"
    component = error.component
    step = timeline.time((component.furthest if error.is_proved else component.nearest) >> 1)
    horizon = ceil(timeline.time(error.last - 1 >> 1) + _STEPS * step)
    return InputError(
        "RUN011",
        found,
        help=f"give a horizon, such as --horizon {horizon}: all up to that time is then computed,"
        " exactly",
    )


def depends_on_the_end(
    bounds: Bounds,
    unknown: Sequence[str],
    delays: Infeasible,
    first: int,
    last: int,
    timeline: Timeline,
) -> InputError:
    """What holds in the time of interest could not be told from what the rules do for ever."""
    if first == PAST and all(bounds.agree(name, bounds.asked_from, last) for name in unknown):
        return _no_beginning(unknown)
    rule = delays.path[0].of
    return InputError(
        "RUN041",
        f"what holds of {named(unknown)} up to {timeline.time(last >> 1)} depends on what is derived"
        f" for ever behind it: `{print_statement(rule)}` looks ahead without end",
        help="look ahead by a bounded time, such as Diamondplus[0,100], or bound the recursion by a"
        " fact that ends",
    )


def too_many(error: TooManyError, last: Fraction, timeline: Timeline) -> InputError:
    """Facts come again and again, on a long way to what is asked for."""
    end, names = timeline.time(error.end >> 1), named(error.component.predicates)
    found = f"the rules for {names} derive about {roughly(error.rows)} intervals"
    if error.side is Side.BEFORE:
        far, help = (
            f" back to {end}",
            "let facts and the times that are asked for lie closer together",
        )
    elif end <= last:
        far, help = f" up to {end}", "choose a smaller horizon, or times closer to the facts"
    else:
        far = f" up to {end}, which answers up to {last} need"
        help = "look ahead by a shorter time, such as Diamondplus[0,100]"
    return InputError("RUN042", f"{found}{far}: too many to be computed", help=help)


def _no_beginning(predicates: Iterable[str]) -> InputError:
    return InputError(
        "RUN011",
        f"the rules for {named(predicates)} carry facts back for ever, so the answers have no"
        " beginning",
        help="ask for single times, such as --at 0,10: what holds there is then computed, exactly",
    )
