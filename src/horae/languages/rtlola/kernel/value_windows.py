"""Windows that keep every value: quantiles, and `count(v)`, which counts each distinct one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.languages.rtlola.kernel.layout import Extent
from horae.languages.rtlola.kernel.model import WindowUse
from horae.languages.rtlola.kernel.queues import Queue
from horae.languages.rtlola.kernel.scope import LoopScope
from horae.languages.rtlola.program import BuiltinAggregation, Window

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator


class QuantileWindow(Queue):
    """`median` and `percentile`: the nodes of the queue are those of a tree that orders their values."""

    def __init__(self, g: Generator, use: WindowUse, of: str) -> None:
        super().__init__(g, use, of)
        g.layout.column(f"{self.name}_root", "int64", Extent.SLOTS, of, fill=-1)
        g.layout.column(f"{self.name}_a0", "float64", Extent.POOL, self.name)
        for link in ("left", "right", "parent", "size"):
            g.layout.column(f"{self.name}_{link}", "int64", Extent.POOL, self.name)
        self._links = ", ".join(
            f"{self.name}_{link}" for link in ("left", "right", "parent", "size")
        )

    def push(self, slot: str, atom: str, scope: LoopScope) -> None:
        """Adding 0.0 makes both zeros one: which of them comes first would be left to chance."""
        self.evict(slot, scope)
        self.append(slot, self.expiry)
        code, name, root = self.g.code, self.name, f"{self.name}_root[{slot}]"
        code.line(f"{name}_a0[n] = {atom} + 0.0")
        code.line(f"{root} = tree_insert({root}, n, {name}_a0, {self._links})")

    def dropped(self, slot: str) -> None:
        root = f"{self.name}_root[{slot}]"
        self.g.code.line(f"{root} = tree_remove({root}, n, {self._links})")

    def aggregate(self, node: Window, slot: str, scope: LoopScope, steady: LoopScope) -> str:
        name = self.name
        assert isinstance(node.aggregation, BuiltinAggregation)
        percent = node.aggregation.percent
        fraction = 0.5 if percent is None else percent / 100
        arrays = f"{name}_a0, {name}_left, {name}_right, {name}_size"
        return f"quantile({name}_root[{slot}], {float(fraction)!r}, {arrays})"


class HistogramWindow(Queue):
    """`count(v)`: a table from instance and value to how often it is in the window."""

    def __init__(self, g: Generator, use: WindowUse, of: str) -> None:
        super().__init__(g, use, of)
        self.table = f"{self.name}h"
        g.pool(self.table)
        g.layout.column(f"{self.name}_entry", "int64", Extent.POOL, self.name)
        g.layout.column(f"{self.table}_keys", "int64", Extent.POOL, self.table, width=2)
        g.layout.column(f"{self.table}_count", "int64", Extent.POOL, self.table)
        g.layout.column(f"{self.table}_table", "int64", Extent.TABLE, self.table)

    def push(self, slot: str, atom: str, scope: LoopScope) -> None:
        code, table = self.g.code, self.table
        self.evict(slot, scope)
        entry = self._find(slot, atom)
        with code.block(f"if {entry} < 0"):
            self.g.allocate(table, entry)
            code.line(f"insert({table}_table, {table}_keys, pair, {entry})")
            code.line(f"{table}_count[{entry}] = 0")
        code.line(f"{table}_count[{entry}] += 1")
        self.append(slot, self.expiry)
        code.line(f"{self.name}_entry[n] = {entry}")

    def _find(self, slot: str, atom: str) -> str:
        """The entry of a value of the instance, -1 if there is none."""
        code, entry = self.g.code, self.g.code.fresh("y")
        code.line(f"pair[0] = {slot}")
        code.line(f"pair[1] = {self.g.bits(self.g.type_of(self.use.target), atom)}")
        code.line(f"{entry} = find({self.table}_table, {self.table}_keys, pair)")
        return entry

    def dropped(self, slot: str) -> None:
        code, table = self.g.code, self.table
        code.line(f"y = {self.name}_entry[n]")
        code.line(f"{table}_count[y] -= 1")
        with code.block(f"if {table}_count[y] == 0"):
            code.line(f"remove({table}_table, {table}_keys, y)")
            self.g.release(table, "y")

    def aggregate(self, node: Window, slot: str, scope: LoopScope, steady: LoopScope) -> str:
        assert isinstance(node.aggregation, BuiltinAggregation)
        assert node.aggregation.argument is not None
        entry = self._find(slot, self.g.value(node.aggregation.argument, scope))
        return f"({self.table}_count[{entry}] if {entry} >= 0 else 0)"
