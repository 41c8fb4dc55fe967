"""Sliding windows, kept on the stream that is read: which kind each is, writing and reading them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from horae.languages.rtlola.kernel.algebras import algebra, keeps_values
from horae.languages.rtlola.kernel.guards import if_present
from horae.languages.rtlola.kernel.model import WindowUse
from horae.languages.rtlola.kernel.panes import SplitWindow, TotalWindow
from horae.languages.rtlola.kernel.queues import Queue
from horae.languages.rtlola.kernel.scope import ZERO, LoopScope
from horae.languages.rtlola.kernel.value_windows import HistogramWindow, QuantileWindow
from horae.languages.rtlola.program import Window

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator


class Windows:
    def __init__(self, g: Generator) -> None:
        self.g = g
        self._queues: dict[str, Queue] = {}

    def declare(self, use: WindowUse, of: str, node: Window) -> None:
        """Register one window; `of` is the family whose slots index it."""
        self._queues[use.name] = self._queue(use, of, node)

    def _queue(self, use: WindowUse, of: str, node: Window) -> Queue:
        if use.is_histogram:
            return HistogramWindow(self.g, use, of)
        if keeps_values(use.aggregation):
            return QuantileWindow(self.g, use, of)
        rules = algebra(self.g, use.aggregation, self.g.type_of(use.target), node)
        if rules.subtract is not None:
            return TotalWindow(self.g, use, of, rules, rules.subtract)
        return SplitWindow(self.g, use, of, rules)

    def push(self, use: WindowUse, slot: str, atom: str, scope: LoopScope) -> None:
        """A new value of the target, at `now`."""
        self._queues[use.name].push(slot, atom, self._steady(scope))

    def read(self, node: Window, slot: str, scope: LoopScope) -> tuple[str, str]:
        """A test whether the window holds a value, and the aggregate (valid if it does)."""
        code, queue = self.g.code, self._queues[self.g.model.window(node, scope.reader).name]
        result, filled = code.fresh(), code.fresh("full")
        code.line(f"{filled} = False")
        code.line(f"{result} = {ZERO[node.type]}")
        with code.block(if_present(slot)):
            steady = self._steady(scope)
            queue.evict(slot, steady)
            with code.block(f"if {queue.name}_head[{slot}] >= 0"):
                code.line(f"{filled} = True")
                code.line(f"{result} = {queue.aggregate(node, slot, scope, steady)}")
        return filled, result

    def clear(self, use: WindowUse, slot: str) -> None:
        """The instance ends: give all nodes back."""
        self._queues[use.name].clear(slot)

    def _steady(self, scope: LoopScope) -> LoopScope:
        """Partial results are kept up to date whether or not the reader gets a value."""
        self.g.code.line("sound = True")
        return replace(scope, ok="sound", rehearsal=None)
