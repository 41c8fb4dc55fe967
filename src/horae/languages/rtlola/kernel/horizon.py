"""The loops of a cascade: which streams and triggers each computes, and how far behind it runs.

What only the end of the input decides is in loops behind all others, so that it holds nothing else back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from horae.languages.rtlola.analysis.steady import find_steady
from horae.languages.rtlola.plan.reads import expressions, needs
from horae.languages.rtlola.program import (
    Evaluated,
    Expression,
    Hold,
    Offset,
    Program,
    Quantified,
    TimeOffset,
    Trigger,
    Window,
    walk,
)


@dataclass(frozen=True, slots=True)
class Awaited:
    """A loop looks `count` values ahead into a stream that is steady from its first value on."""

    stream: str
    count: int


@dataclass(frozen=True, slots=True)
class LoopHorizon:
    """How far a loop runs behind the front, in ticks; None: it waits for the end of the input."""

    lag: int | None
    awaited: tuple[Awaited, ...]


# --- layers


def layered(program: Program) -> Program:
    """The program with what waits for the end of the input in layers behind all others."""
    endless = _endless(program)
    if not endless:
        return program
    first = min(program.layers[name] for name in endless)
    shift = _last_bounded(program, endless) + 1 - first
    layers = {n: k + shift if n in endless else k for n, k in program.layers.items()}
    return replace(program, layers=layers)


def trigger_layers(program: Program) -> dict[int, int]:
    """The layer of each trigger, by its number, in a program that is `layered`."""
    endless = _endless(program)
    behind = _last_bounded(program, endless) + 1
    return {
        trigger.number: max(_seen_from(program, trigger), behind)
        if _is_endless(program, trigger, endless)
        else _seen_from(program, trigger)
        for trigger in program.triggers
    }


def last_layer(program: Program) -> int:
    """The layer of the last loop: nothing looks farther than it does."""
    outputs = (program.layers[output.name] for output in program.outputs)
    return max([0, *outputs, *trigger_layers(program).values()])


def _endless(program: Program) -> frozenset[str]:
    """The outputs that only the end of the input decides."""
    found: frozenset[str] = frozenset()
    while True:
        more = {o.name for o in program.outputs if _is_endless(program, o, found)}
        if more == found:
            return found
        found = frozenset(more)


def _is_endless(program: Program, thing: Evaluated, endless: frozenset[str]) -> bool:
    return not endless.isdisjoint(needs(thing)) or None in _waits(program, thing)


def _last_bounded(program: Program, endless: frozenset[str]) -> int:
    bounded = [program.layers[o.name] for o in program.outputs if o.name not in endless]
    for trigger in program.triggers:
        if not _is_endless(program, trigger, endless):
            bounded.append(_seen_from(program, trigger))
    return max(bounded, default=0)


def _seen_from(program: Program, trigger: Trigger) -> int:
    """One more than the layer of what it looks ahead into, as for outputs."""
    return max(_layers_read(program, trigger.condition), default=0)


def _layers_read(program: Program, expression: Expression) -> Iterator[int]:
    for node in walk(expression):
        match node:
            case Quantified(templates=templates):
                yield from (program.layers[t] for t in templates)
            case Hold() | Offset() | TimeOffset() | Window():
                yield program.layers.get(node.target.stream, 0) + reads_ahead(node)
            case _:
                pass


def reads_ahead(node: Expression) -> bool:
    match node:
        case Offset(offset=offset):
            return offset > 0
        case TimeOffset(seconds=seconds):
            return seconds > 0
        case _:
            return False


# --- lags


def horizons(program: Program, resolution: int) -> list[LoopHorizon]:
    """Per layer of a program that is `layered`.

    A loop computes again what the loops before it computed, and looks ahead into the records of the
    one in front. So it runs behind that by the farthest look of all that it computes.
    """
    found: list[LoopHorizon] = []
    total = Fraction(0)
    ends = False
    for layer in range(last_layer(program) + 1):
        inside = _things_up_to(program, layer)
        waits = [wait for thing in inside for wait in _waits(program, thing)]
        ends = ends or None in waits
        total += max((wait for wait in waits if wait is not None), default=Fraction(0))
        awaited = tuple(dict.fromkeys(a for thing in inside for a in _awaited(program, thing)))
        found.append(LoopHorizon(None if ends else -int(-total * resolution // 1), awaited))
    return found


def _things_up_to(program: Program, layer: int) -> list[Evaluated]:
    """What a loop computes. A trigger is evaluated in one loop only."""
    of_trigger = trigger_layers(program)
    outputs = [o for o in program.outputs if program.layers[o.name] <= layer]
    return [*outputs, *(t for t in program.triggers if of_trigger[t.number] == layer)]


def _offsets_ahead(thing: Evaluated) -> Iterator[Offset | TimeOffset]:
    for expression in expressions(thing):
        for node in walk(expression):
            if isinstance(node, Offset | TimeOffset) and reads_ahead(node):
                yield node


def _waits(program: Program, thing: Evaluated) -> list[Fraction | None]:
    """How far each look ahead reaches, in seconds; None: nothing says when the value comes."""
    return [_wait(program, node) for node in _offsets_ahead(thing)]


def _wait(program: Program, node: Offset | TimeOffset) -> Fraction | None:
    if isinstance(node, TimeOffset):
        return node.seconds
    steady = find_steady(program, node.target.stream)
    return None if steady is None else node.offset * steady.period


def _awaited(program: Program, thing: Evaluated) -> Iterator[Awaited]:
    for node in _offsets_ahead(thing):
        if isinstance(node, Offset):
            steady = find_steady(program, node.target.stream)
            if steady is not None and not steady.from_start:
                yield Awaited(node.target.stream, node.offset)
