"""Sliding windows: queues of partial results on the stream that is read.

A node holds a partial result and `exp`, the last time at which it still counts. For a reader with a
period, all values that leave at the same tick share one node (a *pane*), so their number is bounded;
the window is exact all the same, because it only slides at ticks, and a value exactly r old still
counts.

Two ways to slide, both O(1) amortised per value:

- integer algebras keep one total per instance and subtract what leaves;
- the others split the queue at a *bound*, a time fixed by the clock alone: the nodes before it hold the
  combination of all from themselves to the bound, those after it are combined in one running prefix. A
  window is then one combination, and its rounding depends on the times of its values alone,
  not on when it was read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from horae.kernels.rtlola.accesses import counted
from horae.kernels.rtlola.algebras import Algebra, algebra, keeps_values
from horae.kernels.rtlola.guards import if_present
from horae.kernels.rtlola.layout import Extent
from horae.kernels.rtlola.model import WindowUse
from horae.kernels.rtlola.scope import ZERO, Scope
from horae.languages.rtlola.program import BuiltinAggregation, Window

if TYPE_CHECKING:
    from horae.kernels.rtlola.generator import Generator


@dataclass(frozen=True, slots=True)
class _Sliding:
    use: WindowUse
    algebra: Algebra
    reach: int  # ticks
    pane: int  # ticks; 0: every value is a node of its own

    @property
    def step(self) -> int:
        return self.pane or 1

    @property
    def span(self) -> int:
        """How many steps lie between two bounds."""
        return self.reach // self.step + 1


class Windows:
    def __init__(self, g: Generator) -> None:
        self.g = g
        self._sliding: dict[str, _Sliding] = {}

    # --- declarations

    def declare(self, use: WindowUse, of: str, node: Window) -> None:
        """Register the arrays of one window; `of` is the family whose slots index it."""
        layout, name = self.g.layout, use.name
        layout.column(f"{name}_head", "int64", Extent.SLOTS, of, fill=-1)
        layout.column(f"{name}_tail", "int64", Extent.SLOTS, of, fill=-1)
        self.g.pool(name)
        layout.column(f"{name}_exp", "int64", Extent.POOL, name)
        if use.is_histogram:
            self._declare_histogram(use)
        elif keeps_values(use.aggregation):
            layout.column(f"{name}_len", "int64", Extent.SLOTS, of)
            layout.column(f"{name}_a0", "float64", Extent.POOL, name)
        else:
            self._declare_sliding(use, of, node)

    def _declare_histogram(self, use: WindowUse) -> None:
        layout, name = self.g.layout, use.name
        self.g.pool(f"{name}h")
        layout.column(f"{name}_entry", "int64", Extent.POOL, name)
        layout.column(f"{name}h_keys", "int64", Extent.POOL, f"{name}h", width=2)
        layout.column(f"{name}h_count", "int64", Extent.POOL, f"{name}h")
        layout.column(f"{name}h_table", "int64", Extent.TABLE, f"{name}h")

    def _declare_sliding(self, use: WindowUse, of: str, node: Window) -> None:
        layout, name = self.g.layout, use.name
        kind = self.g.type_of(use.target)
        rules = algebra(self.g, use.aggregation, kind, node)
        pane = self.g.ticks(use.pane) if use.pane is not None else 0
        self._sliding[name] = _Sliding(use, rules, self.g.ticks(use.seconds), pane)
        for i, dtype in enumerate(rules.dtypes):
            layout.column(f"{name}_a{i}", dtype, Extent.POOL, name)
            layout.column(f"{name}_s{i}", dtype, Extent.SLOTS, of)
        if rules.subtract is None:
            layout.column(f"{name}_prev", "int64", Extent.POOL, name, fill=-1)
            layout.column(f"{name}_bound", "int64", Extent.SLOTS, of, fill=-(2**62))
            layout.column(f"{name}_back", "bool", Extent.SLOTS, of)

    # --- what happens to a window

    def push(self, use: WindowUse, slot: str, atom: str, scope: Scope) -> None:
        """A new value of the target, at `now`."""
        scope = self._steady(scope)
        if use.is_histogram:
            self._push_histogram(use, slot, atom)
        elif keeps_values(use.aggregation):
            self._push_value(use, slot, atom)
        elif self._sliding[use.name].algebra.subtract is not None:
            self._push_total(self._sliding[use.name], slot, atom, scope)
        else:
            self._push_split(self._sliding[use.name], slot, atom, scope)

    def read(self, node: Window, slot: str, scope: Scope) -> tuple[str, str]:
        """A test whether the window holds a value, and the aggregate (valid if it does)."""
        argument = counted(self.g, node, scope)
        g, use = self.g, self.g.model.window(node, scope.reader)
        result, filled = g.code.fresh(), g.code.fresh("full")
        g.code.line(f"{filled} = False")
        g.code.line(f"{result} = {ZERO[node.type]}")
        with g.code.block(if_present(slot)):
            self._evict(use, slot, self._steady(scope))
            with g.code.block(f"if {use.name}_head[{slot}] >= 0"):
                g.code.line(f"{filled} = True")
                g.code.line(f"{result} = {self._aggregate(use, node, slot, argument, scope)}")
        return filled, result

    def _steady(self, scope: Scope) -> Scope:
        """Partial results are kept up to date whether or not the reader gets a value."""
        self.g.code.line("sound = True")
        return replace(scope, ok="sound", rehearsal=None)

    def clear(self, use: WindowUse, slot: str) -> None:
        """The instance ends: give all nodes back."""
        name = use.name
        with self.g.code.block(f"while {name}_head[{slot}] >= 0"):
            self._drop_head(use, slot)
        for i in range(len(self._totals(use))):
            self.g.code.line(f"{name}_s{i}[{slot}] = {self._totals(use)[i]}")
        if name in self._sliding and self._sliding[name].algebra.subtract is None:
            self.g.code.line(f"{name}_bound[{slot}] = {-(2**62)}")
            self.g.code.line(f"{name}_back[{slot}] = False")

    def _totals(self, use: WindowUse) -> tuple[str, ...]:
        sliding = self._sliding.get(use.name)
        return sliding.algebra.neutral if sliding and sliding.algebra.subtract else ()

    # --- queues

    def _drop_head(self, use: WindowUse, slot: str) -> None:
        g, name = self.g, use.name
        g.code.line(f"n = {name}_head[{slot}]")
        g.code.line(f"{name}_head[{slot}] = {name}_next[n]")
        with g.code.block(f"if {name}_head[{slot}] < 0"):
            g.code.line(f"{name}_tail[{slot}] = -1")
        if use.is_histogram:
            self._forget_entry(use)
        elif keeps_values(use.aggregation):
            g.code.line(f"{name}_len[{slot}] -= 1")
        g.release(name, "n")

    def _evict(self, use: WindowUse, slot: str, scope: Scope) -> None:
        """Drop what has left the window by `now`."""
        g, name = self.g, use.name
        test = f"while {name}_head[{slot}] >= 0 and {name}_exp[{name}_head[{slot}]] < now"
        with g.code.block(test):
            sliding = self._sliding.get(name)
            if sliding and sliding.algebra.subtract is not None:
                self._subtract_head(sliding, slot, scope)
            self._drop_head(use, slot)
        if self._totals(use):
            with g.code.block(f"if {name}_head[{slot}] < 0"):
                for i, neutral in enumerate(self._totals(use)):
                    g.code.line(f"{name}_s{i}[{slot}] = {neutral}")

    def _append(self, use: WindowUse, slot: str, expiry: str, *, linked_back: bool = False) -> None:
        """A new node `n` at the end of the queue; its fields are still to be set."""
        g, name = self.g, use.name
        g.allocate(name, "n")
        g.code.line(f"{name}_exp[n] = {expiry}")
        g.code.line(f"{name}_next[n] = -1")
        if linked_back:
            g.code.line(f"{name}_prev[n] = {name}_tail[{slot}]")
        with g.code.block(f"if {name}_tail[{slot}] >= 0"):
            g.code.line(f"{name}_next[{name}_tail[{slot}]] = n")
        with g.code.block("else"):
            g.code.line(f"{name}_head[{slot}] = n")
        g.code.line(f"{name}_tail[{slot}] = n")

    def _expiry(self, w: _Sliding) -> str:
        """The last time at which a value of now counts: for panes, the last tick."""
        if not w.pane:
            return f"now + {w.reach}"
        origin = self.g.origin
        return f"(now + {w.reach - origin}) // {w.pane} * {w.pane} + {origin}"

    def _fields(self, name: str, node: str, count: int) -> list[str]:
        return [f"{name}_a{i}[{node}]" for i in range(count)]

    def _store(self, prefix: str, index: str, atoms: list[str]) -> None:
        for i, atom in enumerate(atoms):
            self.g.code.line(f"{prefix}{i}[{index}] = {atom}")

    # --- totals

    def _slot_fields(self, w: _Sliding, slot: str) -> list[str]:
        return [f"{w.use.name}_s{i}[{slot}]" for i in range(len(w.algebra.dtypes))]

    def _subtract_head(self, w: _Sliding, slot: str, scope: Scope) -> None:
        name = w.use.name
        left = self._fields(name, f"{name}_head[{slot}]", len(w.algebra.dtypes))
        assert w.algebra.subtract is not None
        rest = w.algebra.subtract(self._slot_fields(w, slot), left, scope)
        self._store(f"{name}_s", slot, rest)

    def _push_total(self, w: _Sliding, slot: str, atom: str, scope: Scope) -> None:
        name = w.use.name
        self._evict(w.use, slot, scope)
        lifted = w.algebra.lift(atom, scope)
        self._enter(w, slot, lifted, scope)
        total = w.algebra.combine(self._slot_fields(w, slot), lifted, scope)
        self._store(f"{name}_s", slot, total)

    def _enter(self, w: _Sliding, slot: str, lifted: list[str], scope: Scope) -> None:
        """Put a lifted value into its pane or into a node of its own."""
        g, name = self.g, w.use.name
        linked = w.algebra.subtract is None
        if not w.pane:
            self._append(w.use, slot, self._expiry(w), linked_back=linked)
            self._store(f"{name}_a", "n", lifted)
            return
        g.code.line(f"e = {self._expiry(w)}")
        g.code.line(f"n = {name}_tail[{slot}]")
        with g.code.block(f"if n >= 0 and {name}_exp[n] == e"):
            mine = self._fields(name, "n", len(lifted))
            self._store(f"{name}_a", "n", w.algebra.combine(mine, lifted, scope))
        with g.code.block("else"):
            self._append(w.use, slot, "e", linked_back=linked)
            self._store(f"{name}_a", "n", lifted)

    # --- split queues

    def _push_split(self, w: _Sliding, slot: str, atom: str, scope: Scope) -> None:
        g, name = self.g, w.use.name
        self._evict(w.use, slot, scope)
        self._move_bound(w, slot, scope)
        lifted = w.algebra.lift(atom, scope)
        self._enter(w, slot, lifted, scope)
        with g.code.block(f"if {name}_back[{slot}]"):
            prefix = w.algebra.combine(self._slot_fields(w, slot), lifted, scope)
            self._store(f"{name}_s", slot, prefix)
        with g.code.block("else"):
            self._store(f"{name}_s", slot, lifted)
            g.code.line(f"{name}_back[{slot}] = True")

    def _move_bound(self, w: _Sliding, slot: str, scope: Scope) -> None:
        """When the clock passes the bound, what was behind it becomes the front."""
        g, name, origin = self.g, w.use.name, self.g.origin
        step = f"(now - {origin}) // {w.step}"
        g.code.line(f"b = -(-({step}) // {w.span}) * {w.span * w.step} + {origin}")
        with g.code.block(f"if b > {name}_bound[{slot}]"):
            g.code.line(f"{name}_bound[{slot}] = b")
            g.code.line(f"{name}_back[{slot}] = False")
            g.code.line(f"m = {name}_tail[{slot}]")
            with g.code.block(f"if m >= 0 and {name}_exp[m] >= b"):
                self._store(f"{name}_s", slot, self._fields(name, "m", len(w.algebra.dtypes)))
                g.code.line(f"{name}_back[{slot}] = True")
                g.code.line(f"m = {name}_prev[m] if m != {name}_head[{slot}] else -1")
            with g.code.block(f"while m >= 0 and m != {name}_head[{slot}]"):
                self._fold_into_previous(w, scope)

    def _fold_into_previous(self, w: _Sliding, scope: Scope) -> None:
        name, width = w.use.name, len(w.algebra.dtypes)
        self.g.code.line(f"q = {name}_prev[m]")
        both = w.algebra.combine(
            self._fields(name, "q", width), self._fields(name, "m", width), scope
        )
        self._store(f"{name}_a", "q", both)
        self.g.code.line("m = q")

    def _aggregate(
        self, use: WindowUse, node: Window, slot: str, argument: str | None, scope: Scope
    ) -> str:
        if use.is_histogram:
            assert argument is not None
            return self._count_equal(use, slot, argument)
        if keeps_values(use.aggregation):
            return self._quantile(use, node, slot)
        w = self._sliding[use.name]
        if w.algebra.subtract is not None:
            return w.algebra.finish(self._slot_fields(w, slot), scope)
        return w.algebra.finish(self._joined(w, slot, scope), scope)

    def _joined(self, w: _Sliding, slot: str, scope: Scope) -> list[str]:
        """Front and back together."""
        g, name = self.g, w.use.name
        width = len(w.algebra.dtypes)
        scope = self._steady(scope)
        self._move_bound(w, slot, scope)
        names = [g.code.fresh("j") for _ in range(width)]
        g.code.line(f"m = {name}_head[{slot}]")
        with g.code.block(f"if {name}_exp[m] >= {name}_bound[{slot}]"):
            self._assign(names, self._slot_fields(w, slot))
        with g.code.block(f"elif {name}_back[{slot}]"):
            front = self._fields(name, "m", width)
            self._assign(names, w.algebra.combine(front, self._slot_fields(w, slot), scope))
        with g.code.block("else"):
            self._assign(names, self._fields(name, "m", width))
        return names

    def _assign(self, names: list[str], atoms: list[str]) -> None:
        for name, atom in zip(names, atoms, strict=True):
            self.g.code.line(f"{name} = {atom}")

    # --- values and histograms

    def _push_value(self, use: WindowUse, slot: str, atom: str) -> None:
        name = use.name
        self._evict(use, slot, Scope(self.g.root, "0", None))
        self._append(use, slot, f"now + {self.g.ticks(use.seconds)}")
        self.g.code.line(f"{name}_a0[n] = {atom}")
        self.g.code.line(f"{name}_len[{slot}] += 1")

    def _quantile(self, use: WindowUse, node: Window, slot: str) -> str:
        g, name = self.g, use.name
        assert isinstance(node.aggregation, BuiltinAggregation)
        percent = node.aggregation.percent
        g.code.line(f"buffer = np.empty({name}_len[{slot}], np.float64)")
        g.code.line(f"m = {name}_head[{slot}]")
        g.code.line("i = 0")
        with g.code.block("while m >= 0"):
            g.code.line(f"buffer[i] = {name}_a0[m]")
            g.code.line(f"m = {name}_next[m]")
            g.code.line("i += 1")
        fraction = 0.5 if percent is None else percent / 100
        return f"quantile(buffer, i, {float(fraction)!r})"

    def _push_histogram(self, use: WindowUse, slot: str, atom: str) -> None:
        g, name = self.g, use.name
        self._evict(use, slot, Scope(g.root, "0", None))
        entry = self._entry(use, slot, atom)
        with g.code.block(f"if {entry} < 0"):
            g.allocate(f"{name}h", entry)
            g.code.line(f"insert({name}h_table, {name}h_keys, pair, {entry})")
            g.code.line(f"{name}h_count[{entry}] = 0")
        g.code.line(f"{name}h_count[{entry}] += 1")
        self._append(use, slot, f"now + {g.ticks(use.seconds)}")
        g.code.line(f"{name}_entry[n] = {entry}")

    def _entry(self, use: WindowUse, slot: str, atom: str) -> str:
        g, name = self.g, use.name
        entry = g.code.fresh("y")
        g.code.line(f"pair[0] = {slot}")
        g.code.line(f"pair[1] = {g.bits(g.type_of(use.target), atom)}")
        g.code.line(f"{entry} = find({name}h_table, {name}h_keys, pair)")
        return entry

    def _forget_entry(self, use: WindowUse) -> None:
        g, name = self.g, use.name
        g.code.line(f"y = {name}_entry[n]")
        g.code.line(f"{name}h_count[y] -= 1")
        with g.code.block(f"if {name}h_count[y] == 0"):
            g.code.line(f"remove({name}h_table, {name}h_keys, y)")
            g.release(f"{name}h", "y")

    def _count_equal(self, use: WindowUse, slot: str, argument: str) -> str:
        entry = self._entry(use, slot, argument)
        return f"({use.name}h_count[{entry}] if {entry} >= 0 else 0)"
