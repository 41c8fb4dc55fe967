"""Streams that read each other: will one that comes later in the order get a value at this position?

`p := q[-1, 0] + x` and `q := p * 2` read each other. When p gets its value, the turn of q has not come
yet, but "the value before the latest one" of q depends on whether q gets a value here. So q is
rehearsed: its pace and its expression are evaluated, only to learn whether there is a value. What
reads a value that is not known yet has a value that is not known yet either; it counts as there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from horae.languages.rtlola.kernel.accesses import or_absent, read_window
from horae.languages.rtlola.kernel.guards import present, with_default
from horae.languages.rtlola.kernel.paces import due
from horae.languages.rtlola.kernel.scope import ZERO, LoopScope
from horae.languages.rtlola.program import (
    Binary,
    Call,
    Chain,
    Expression,
    Hold,
    Quantified,
    Unary,
    Window,
    children,
    walk,
)

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator


def _has_value(node: Expression) -> bool:
    """Whether it is there if all below it is. Over instances that have no value, none is missed."""
    return not isinstance(node, Hold) or node.default is not None or node.target.every_instance


class Cycles:
    def __init__(self, g: Generator) -> None:
        self.g = g

    def is_open(self, stream: str, scope: LoopScope) -> bool:
        """Whether the stream's turn at this position comes with or after the first open one's."""
        order = self.g.program.order
        if not scope.open or stream not in order:  # an input, or in another shard
            return False
        first = scope.open[0][0]
        return first in order and order.index(stream) >= order.index(first)

    def coming(self, stream: str, slot: str, scope: LoopScope) -> str:
        """How far the local time of a stream will still move at this position."""
        if not self.is_open(stream, scope):
            return ""
        if (stream, slot) in scope.open:
            return " + 1"
        will = self.will_extend(stream, slot, scope)
        return f" + (1 if {will} and not {self._had_turn(stream, slot, scope)} else 0)"

    def will_extend(self, stream: str, slot: str, scope: LoopScope) -> str:
        """A test: the instance gets a value at this position. Open ones are taken to get it.

        A stream can be open for the instance that gets its value and for one more that is
        rehearsed; further ones are taken to have none. That ends the search.
        """
        if (stream, slot) in scope.open:
            return "True"
        opened = [s for name, s in scope.open if name == stream]
        known = [f"{slot} == {s}" for s in opened] + [self._had_turn(stream, slot, scope)]
        if len(opened) > 1:
            return f"({' or '.join(known)})"
        result = self.g.code.fresh("h")
        self.g.code.line(f"{result} = {' or '.join(known)}")
        with self.g.code.block(f"if not {result}"):
            self.g.code.line(f"{result} = {self._rehearse(stream, slot, scope)}")
        return result

    def _had_turn(self, stream: str, slot: str, scope: LoopScope) -> str:
        """A test: an instance of the stream whose turn it is has got its value already."""
        if stream != scope.open[0][0] or not self.g.is_template(stream):
            return "False"
        return f"({present(slot)}{self.g.fresh_test(stream, slot)})"

    def over_is_fresh(self, node: Quantified, scope: LoopScope) -> str | None:
        """Freshness of an operator over templates that have not had their turn; else None."""
        later = [t for t in node.templates if self.is_open(t, scope)]
        if not later:
            return None
        return "True" if any(t in dict(scope.open) for t in later) else "False"

    def _rehearse(self, stream: str, slot: str, scope: LoopScope) -> str:
        g, output = self.g, self.g.program.output(stream)
        family = g.family(stream)
        exists, ok, unknown = g.code.fresh("h"), g.code.fresh("k"), g.code.fresh("u")
        for name, initial in ((exists, "False"), (ok, "True"), (unknown, "False")):
            g.code.line(f"{name} = {initial}")
        opened = (*scope.open, (stream, slot))
        inner = LoopScope(family, slot, output, open=opened, ok=ok, rehearsal=unknown)
        active = f"{family.name}_on == 1" if family.is_single else f"{slot} >= 0"
        with g.code.block(f"if {active}"):
            test = due(g, output, replace(inner, reader=None))
            with g.code.block(f"if {test}"):
                self._look_for_value(output.expression, inner)
                g.code.line(f"{exists} = {ok}")
        return exists

    def _look_for_value(self, expression: Expression, scope: LoopScope) -> None:
        """Only what can be without a value is evaluated; each operand for itself."""
        if all(map(_has_value, walk(expression))):
            return
        match expression:
            case Unary() | Binary() | Call() | Chain(logic=None):
                for operand in children(expression):
                    self._look_for_value(operand, scope)
            case _:
                self.g.code.line(f"{scope.rehearsal} = False")
                self.g.value(expression, scope)

    # --- reading an open stream in a rehearsal

    def rehearse_hold(self, node: Hold, slot: str, scope: LoopScope) -> str:
        """The value of now is not known; if there is none, the latest one is."""
        g, stream = self.g, self.g.name(node.target.stream)
        will = self.will_extend(node.target.stream, slot, scope)
        had_turn = self._had_turn(node.target.stream, slot, scope)
        found, test = f"{stream}_val[{slot}]", f"{present(slot)}{stream}_has[{slot}]"
        result = g.code.fresh()
        with g.code.block(f"if {will} and not {had_turn}"):
            g.code.line(f"{scope.rehearsal} = True")
            g.code.line(f"{result} = {ZERO[node.type]}")
        with g.code.block("else"):
            if node.default is not None:
                known = with_default(g, test, found, node.default, scope)
            else:
                known = or_absent(g, had_turn if scope.only_fresh else test, found, node, scope)
            g.code.line(f"{result} = {known}")
        return result

    def rehearse_window(self, node: Window, slot: str, scope: LoopScope) -> str:
        g, result = self.g, self.g.code.fresh()
        will = self.will_extend(node.target.stream, slot, scope)
        had_turn = self._had_turn(node.target.stream, slot, scope)
        with g.code.block(f"if {will} and not {had_turn}"):
            g.code.line(f"{scope.rehearsal} = True")
            g.code.line(f"{result} = {ZERO[node.type]}")
        with g.code.block("else"):
            g.code.line(f"{result} = {read_window(g, node, slot, scope)}")
        return result
