"""Reading streams: the latest value, offsets, windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.languages.rtlola.kernel.families import is_own_instance
from horae.languages.rtlola.kernel.guards import if_present, present, with_default
from horae.languages.rtlola.kernel.scope import ZERO, LoopScope
from horae.languages.rtlola.program import (
    Hold,
    Offset,
    Reference,
    TimeOffset,
    Window,
)

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator


def slot_of(g: Generator, target: Reference, scope: LoopScope) -> str:
    """The slot of the instance that is read; -1 at run time if it is not active."""
    if target.stream in g.input_names or g.family(target.stream).is_single:
        return "0"
    family = g.family(target.stream)
    if target.every_instance:
        return g.quantified.slot_for(family, scope)
    if family.name == scope.family.name and is_own_instance(target, len(family.types)):
        return scope.slot
    return g.lookup(family, [g.value(a, scope) for a in target.arguments])


def hold(g: Generator, node: Hold, scope: LoopScope) -> str:
    slot = slot_of(g, node.target, scope)
    if g.cycles.is_open(node.target.stream, scope):
        return g.cycles.rehearse_hold(node, slot, scope)
    stream = g.name(node.target.stream)
    test = f"{present(slot)}{stream}_has[{slot}]"
    if node.default is not None:
        return with_default(g, test, f"{stream}_val[{slot}]", node.default, scope)
    if scope.only_fresh and not node.target.every_instance:
        test = f"{present(slot)}{g.fresh_test(node.target.stream, slot)}"
    return or_absent(g, test, f"{stream}_val[{slot}]", node, scope)


def or_absent(g: Generator, test: str, found: str, node: Hold, scope: LoopScope) -> str:
    """`found` where the test holds; else there is no value."""
    result = g.code.fresh()
    g.code.line(f"{result} = {ZERO[node.type]}")
    with g.code.block(f"if {test}"):
        g.code.line(f"{result} = {found}")
    with g.code.block("else"):
        g.code.line(f"{scope.ok} = False")
    return result


def offset(g: Generator, node: Offset, scope: LoopScope) -> str:
    slot = slot_of(g, node.target, scope)
    if node.offset > 0:
        return g.ahead.discrete(node, slot, scope)
    stream = g.name(node.target.stream)
    coming = g.cycles.coming(node.target.stream, slot, scope)
    if any(u.depth == -node.offset for u in g.model.backlogs.get(node.target.stream, ())):
        return g.backlogs.read(node, slot, coming, scope)
    at = g.code.fresh("i")
    g.code.line(f"{at} = -1")
    with g.code.block(if_present(slot)):
        g.code.line(f"{at} = {stream}_cnt[{slot}] - 1 + {node.offset}{coming}")
    result = g.code.fresh()
    with g.code.block(f"if {at} < 0"):
        g.code.line(f"{result} = {g.value(node.default, scope)}")
    with g.code.block(f"elif {at} == {stream}_cnt[{slot}] - 1"):
        g.code.line(f"{result} = {stream}_val[{slot}]")
    with g.code.block("else"):
        depth = g.model.rings[node.target.stream]
        g.code.line(f"{result} = {stream}_ring[{slot}, {at} % {depth}]")
    return result


def time_offset(g: Generator, node: TimeOffset, scope: LoopScope) -> str:
    if node.seconds == 0:
        return hold(g, Hold(node.target, node.default, node.type, span=node.span), scope)
    slot = slot_of(g, node.target, scope)
    if node.seconds > 0:
        return g.ahead.timed(node, slot, scope)
    found = g.lags.read(node, slot, scope)
    return with_default(g, f"{found} >= 0", g.lags.found(node, scope, found), node.default, scope)


def window(g: Generator, node: Window, scope: LoopScope) -> str:
    slot = slot_of(g, node.target, scope)
    if g.cycles.is_open(node.target.stream, scope):
        return g.cycles.rehearse_window(node, slot, scope)
    return read_window(g, node, slot, scope)


def read_window(g: Generator, node: Window, slot: str, scope: LoopScope) -> str:
    filled, result = g.windows.read(node, slot, scope)
    return with_default(g, filled, result, node.default, scope)
