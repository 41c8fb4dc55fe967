"""What all windows have in common: per instance a queue of nodes, oldest first.

A node has `exp`, the last time at which it still counts. Nodes that have left are dropped when the
queue is next written or read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.languages.rtlola.kernel.layout import Extent
from horae.languages.rtlola.kernel.model import WindowUse
from horae.languages.rtlola.kernel.scope import LoopScope
from horae.languages.rtlola.kernel.times import LAST, NEVER
from horae.languages.rtlola.program import Window

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator


class Queue:
    """`of` is the family whose slots index it."""

    def __init__(self, g: Generator, use: WindowUse, of: str) -> None:
        self.g = g
        self.use = use
        self.name = use.name
        self.reach = g.ticks(use.seconds)
        self.is_endless = self.reach >= LAST  # nothing ever leaves
        self.expiry = str(NEVER) if self.is_endless else f"(now + {self.reach})"
        layout = g.layout
        layout.column(f"{self.name}_head", "int64", Extent.SLOTS, of, fill=-1)
        layout.column(f"{self.name}_tail", "int64", Extent.SLOTS, of, fill=-1)
        g.pool(self.name)
        layout.column(f"{self.name}_exp", "int64", Extent.POOL, self.name)

    # --- what windows differ in

    def push(self, slot: str, atom: str, scope: LoopScope) -> None:
        """A new value of the target, at `now`."""
        raise NotImplementedError

    def aggregate(self, node: Window, slot: str, scope: LoopScope, steady: LoopScope) -> str:
        """The aggregate of a queue that is not empty.

        What is kept is brought up to date in the scope `steady`, whether the reader gets a value or not.
        """
        raise NotImplementedError

    def leaving(self, slot: str, scope: LoopScope) -> None:
        """The head is about to leave the window."""

    def dropped(self, slot: str) -> None:
        """The node `n` is not in the queue any more."""

    def emptied(self, slot: str) -> None:
        """Nothing may be left in the queue."""

    def cleared(self, slot: str) -> None:
        """The instance ends."""

    # --- moving

    def evict(self, slot: str, scope: LoopScope) -> None:
        """Drop what has left the window by `now`."""
        head = f"{self.name}_head[{slot}]"
        with self.g.code.block(f"while {head} >= 0 and {self.name}_exp[{head}] < now"):
            self.leaving(slot, scope)
            self._drop_head(slot)
        self.emptied(slot)

    def clear(self, slot: str) -> None:
        """The instance ends: give all nodes back."""
        with self.g.code.block(f"while {self.name}_head[{slot}] >= 0"):
            self._drop_head(slot)
        self.cleared(slot)

    def _drop_head(self, slot: str) -> None:
        code, name = self.g.code, self.name
        code.line(f"n = {name}_head[{slot}]")
        code.line(f"{name}_head[{slot}] = {name}_next[n]")
        with code.block(f"if {name}_head[{slot}] < 0"):
            code.line(f"{name}_tail[{slot}] = -1")
        self.dropped(slot)
        self.g.release(name, "n")

    def append(self, slot: str, expiry: str, *, linked_back: bool = False) -> None:
        """A new node `n` at the end of the queue; its fields are still to be set."""
        code, name = self.g.code, self.name
        self.g.allocate(name, "n")
        code.line(f"{name}_exp[n] = {expiry}")
        code.line(f"{name}_next[n] = -1")
        if linked_back:
            code.line(f"{name}_prev[n] = {name}_tail[{slot}]")
        with code.block(f"if {name}_tail[{slot}] >= 0"):
            code.line(f"{name}_next[{name}_tail[{slot}]] = n")
        with code.block("else"):
            code.line(f"{name}_head[{slot}] = n")
        code.line(f"{name}_tail[{slot}] = n")
