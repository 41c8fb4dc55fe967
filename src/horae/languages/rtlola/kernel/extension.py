"""Values: inputs take them from the row, outputs compute them, triggers notify."""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.data.types import Type
from horae.languages.rtlola.kernel import runtime
from horae.languages.rtlola.kernel.emission import emit_trigger, emit_value
from horae.languages.rtlola.kernel.families import Family
from horae.languages.rtlola.kernel.guards import fault
from horae.languages.rtlola.kernel.paces import any_fresh, due, for_each_candidate
from horae.languages.rtlola.kernel.scope import LoopScope
from horae.languages.rtlola.kernel.waking import keep_root_awake, stir, stir_root, watched_sleepers
from horae.languages.rtlola.program import Always, Follows, Input, Output, Periodic, Trigger

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator


def write_input(g: Generator, stream: Input) -> None:
    """Extend an input that has a value in the current row."""
    name = g.name(stream.name)
    g.code.line(f"f_{name} = is_row and ok_{name}[row]")
    with g.code.block(f"if f_{name}"):
        g.code.line("ok = True")
        g.code.line(f"v = in_{name}[row]")
        _remember(g, stream.name, "0", LoopScope(g.root, "0", None, open=((stream.name, "0"),)))


def write_output(g: Generator, output: Output) -> None:
    family, name = g.family(output.name), g.name(output.name)
    if family.is_single:
        _write_single(g, output, family)
        return
    g.code.line(f"ne_{name} = 0")
    g.code.line(f"e_{name} = {watched_sleepers(g, output)}")
    for_each_candidate(g, family, output.pace, lambda slot: _extend_if_due(g, output, slot))


def _write_single(g: Generator, output: Output, family: Family) -> None:
    g.code.line(f"f_{g.name(output.name)} = False")
    with g.code.block(f"if {family.name}_on == 1"):
        test = due(g, output, LoopScope(family, "0", None))
        with g.code.block(f"if {test}"):
            _evaluate(g, output, family, "0")


def _extend_if_due(g: Generator, output: Output, slot: str) -> None:
    family = g.family(output.name)
    if isinstance(output.pace, Periodic | Always):
        _evaluate(g, output, family, slot)
        return
    with g.code.block(f"if {g.name(output.name)}_pos[{slot}] != pos"):
        test = due(g, output, LoopScope(family, slot, None))
        with g.code.block(f"if {test}"):
            _evaluate(g, output, family, slot)


def _evaluate(g: Generator, output: Output, family: Family, slot: str) -> None:
    scope = LoopScope(family, slot, output, open=((output.name, slot),))
    g.code.line("ok = True")
    g.code.line(f"v = {g.value(output.expression, scope)}")
    if output.type is Type.DOUBLE:
        fault(g, "not math.isfinite(v)", runtime.NOT_FINITE, output.expression, scope)
    with g.code.block("if ok"):
        _extend(g, output, family, slot, scope)


def _extend(g: Generator, output: Output, family: Family, slot: str, scope: LoopScope) -> None:
    name = g.name(output.name)
    g.code.line(f"chg = not {name}_has[{slot}] or {name}_val[{slot}] != v")
    emit_value(g, output, family, slot)
    _remember(g, output.name, slot, scope)
    if family.is_single:
        g.code.line(f"f_{name} = True")
        stir_root(g, output)
        return
    g.code.line(f"{name}_pos[{slot}] = pos")
    g.code.line(f"{name}_ext[ne_{name}] = {slot}")
    g.code.line(f"ne_{name} += 1")
    g.code.line(f"e_{name} = True")
    g.quantified.touch(family, slot)
    stir(g, output, family, slot)


def _remember(g: Generator, stream: str, slot: str, scope: LoopScope) -> None:
    """`v` becomes the latest value of the stream; whoever looks back at it is served."""
    name = g.name(stream)
    depth = g.model.rings.get(stream)
    if depth:
        with g.code.block(f"if {name}_cnt[{slot}] > 0"):
            at = f"({name}_cnt[{slot}] - 1) % {depth}"
            g.code.line(f"{name}_ring[{slot}, {at}] = {name}_val[{slot}]")
        g.code.line(f"{name}_cnt[{slot}] += 1")
    g.code.line(f"{name}_val[{slot}] = v")
    g.code.line(f"{name}_has[{slot}] = True")
    for lag in g.model.lags.get(stream, ()):
        g.lags.push(lag, slot, "v")
    for backlog in g.model.backlogs.get(stream, ()):
        g.backlogs.push(backlog, slot, "v")
    for window in g.model.windows.get(stream, ()):
        g.windows.push(window, slot, "v", scope)
    g.ahead.on_extend(stream, slot, "v")


def write_trigger(g: Generator, trigger: Trigger) -> None:
    scope = LoopScope(g.root, "0", None)
    pace = trigger.pace
    test = any_fresh(g, pace.accesses, scope) if isinstance(pace, Follows) else "True"
    with g.code.block(f"if {test}"):
        g.code.line("ok = True")
        held = g.value(trigger.condition, scope)
        with g.code.block(f"if ok and {held}"):
            emit_trigger(g, trigger)
            keep_root_awake(g)
