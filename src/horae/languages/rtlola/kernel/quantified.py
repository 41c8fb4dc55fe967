"""`any`, `all` and `count` over instances.

Where the condition reads only latest values of the instance itself, it changes only when that instance
is extended: three counters per operator are kept up to date slot by slot. Otherwise the active
instances are asked one by one whenever the operator is read.

In a sharded plan each shard *exports* the changes of its counters, and the stage that joins the shards
*imports* their sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.languages.rtlola.kernel.families import Family
from horae.languages.rtlola.kernel.layout import Extent
from horae.languages.rtlola.kernel.model import QuantifiedUse
from horae.languages.rtlola.kernel.options import QuantifiedMode
from horae.languages.rtlola.kernel.scope import ZERO, LoopScope
from horae.languages.rtlola.program import Quantified, Quantifier

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator


class Overs:
    def __init__(self, g: Generator) -> None:
        self.g = g

    @property
    def _uses(self) -> tuple[QuantifiedUse, ...]:
        return self.g.model.quantified

    def declare(self) -> None:
        layout = self.g.layout
        for use in self._uses:
            for counter in ("true", "def", "act", "tick"):
                layout.counter(f"{use.name}_{counter}")
            if use.simple and self.g.over_mode is not QuantifiedMode.IMPORT:
                layout.column(f"{use.name}_flag", "int8", Extent.SLOTS, use.family)
                layout.column(f"{use.family}_mark", "int64", Extent.SLOTS, use.family, fill=-1)
                layout.column(f"{use.family}_touched", "int64", Extent.SLOTS, use.family)

    # --- which operators a stream or family concerns

    def watched(self, stream: str) -> bool:
        return any(stream in use.node.templates for use in self._uses)

    def _simple_in(self, family: Family) -> list[QuantifiedUse]:
        return [u for u in self._uses if u.simple and u.family == family.name]

    def touch(self, family: Family, slot: str) -> None:
        """The instance was invoked or extended: its conditions may have changed."""
        if not self._simple_in(family):
            return
        g, name = self.g, family.name
        with g.code.block(f"if {name}_mark[{slot}] != pos"):
            g.code.line(f"{name}_mark[{slot}] = pos")
            g.code.line(f"{name}_touched[{name}_nt] = {slot}")
            g.code.line(f"{name}_nt += 1")

    def forget(self, family: Family, slot: str) -> None:
        """The instance ended."""
        for use in self._simple_in(family):
            if use.node.condition is not None:
                self._count(use, slot, "-")
                self.g.code.line(f"{use.name}_flag[{slot}] = 0")

    def _count(self, use: QuantifiedUse, slot: str, sign: str) -> None:
        flag = f"{use.name}_flag[{slot}]"
        with self.g.code.block(f"if {flag} == 2"):
            self.g.code.line(f"{use.name}_true {sign}= 1")
        with self.g.code.block(f"if {flag} >= 1"):
            self.g.code.line(f"{use.name}_def {sign}= 1")

    # --- after the templates of an operator

    def settled(self) -> list[QuantifiedUse]:
        """The operators whose templates this loop computes."""
        return [u for u in self._uses if u.family and all(map(self.g.computes, u.node.templates))]

    def settle(self, use: QuantifiedUse) -> None:
        """Its templates are done: was an instance invoked, extended or terminated?"""
        g = self.g
        families = sorted({g.family(t).name for t in use.node.templates})
        fresh = [f"{f}_life" for f in families] + [f"e_{g.name(t)}" for t in use.node.templates]
        g.code.line(f"f_{use.name} = {' or '.join(fresh)}")
        if not use.simple or use.node.condition is None:
            return
        with g.code.block(f"if f_{use.name}"), g.code.block(f"for j in range({use.family}_nt)"):
            g.code.line(f"s = {use.family}_touched[j]")
            self._recount(use)

    def _recount(self, use: QuantifiedUse) -> None:
        """Ask one instance again. A slot that was given back in the meantime is not counted."""
        g = self.g
        assert use.node.condition is not None
        with g.code.block(f"if {use.family}_where[s] >= 0"):
            self._count(use, "s", "-")
            g.code.line("ok = True")
            scope = LoopScope(g.model.families[use.family], "s", None)
            held = g.value(use.node.condition, scope)
            g.code.line(f"{use.name}_flag[s] = (2 if {held} else 1) if ok else 0")
            self._count(use, "s", "+")

    # --- reading

    def read(self, node: Quantified, scope: LoopScope) -> str:
        if any(self.g.cycles.is_open(t, scope) for t in node.templates):
            self.g.code.line(f"{scope.rehearsal} = True")
            return ZERO[node.type]
        use = self.g.model.over(node)
        if node.condition is None:
            return self._active(use, scope)
        if not use.simple:
            return self._scan(use, scope)
        return self._verdict(node, f"{use.name}_true", f"{use.name}_def")

    def _active(self, use: QuantifiedUse, scope: LoopScope) -> str:
        if self.g.over_mode is QuantifiedMode.IMPORT:
            return f"{use.name}_act"
        if use.simple:
            return f"{use.family}_act"
        return self._scan(use, scope)

    def _verdict(self, node: Quantified, true: str, defined: str) -> str:
        match node.quantifier:
            case Quantifier.ANY:
                return f"({true} > 0)"
            case Quantifier.ALL:
                return f"({true} == {defined})"
            case Quantifier.COUNT:
                return true

    def _scan(self, use: QuantifiedUse, outer: LoopScope) -> str:
        """Ask all active instances, at the pace of the reader."""
        g, node = self.g, use.node
        true, defined, slot = g.code.fresh("c"), g.code.fresh("c"), g.code.fresh("s")
        g.code.line(f"{true} = 0")
        g.code.line(f"{defined} = 0")
        with g.code.block(f"for j in range({use.family}_act)"):
            g.code.line(f"{slot} = {use.family}_list[j]")
            known = g.code.fresh("k")
            g.code.line(f"{known} = True")
            scope = LoopScope(g.model.families[use.family], slot, outer.reader, ok=known)
            for template in node.templates:
                g.code.line(
                    f"{known} = {known} and {self.slot_for(g.family(template), scope)} >= 0"
                )
            held = "True" if node.condition is None else g.value(node.condition, scope)
            with g.code.block(f"if {known}"):
                g.code.line(f"{defined} += 1")
                g.code.line(f"{true} += 1 if {held} else 0")
        return self._verdict(node, true, defined)

    def slot_for(self, family: Family, scope: LoopScope) -> str:
        """The instance of `family` with the parameters of the instance under consideration."""
        if family.name == scope.family.name:
            return scope.slot
        found, name = self.g.code.fresh("q"), family.name
        key = f"{scope.family.name}_keys[{scope.slot}]"
        self.g.code.line(f"{found} = find({name}_table, {name}_keys, {key})")
        return found

    # --- between shards

    def write_import(self) -> None:
        """Take the changes of the counters from the record at this position."""
        for i, use in enumerate(self._uses):
            self.g.code.line(f"f_{use.name} = is_record and rec_touched[row, {i}]")
            with self.g.code.block("if is_record"):
                for counter, column in (("true", 0), ("def", 1), ("act", 2), ("tick", 3)):
                    self.g.code.line(f"{use.name}_{counter} += rec_delta[row, {4 * i + column}]")
            period = use.period
            if period is not None:
                with self.g.code.block(f"if {self.g.tick_flag(period)} and {use.name}_tick > 0"):
                    self.g.code.line(f"f_{use.name} = True")

    def write_export(self) -> None:
        """One record where an operator is evaluated; at its own ticks only if it changed."""
        g = self.g
        fresh = " or ".join(f"f_{u.name}" for u in self._uses)
        g.code.line(f"touched = {fresh}")
        for i, use in enumerate(self._uses):
            true, defined = f"{use.name}_true", f"{use.name}_def"
            period = use.period
            g.code.line(f"level[{4 * i}] = {true}")
            g.code.line(f"level[{4 * i + 1}] = {defined}")
            g.code.line(f"level[{4 * i + 2}] = {use.family}_act")
            if period is not None:
                with g.code.block(f"if {g.tick_flag(period)}"):
                    g.code.line(f"level[{4 * i + 3}] = 1 if f_{use.name} else 0")
        g.code.line("changed = touched and is_row")
        for use in self._uses:
            own = "False" if use.period is None else g.tick_flag(use.period)
            g.code.line(f"changed = changed or (f_{use.name} and not {own})")
        with g.code.block(f"for j in range({4 * len(self._uses)})"):
            g.code.line("changed = changed or level[j] != sent[j]")
        with g.code.block("if changed"):
            self._write_record()

    def _write_record(self) -> None:
        g = self.g
        g.code.line("rec_time[rec_n] = now")
        g.code.line("rec_row[rec_n] = row if is_row else -1")
        for i, use in enumerate(self._uses):
            g.code.line(f"rec_touched[rec_n, {i}] = f_{use.name}")
        with g.code.block(f"for j in range({4 * len(self._uses)})"):
            g.code.line("rec_delta[rec_n, j] = level[j] - sent[j]")
            g.code.line("sent[j] = level[j]")
        g.code.line("rec_n += 1")
