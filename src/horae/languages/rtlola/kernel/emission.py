"""Answers leave the loop as columns: time, position, which stream or trigger, parameters, value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.data.types import Type
from horae.languages.rtlola.kernel.families import Family
from horae.languages.rtlola.kernel.horizon import trigger_layers
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.options import Emit
from horae.languages.rtlola.program import Output, Program, Trigger, answered

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator

# The columns of the answers; `out_p` has one column per parameter.
COLUMNS = ("out_time", "out_pos", "out_id", "out_i", "out_f", "out_p")


def find_emitted(program: Program, options: Options) -> tuple[Output | Trigger, ...]:
    """What a loop can answer: its own layer. The number of an answer is the place in this list."""
    layers = trigger_layers(program)
    shown = answered(program, options.only)
    triggers = [t for t in shown.triggers if layers[t.number] == options.layer]
    if options.emit is Emit.TRIGGERS:
        return tuple(triggers)
    own = [o for o in shown.outputs if program.layers.get(o.name, 0) == options.layer]
    return (*own, *triggers)


def emit_value(g: Generator, output: Output, family: Family, slot: str) -> None:
    things = g.emitted
    if output not in things:
        return
    if g.options.emit is Emit.CHANGES:
        with g.code.block("if chg"):
            _write(g, things.index(output), output, family, slot)
    else:
        _write(g, things.index(output), output, family, slot)


def _write(g: Generator, number: int, output: Output, family: Family, slot: str) -> None:
    _head(g, number)
    if output.type is Type.DOUBLE:
        g.code.line("out_f[out_n] = v")
    else:
        g.code.line("out_i[out_n] = v")
    for i in range(len(family.types)):
        g.code.line(f"out_p[out_n, {i}] = {family.name}_keys[{slot}, {i}]")
    g.code.line("out_n += 1")


def _head(g: Generator, number: int) -> None:
    g.code.line("out_time[out_n] = now")
    g.code.line("out_pos[out_n] = pos")
    g.code.line(f"out_id[out_n] = {number}")


def emit_trigger(g: Generator, trigger: Trigger) -> None:
    _head(g, g.emitted.index(trigger))
    g.code.line("out_n += 1")
