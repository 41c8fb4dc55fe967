"""Offsets that count far back: queues that grow with the data.

Values of a few steps ago are in a ring of fixed size beside each instance (`accesses.py`). A ring for
`a[-1000000000, 0]` would ask for gigabytes before the first row. Here the last values are a queue of
nodes, one longer than the offset, so that its head is what is read; while the stream itself is still to
be extended at this position, that is the node behind the head.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.languages.rtlola.kernel.guards import if_present
from horae.languages.rtlola.kernel.layout import DTYPES, Extent
from horae.languages.rtlola.kernel.model import BacklogUse
from horae.languages.rtlola.kernel.scope import LoopScope
from horae.languages.rtlola.program import Offset

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator


class Backlogs:
    def __init__(self, g: Generator) -> None:
        self.g = g

    def declare(self, use: BacklogUse, of: str) -> None:
        layout, name = self.g.layout, use.name
        layout.column(f"{name}_head", "int64", Extent.SLOTS, of, fill=-1)
        layout.column(f"{name}_tail", "int64", Extent.SLOTS, of, fill=-1)
        layout.column(f"{name}_len", "int64", Extent.SLOTS, of)
        self.g.pool(name)
        layout.column(f"{name}_val", DTYPES[self.g.type_of(use.target)], Extent.POOL, name)

    def push(self, use: BacklogUse, slot: str, atom: str) -> None:
        code, name = self.g.code, use.name
        with code.block(f"if {name}_len[{slot}] > {use.depth}"):
            self._drop_head(use, slot)
        self.g.allocate(name, "n")
        code.line(f"{name}_val[n] = {atom}")
        code.line(f"{name}_next[n] = -1")
        with code.block(f"if {name}_len[{slot}] > 0"):
            code.line(f"{name}_next[{name}_tail[{slot}]] = n")
        with code.block("else"):
            code.line(f"{name}_head[{slot}] = n")
        code.line(f"{name}_tail[{slot}] = n")
        code.line(f"{name}_len[{slot}] += 1")

    def _drop_head(self, use: BacklogUse, slot: str) -> None:
        self.g.code.line(f"n = {use.name}_head[{slot}]")
        self.g.code.line(f"{use.name}_head[{slot}] = {use.name}_next[n]")
        self.g.release(use.name, "n")
        self.g.code.line(f"{use.name}_len[{slot}] -= 1")

    def read(self, node: Offset, slot: str, coming: str, scope: LoopScope) -> str:
        """`coming` is code for how many values the target still gets at this position."""
        code, name = self.g.code, self.g.model.backlog(node).name
        at, result = code.fresh("i"), code.fresh()
        code.line(f"{at} = -1")
        with code.block(if_present(slot)):
            code.line(f"{at} = {name}_len[{slot}] - 1 + {node.offset}{coming}")
        with code.block(f"if {at} < 0"):
            code.line(f"{result} = {self.g.value(node.default, scope)}")
        with code.block(f"elif {at} == 0"):
            code.line(f"{result} = {name}_val[{name}_head[{slot}]]")
        with code.block("else"):
            code.line(f"{result} = {name}_val[{name}_next[{name}_head[{slot}]]]")
        return result

    def clear(self, use: BacklogUse, slot: str) -> None:
        """The instance ends: give all nodes back."""
        with self.g.code.block(f"while {use.name}_len[{slot}] > 0"):
            self._drop_head(use, slot)
