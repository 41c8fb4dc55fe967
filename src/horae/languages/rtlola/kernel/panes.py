"""Windows of partial results: an algebra combines them, and values that leave together share a node.

For a reader with a period, all values that leave at the same tick share one node (a *pane*), so their
number is bounded; the window is exact all the same, because it only slides at ticks, and a value exactly
r old still counts. There are two ways to slide, both O(1) amortised per value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.languages.rtlola.kernel.algebras import Algebra, Atoms, Combine
from horae.languages.rtlola.kernel.layout import Extent
from horae.languages.rtlola.kernel.model import WindowUse
from horae.languages.rtlola.kernel.queues import Queue
from horae.languages.rtlola.kernel.scope import LoopScope
from horae.languages.rtlola.program import Window

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator

_BEFORE_ALL = -(2**63) + 1


class _Panes(Queue):
    def __init__(self, g: Generator, use: WindowUse, of: str, algebra: Algebra) -> None:
        super().__init__(g, use, of)
        self.algebra = algebra
        self.width = len(algebra.dtypes)
        self.pane = 0 if use.pane is None else g.ticks(use.pane)  # 0: every value has its node
        self.phase = "0" if use.pane is None else g.phase(use.pane)
        for i, dtype in enumerate(algebra.dtypes):
            g.layout.column(f"{self.name}_a{i}", dtype, Extent.POOL, self.name)
            g.layout.column(f"{self.name}_s{i}", dtype, Extent.SLOTS, of)

    def _fields(self, node: str) -> Atoms:
        return [f"{self.name}_a{i}[{node}]" for i in range(self.width)]

    def _slot_fields(self, slot: str) -> Atoms:
        return [f"{self.name}_s{i}[{slot}]" for i in range(self.width)]

    def _assign(self, places: Atoms, atoms: Atoms) -> None:
        for place, atom in zip(places, atoms, strict=True):
            self.g.code.line(f"{place} = {atom}")

    def _expiry(self) -> str:
        """The last time at which a value of now counts: for panes, the last tick."""
        if self.is_endless or not self.pane:
            return self.expiry
        return f"({self.expiry} - {self.phase}) // {self.pane} * {self.pane} + {self.phase}"

    def _enter(self, slot: str, lifted: Atoms, scope: LoopScope, *, linked_back: bool) -> None:
        """Put a lifted value into its pane or into a node of its own."""
        code, name = self.g.code, self.name
        if not self.pane:
            self.append(slot, self._expiry(), linked_back=linked_back)
            self._assign(self._fields("n"), lifted)
            return
        code.line(f"e = {self._expiry()}")
        code.line(f"n = {name}_tail[{slot}]")
        with code.block(f"if n >= 0 and {name}_exp[n] == e"):
            self._assign(self._fields("n"), self.algebra.combine(self._fields("n"), lifted, scope))
        with code.block("else"):
            self.append(slot, "e", linked_back=linked_back)
            self._assign(self._fields("n"), lifted)


class TotalWindow(_Panes):
    """Exact algebras keep one total per instance and take out what leaves."""

    def __init__(
        self, g: Generator, use: WindowUse, of: str, algebra: Algebra, subtract: Combine
    ) -> None:
        super().__init__(g, use, of, algebra)
        self._subtract = subtract

    def push(self, slot: str, atom: str, scope: LoopScope) -> None:
        self.evict(slot, scope)
        lifted = self.algebra.lift(atom, scope)
        self._enter(slot, lifted, scope, linked_back=False)
        total = self.algebra.combine(self._slot_fields(slot), lifted, scope)
        self._assign(self._slot_fields(slot), total)

    def aggregate(self, node: Window, slot: str, scope: LoopScope, steady: LoopScope) -> str:
        return self.algebra.finish(self._slot_fields(slot), scope)

    def leaving(self, slot: str, scope: LoopScope) -> None:
        left = self._fields(f"{self.name}_head[{slot}]")
        rest = self._subtract(self._slot_fields(slot), left, scope)
        self._assign(self._slot_fields(slot), rest)

    def emptied(self, slot: str) -> None:
        with self.g.code.block(f"if {self.name}_head[{slot}] < 0"):
            self.cleared(slot)

    def cleared(self, slot: str) -> None:
        self._assign(self._slot_fields(slot), list(self.algebra.neutral))


class SplitWindow(_Panes):
    """The others split the queue at a *bound*, a time fixed by the clock alone.

    The nodes before it hold the combination of all from themselves to the bound, those after it are
    combined in one running prefix. A window is then one combination, and its rounding depends
    on the times of its values alone, not on when it was read.
    """

    def __init__(self, g: Generator, use: WindowUse, of: str, algebra: Algebra) -> None:
        super().__init__(g, use, of, algebra)
        layout, name = g.layout, self.name
        layout.column(f"{name}_prev", "int64", Extent.POOL, name, fill=-1)
        layout.column(f"{name}_bound", "int64", Extent.SLOTS, of, fill=_BEFORE_ALL)
        layout.column(f"{name}_back", "bool", Extent.SLOTS, of)

    def push(self, slot: str, atom: str, scope: LoopScope) -> None:
        code, name = self.g.code, self.name
        self.evict(slot, scope)
        self._move_bound(slot, scope)
        lifted = self.algebra.lift(atom, scope)
        self._enter(slot, lifted, scope, linked_back=True)
        with code.block(f"if {name}_back[{slot}]"):
            prefix = self.algebra.combine(self._slot_fields(slot), lifted, scope)
            self._assign(self._slot_fields(slot), prefix)
        with code.block("else"):
            self._assign(self._slot_fields(slot), lifted)
            code.line(f"{name}_back[{slot}] = True")

    def cleared(self, slot: str) -> None:
        self.g.code.line(f"{self.name}_bound[{slot}] = {_BEFORE_ALL}")
        self.g.code.line(f"{self.name}_back[{slot}] = False")

    def _move_bound(self, slot: str, scope: LoopScope) -> None:
        """When the clock passes the bound, what was behind it becomes the front.

        Nothing leaves a window that is endless: all of it stays behind the bound.
        """
        if self.is_endless:
            return
        code, name = self.g.code, self.name
        step = self.pane or 1
        span = self.reach // step + 1  # steps between two bounds
        steps = f"(now - {self.phase}) // {step}"
        code.line(f"b = -(-({steps}) // {span}) * {span * step} + {self.phase}")
        with code.block(f"if b > {name}_bound[{slot}]"):
            code.line(f"{name}_bound[{slot}] = b")
            code.line(f"{name}_back[{slot}] = False")
            code.line(f"m = {name}_tail[{slot}]")
            with code.block(f"if m >= 0 and {name}_exp[m] >= b"):
                self._assign(self._slot_fields(slot), self._fields("m"))
                code.line(f"{name}_back[{slot}] = True")
                code.line(f"m = {name}_prev[m] if m != {name}_head[{slot}] else -1")
            with code.block(f"while m >= 0 and m != {name}_head[{slot}]"):
                self._fold_into_previous(scope)

    def _fold_into_previous(self, scope: LoopScope) -> None:
        self.g.code.line(f"q = {self.name}_prev[m]")
        both = self.algebra.combine(self._fields("q"), self._fields("m"), scope)
        self._assign(self._fields("q"), both)
        self.g.code.line("m = q")

    def aggregate(self, node: Window, slot: str, scope: LoopScope, steady: LoopScope) -> str:
        """Front and back together."""
        code, name = self.g.code, self.name
        self._move_bound(slot, steady)
        joined = [code.fresh("j") for _ in range(self.width)]
        code.line(f"m = {name}_head[{slot}]")
        with code.block(f"if {name}_exp[m] >= {name}_bound[{slot}]"):
            self._assign(joined, self._slot_fields(slot))
        with code.block(f"elif {name}_back[{slot}]"):
            back = self._slot_fields(slot)
            self._assign(joined, self.algebra.combine(self._fields("m"), back, steady))
        with code.block("else"):
            self._assign(joined, self._fields("m"))
        return self.algebra.finish(joined, scope)
