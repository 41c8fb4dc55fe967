"""Real-time offsets into the past: queues of values on the stream that is read.

A node holds a value and `vis`, the first time at which it is at least r old. Of the values that become
visible to a fixed-rate reader at the same tick only the last is ever read, so only that is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.languages.rtlola.kernel.layout import DTYPES, Extent
from horae.languages.rtlola.kernel.model import LagUse
from horae.languages.rtlola.kernel.scope import LoopScope
from horae.languages.rtlola.kernel.times import later_time
from horae.languages.rtlola.program import TimeOffset

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator


class Lags:
    def __init__(self, g: Generator) -> None:
        self.g = g

    def declare(self, use: LagUse, of: str) -> None:
        layout, name = self.g.layout, use.name
        layout.column(f"{name}_head", "int64", Extent.SLOTS, of, fill=-1)
        layout.column(f"{name}_tail", "int64", Extent.SLOTS, of, fill=-1)
        self.g.pool(name)
        layout.column(f"{name}_vis", "int64", Extent.POOL, name)
        layout.column(f"{name}_val", DTYPES[self.g.type_of(use.target)], Extent.POOL, name)

    def _next_reading(self, use: LagUse, ticks: int) -> None:
        """`e` becomes the first time at which the reader can look, so many ticks from now on."""
        code = self.g.code
        code.line(f"e = {later_time('now', ticks)}")
        if use.pane is not None:
            code.line(f"gap = ({self.g.phase(use.pane)} - e) % {self.g.ticks(use.pane)}")
            code.line(f"e = {later_time('e', 'gap')}")

    def push(self, use: LagUse, slot: str, atom: str) -> None:
        g, name = self.g, use.name
        self._next_reading(use, 0)
        self._drop_older(use, slot, "e")
        self._next_reading(use, g.ticks(use.seconds))
        g.code.line(f"n = {name}_tail[{slot}]")
        with g.code.block(f"if n < 0 or {name}_vis[n] != e"):
            g.allocate(name, "n")
            g.code.line(f"{name}_vis[n] = e")
            g.code.line(f"{name}_next[n] = -1")
            with g.code.block(f"if {name}_tail[{slot}] >= 0"):
                g.code.line(f"{name}_next[{name}_tail[{slot}]] = n")
            with g.code.block("else"):
                g.code.line(f"{name}_head[{slot}] = n")
            g.code.line(f"{name}_tail[{slot}] = n")
        g.code.line(f"{name}_val[n] = {atom}")

    def _drop_older(self, use: LagUse, slot: str, time: str) -> None:
        """Of the values that are visible at a time keep one: the latest of them."""
        g, name = self.g, use.name
        following = f"{name}_next[{name}_head[{slot}]]"
        test = (
            f"{name}_head[{slot}] >= 0 and {following} >= 0 and {name}_vis[{following}] <= {time}"
        )
        with g.code.block(f"while {test}"):
            self._drop_head(use, slot)

    def _drop_head(self, use: LagUse, slot: str) -> None:
        g, name = self.g, use.name
        g.code.line(f"n = {name}_head[{slot}]")
        g.code.line(f"{name}_head[{slot}] = {name}_next[n]")
        g.release(name, "n")

    def read(self, node: TimeOffset, slot: str, scope: LoopScope) -> str:
        """The node of the value that is read, -1 if there is none."""
        g, use = self.g, self.g.model.lag(node, scope.reader)
        found = g.code.fresh("n")
        g.code.line(f"{found} = -1")
        with g.code.block(f"if {slot} >= 0" if slot != "0" else "if True"):
            self._drop_older(use, slot, "now")
            g.code.line(f"{found} = {use.name}_head[{slot}]")
            with g.code.block(f"if {found} >= 0 and {use.name}_vis[{found}] > now"):
                g.code.line(f"{found} = -1")
        return found

    def found(self, node: TimeOffset, scope: LoopScope, at: str) -> str:
        return f"{self.g.model.lag(node, scope.reader).name}_val[{at}]"

    def clear(self, use: LagUse, slot: str) -> None:
        """The instance ends: give all nodes back."""
        with self.g.code.block(f"while {use.name}_head[{slot}] >= 0"):
            self._drop_head(use, slot)
        self.g.code.line(f"{use.name}_tail[{slot}] = -1")
