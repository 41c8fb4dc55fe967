"""The frame of the loop: its arguments, the choice of the next position, the way out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.languages.rtlola.kernel.code import Code
from horae.languages.rtlola.kernel.emission import COLUMNS
from horae.languages.rtlola.kernel.extension import write_input, write_trigger
from horae.languages.rtlola.kernel.families import Family
from horae.languages.rtlola.kernel.lifetimes import write_closing
from horae.languages.rtlola.kernel.options import QuantifiedMode
from horae.languages.rtlola.kernel.paces import complete_binding
from horae.languages.rtlola.kernel.records import RECORDS
from horae.languages.rtlola.kernel.schedule import write_outputs
from horae.languages.rtlola.kernel.source import BUFFERS, DONE, FAULT, GROW
from horae.languages.rtlola.kernel.times import NEVER, later_time
from horae.languages.rtlola.kernel.waking import write_rest
from horae.languages.rtlola.program import Output, Periodic, Trigger, When

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator

_HEAD = '''"""Generated from an RTLola specification."""

import math

import numpy as np

from horae.languages.rtlola.kernel.runtime import (
    add_overflows, cosine, divide, double_bits, exponential, find, fits_int, insert,
    multiply_overflows, multiply_sizes, power, power_overflows, real_power,
    real_remainder, remainder, remove, round_half_away, sine, subtract_overflows, tangent, wrap_add,
    wrap_subtract,
)
from horae.languages.rtlola.kernel.order_trees import quantile, tree_insert, tree_remove

'''


def write_loop(g: Generator) -> tuple[str, tuple[Output | Trigger, ...]]:
    """The whole source; the body is written first, since it finds out what the head needs."""
    _position(g)
    _streams(g)
    _after(g)
    body = g.code.text()
    g.code = Code(1)
    _open(g)
    head = g.code.text()
    g.code = Code(1)
    _close(g)
    signature = f"def loop({', '.join(arguments(g))}):\n"
    return _HEAD + signature + head + body + g.code.text(), g.emitted


def arguments(g: Generator) -> list[str]:
    """The parameters of the loop, in order."""
    names = ["ctl", "limits", "times"]
    if g.over_mode is QuantifiedMode.IMPORT:
        names += ["rec_tick", "rec_touched", "rec_delta"]
    for stream in g.program.inputs:
        names += [f"in_{g.name(stream.name)}", f"ok_{g.name(stream.name)}"]
    names += [f"in_{n}" for n in g.ahead.inputs()]
    names += list(g.layout.columns)
    names += [table.name for table in g.tables.values()]
    names += list(COLUMNS)
    if g.exports:
        names += [*RECORDS, "sent"]
    if g.interpreted:
        names.append("strings")
    return names


def _open(g: Generator) -> None:
    g.code.line("n_rows = limits[0]")
    g.code.line("until = limits[1]")
    for counter, at in g.layout.counters.items():
        g.code.line(f"{counter} = ctl[{at}]")
    for family in g.model.families.values():
        if not family.is_single:
            g.code.line(f"key_{family.name} = np.zeros({len(family.types)}, np.int64)")
    g.code.line("pair = np.zeros(2, np.int64)")
    g.code.line("bits_f = np.zeros(1, np.float64)")
    g.code.line("bits_i = bits_f.view(np.int64)")
    if g.exports:
        g.code.line(f"level = np.zeros({4 * len(g.model.quantified)}, np.int64)")
        g.code.line("level[:] = sent")
    for variable in ("out_n", "rec_n", "err", "err_site", "now"):
        g.code.line(f"{variable} = 0")
    g.code.line("grow = -1")
    for output in g.program.outputs:
        for flag, initial in (("f", "False"), ("e", "False"), ("ne", "0")):
            g.code.line(f"{flag}_{g.name(output.name)} = {initial}")
    g.code.line(f"status = {DONE}")
    g.code.line("while True:")


def _close(g: Generator) -> None:
    for counter, at in g.layout.counters.items():
        g.code.line(f"ctl[{at}] = {counter}")
    for i, variable in enumerate(("out_n", "rec_n", "err", "err_site", "now", "grow")):
        g.code.line(f"limits[{i + 2}] = {variable}")
    g.code.line("return status")


# --- the next position


def _position(g: Generator) -> None:
    _make_room(g)
    g.code.line(f"t_row = times[row] if row < n_rows else {NEVER}")
    ticks = [f"next{i}" for i in range(len(g.rates))]
    if g.settling is not None and ticks:
        _jump(g)
    g.code.line(f"t_tick = min({', '.join(ticks)}, {NEVER})" if ticks else f"t_tick = {NEVER}")
    if g.over_mode is QuantifiedMode.IMPORT:
        # A shard may have clocks that this stage has not: its record brings the position along.
        with g.code.block("if row < n_rows and rec_tick[row]"):
            g.code.line("t_tick = min(t_tick, t_row)")
        g.code.line("is_row = row < n_rows and t_row <= t_tick and not rec_tick[row]")
    else:
        g.code.line("is_row = t_row <= t_tick")
    g.code.line("now = t_row if is_row else t_tick")
    with g.code.block(f"if now > until or now >= {NEVER}"):
        g.code.line("break")
    for i, rate in enumerate(g.rates):
        g.code.line(f"tick{i} = not is_row and next{i} == now")
        with g.code.block(f"if tick{i}"):
            g.code.line(f"next{i} = {later_time(f'next{i}', g.ticks(rate))}")
    if g.over_mode is QuantifiedMode.IMPORT:
        g.code.line("is_record = is_row or (row < n_rows and t_row == now and rec_tick[row])")
    g.code.line("pos += 1")


def _jump(g: Generator) -> None:
    """Everything sleeps: go on at the next row. Clocks keep their phase."""
    asleep = [f"{f.name}_naw == 0" for f in g.model.families.values() if not f.is_single]
    settled = later_time("root_touch", g.settling or 0)
    test = " and ".join([*asleep, f"min(next0, {NEVER}) > {settled}"])
    with g.code.block(f"if {test}"):
        g.code.line("target = min(t_row, until + 1)")
        for i, rate in enumerate(g.rates):
            with g.code.block(f"if next{i} < target"):
                g.code.line(f"gap = (next{i} - target) % {g.ticks(rate)}")
                g.code.line(f"next{i} = {later_time('target', 'gap')}")


def _make_room(g: Generator) -> None:
    """Return to the caller if this position could overflow an array, and say which."""
    for i, (_, test) in enumerate(_room_tests(g)):
        with g.code.block(f"if {test}"):
            g.code.line(f"grow = {i}")
    with g.code.block("if grow >= 0"):
        g.code.line(f"status = {GROW}")
        g.code.line("break")


def growing(g: Generator) -> tuple[str, ...]:
    """What the loop can ask to grow: the buffers for answers and records, or a pool."""
    return tuple(name for name, _ in _room_tests(g))


def _room_tests(g: Generator) -> list[tuple[str, str]]:
    tests = [(BUFFERS, f"out_time.shape[0] - out_n < {_most_answers(g)}")]
    if g.exports:
        tests.append((BUFFERS, "rec_time.shape[0] - rec_n < 2"))
    for pool in g.pools:
        tests.append((pool, f"{pool}_next.shape[0] - {pool}_used < {_most_taken(g, pool)}"))
    for stream in g.ahead.recorded:
        for pool in g.ahead.pools(stream):
            room = f"{pool}_next.shape[0] - {pool}_shared[1]"
            tests.append((pool, f"{room} < 2 * {_most_extended(g, stream)}"))
    return tests


def _most_answers(g: Generator) -> str:
    terms = ["1" if isinstance(t, Trigger) else _most_extended(g, t.name) for t in g.emitted]
    several = [term for term in terms if term != "1"]
    return " + ".join([str(1 + len(terms) - len(several)), *several])


def _most_extended(g: Generator, stream: str) -> str:
    """How many instances of a stream one position can extend."""
    if not g.is_template(stream):
        return "1"
    family, pace = g.family(stream), g.program.output(stream).pace
    if isinstance(pace, When) and (found := complete_binding(g, family, pace.condition)):
        return str(len(found.alternatives))
    sleepers = isinstance(pace, Periodic) and g.settling is not None
    return f"({family.name}_{'naw' if sleepers else 'act'} + {_most_invoked(g, family)})"


def _most_invoked(g: Generator, family: Family) -> str:
    """How many instances one position can invoke."""
    terms = ["1"]
    for stream in family.invoke:
        if stream not in g.input_names and not g.family(stream).is_single:
            terms.append(_most_extended(g, stream))
    return "(" + " * ".join(terms) + ")"


def _most_taken(g: Generator, pool: str) -> str:
    if pool in g.model.families:
        return _most_invoked(g, g.model.families[pool])
    return _most_extended(g, g.model.target_of(pool))


# --- the body


def _streams(g: Generator) -> None:
    if g.over_mode is QuantifiedMode.IMPORT:
        g.quantified.write_import()
    for stream in g.program.inputs:
        if g.over_mode is QuantifiedMode.IMPORT:
            g.code.line(f"f_{g.name(stream.name)} = False")
        else:
            write_input(g, stream)
    write_outputs(g)
    if g.over_mode is not QuantifiedMode.EXPORT:
        for trigger in g.emitted:
            if isinstance(trigger, Trigger):
                write_trigger(g, trigger)


def _after(g: Generator) -> None:
    if g.exports:
        g.quantified.write_export()
    for family in g.model.families.values():
        if any(map(g.computes, family.members)):
            write_closing(g, family)
    write_rest(g)
    consumed = "is_record" if g.over_mode is QuantifiedMode.IMPORT else "is_row"
    with g.code.block("if err != 0"):
        g.code.line(f"status = {FAULT}")
        g.code.line("break")
    with g.code.block(f"if {consumed}"):
        g.code.line("row += 1")
