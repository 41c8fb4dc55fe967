"""The loops of a cascade: which streams and triggers each computes, and how far behind it runs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from horae.languages.rtlola.program import (
    Expression,
    Hold,
    Offset,
    Over,
    Program,
    TimeOffset,
    Trigger,
    When,
    Window,
    walk,
)


def last_layer(program: Program) -> int:
    """The layer of the loop that answers: nothing looks farther than it does."""
    triggers = (trigger_layer(program, trigger) for trigger in program.triggers)
    return max([0, *program.layers.values(), *triggers])


def trigger_layer(program: Program, trigger: Trigger) -> int:
    """One more than the layer of what it looks ahead into, as for outputs."""
    return max(_layers_read(program, trigger.condition), default=0)


def _layers_read(program: Program, expression: Expression) -> Iterator[int]:
    for node in walk(expression):
        match node:
            case Over(templates=templates):
                yield from (program.layers[t] for t in templates)
            case Hold() | Offset() | TimeOffset() | Window():
                yield program.layers.get(node.target.stream, 0) + looks_ahead(node)
            case _:
                pass


def looks_ahead(node: Expression) -> bool:
    match node:
        case Offset(offset=offset):
            return offset > 0
        case TimeOffset(seconds=seconds):
            return seconds > 0
        case _:
            return False


def horizons(program: Program, resolution: int) -> list[int | None]:
    """Ticks behind the front, per layer; None: only the end of the input tells what comes."""
    found: list[int | None] = []
    total = Fraction(0)
    waits = False
    expressions = list(_expressions(program))
    for layer in range(last_layer(program) + 1):
        ahead = [_ahead(expression) for of, expression in expressions if of == layer]
        waits = waits or None in ahead
        total += max((a for a in ahead if a is not None), default=Fraction(0))
        found.append(None if waits else -int(-total * resolution // 1))
    return found


def _ahead(expression: Expression) -> Fraction | None:
    """The farthest look ahead in seconds; None if it counts values."""
    farthest = Fraction(0)
    for node in walk(expression):
        if isinstance(node, Offset) and node.offset > 0:
            return None
        if isinstance(node, TimeOffset):
            farthest = max(farthest, node.seconds)
    return farthest


def _expressions(program: Program) -> Iterator[tuple[int, Expression]]:
    """Every expression with the layer of the loop that needs it first."""
    for output in program.outputs:
        layer = program.layers[output.name]
        yield layer, output.expression
        for clause in (output.pace, output.template.terminate):
            if isinstance(clause, When):
                yield layer, clause.condition
    for trigger in program.triggers:
        yield trigger_layer(program, trigger), trigger.condition
