"""What is said where derivations go on for ever."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil

from horae.data.cuts import PAST
from horae.languages.datalogmtl import catalogue
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
    component = error.component
    step = timeline.time((component.furthest if error.is_proved else component.nearest) >> 1)
    horizon = ceil(timeline.time(error.last - 1 >> 1) + _STEPS * step)
    message = catalogue.NO_END if error.is_proved else catalogue.NO_END_FOUND
    return message(names=names, horizon=horizon)


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
    return catalogue.DEPENDS_ON_THE_END(
        names=named(unknown), time_point=timeline.time(last >> 1), rule=print_statement(rule)
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
    return catalogue.TOO_MANY_INTERVALS(found=found, far=far, remedy=help)


def _no_beginning(predicates: Iterable[str]) -> InputError:
    return catalogue.NO_BEGINNING(names=named(predicates))
