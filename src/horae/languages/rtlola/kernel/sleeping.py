"""When ticks may be skipped: an instance whose inputs have settled gets the same value for ever.

In the modes that do not report every value, an instance falls asleep when, since the last event that
touched it, more time has passed than all its windows and offsets together look back. From then on
each tick would repeat its value. The next event wakes it. If everything sleeps, the clock jumps.

Some constructs make a stream depend on ticks in ways that this argument does not cover; a program
that has one of them is simply evaluated at every tick.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from horae.frontend.graph import components
from horae.languages.rtlola.kernel.families import is_own_instance
from horae.languages.rtlola.kernel.model import Model, readings
from horae.languages.rtlola.program import (
    Always,
    Expression,
    Follows,
    Offset,
    Output,
    Periodic,
    Reference,
    TimeOffset,
    When,
    Window,
    accesses,
)


def settling_time(model: Model, driven: frozenset[str]) -> Fraction | None:
    """Seconds after the last event until every tick repeats itself; None: never for sure.

    `driven` are the streams that can be extended at ticks.
    """
    if model.lookahead or any(_obstacles(model, driven)):
        return None
    period = _common_period(model.rates)
    if period is None:
        return None
    looks_back = Fraction(0)
    count = 1
    for reader, expression in readings(model.program):
        for access in accesses(expression):
            if reader is None or reader.name in driven or access.target.stream in driven:
                looks_back += _look_back(access, period)
                count += 1
    return looks_back + count * period


def recursive_members(model: Model) -> frozenset[str]:
    """Streams that read themselves, directly or around a cycle: they settle only by what they do."""
    outputs = model.program.outputs
    read = {o.name: {a.target.stream for a in accesses(o.expression)} for o in outputs}
    graph = {name: [s for s in streams if s in read] for name, streams in read.items()}
    knots = [members for members in components(graph) if len(members) > 1]
    alone = [name for name, streams in read.items() if name in streams]
    return frozenset(alone).union(*knots)


def _common_period(rates: tuple[Fraction, ...]) -> Fraction | None:
    """After this time the pattern of ticks repeats; None if that takes too long to be of use."""
    if not rates:
        return Fraction(0)
    unit = lcm(*(r.denominator for r in rates))
    common = Fraction(lcm(*(int(r * unit) for r in rates)), unit)
    return common if common <= 1000 * min(rates) else None


def _look_back(access: Expression, period: Fraction) -> Fraction:
    match access:
        case Window(seconds=seconds):
            return seconds
        case TimeOffset(seconds=seconds):
            return -seconds
        case Offset(offset=offset):
            return -offset * period
        case _:
            return Fraction(0)


def _obstacles(model: Model, driven: frozenset[str]) -> Iterator[bool]:
    """Each is true for a program whose ticks must all be evaluated."""
    program = model.program
    yield any(not use.simple for use in model.quantified)
    watched = {name for use in model.quantified for name in use.node.templates}
    yield any(
        output.name in watched & driven and not isinstance(output.pace, Periodic)
        for output in program.outputs
    )
    for output in program.outputs:
        life = output.template
        yield isinstance(life.terminate, Periodic)
        yield any(stream in driven for stream in life.invoke)
        if isinstance(life.terminate, When):
            yield any(a.target.stream in driven for a in accesses(life.terminate.condition))
        yield output.name in driven and isinstance(output.pace, When | Always)
    for reader, expression in readings(program):
        yield from (_disturbs(model, driven, reader, a) for a in accesses(expression))
    yield from (
        output.name in driven
        and isinstance(output.pace, Follows)
        and any(
            _disturbs(model, driven, output, a) for p in output.pace.accesses for a in accesses(p)
        )
        for output in program.outputs
    )


def _disturbs(
    model: Model, driven: frozenset[str], reader: Output | None, access: Expression
) -> bool:
    target = access.target  # type: ignore[union-attr]
    if target.every_instance:
        return False
    if isinstance(access, Window) and target.stream in driven:
        return True
    if reader is None:
        return bool(target.arguments) and target.stream in driven
    if reader.name not in driven and target.stream not in driven:
        return False
    if target.arguments:
        return not _is_sibling(model, reader, target)
    return bool(reader.parameters) and target.stream in driven


def _is_sibling(model: Model, reader: Output, target: Reference) -> bool:
    """The same instance of the same family: it sleeps and wakes with the reader."""
    same_family = model.family_of[reader.name] == model.family_of[target.stream]
    return same_family and is_own_instance(target, len(reader.parameters))
