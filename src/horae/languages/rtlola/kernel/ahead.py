"""Looking into the future: a loop that runs behind another one reads what that one recorded.

A specification that looks ahead is evaluated by a cascade of loops over the same input. The first
one runs at the front and knows everything but what looks ahead; it records the values of the streams
that are looked into, chained per life of an instance. The next one follows when enough is known. It
computes the same values again, so "the latest value" is a place in the chain, and the future is what
comes after it. What the follower has passed it gives back to the loop in front.

A chain starts with a record that holds no value. The starts of the lives of a template form a queue:
both loops invoke in the same order, so the follower takes the next start whenever it invokes.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from horae.languages.rtlola.kernel.families import Family
from horae.languages.rtlola.kernel.guards import if_present
from horae.languages.rtlola.kernel.layout import DTYPES, Extent
from horae.languages.rtlola.kernel.scope import LoopScope
from horae.languages.rtlola.kernel.times import later_time
from horae.languages.rtlola.program import Offset, TimeOffset

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator


class Ahead:
    def __init__(self, g: Generator) -> None:
        self.g = g

    @cached_property
    def streams(self) -> list[str]:
        """The streams that are looked into and that this loop computes."""
        return [s for s in sorted(self.g.model.lookahead) if self.g.computes(s)]

    @cached_property
    def recorded(self) -> list[str]:
        """The streams that this loop records for the one behind it."""
        return [] if self.g.options.is_last else self.streams

    @cached_property
    def _followed(self) -> list[str]:
        """The streams that the loop in front has recorded."""
        layer = self.g.options.layer
        return [s for s in self.streams if self.g.layer_of(s) < layer]

    def _has_lives(self, stream: str) -> bool:
        return stream not in self.g.input_names and not self.g.family(stream).is_root

    # --- declarations

    def declare(self) -> None:
        for stream in self.recorded:
            self._declare_records(stream)
        for stream in self._followed:
            name, first = self.g.name(stream), -1 if self._has_lives(stream) else 0
            column = f"{name}_cur"
            self.g.layout.column(column, "int64", Extent.SLOTS, self.g.slots_of(stream), fill=first)
            if self._has_lives(stream):
                self.g.layout.counter(f"{name}_start")

    def _declare_records(self, stream: str) -> None:
        layout, name, of = self.g.layout, self.g.name(stream), self.g.slots_of(stream)
        pool, starts = f"ah_{name}", f"as_{name}"
        layout.column(f"{name}_last", "int64", Extent.SLOTS, of)
        self._declare_pool(pool)
        layout.column(f"{pool}_time", "int64", Extent.POOL, pool)
        layout.column(f"{pool}_val", DTYPES[self.g.type_of(stream)], Extent.POOL, pool)
        if self._has_lives(stream):
            self._declare_pool(starts)
            layout.column(f"{starts}_of", "int64", Extent.POOL, starts)
            layout.counter(f"{starts}_last")

    def _declare_pool(self, pool: str) -> None:
        """`shared` holds the first free node and the number in use; node 0 is in use at first."""
        layout = self.g.layout
        layout.column(f"{pool}_next", "int64", Extent.POOL, pool, fill=-1)
        layout.fixed(f"{pool}_shared", "int64", (-1, 1))
        layout.counter(f"{pool}_n", 1)

    def pools(self, stream: str) -> list[str]:
        """The pools of a recorded stream."""
        name = self.g.name(stream)
        return [f"ah_{name}", f"as_{name}"] if self._has_lives(stream) else [f"ah_{name}"]

    def inputs(self) -> list[str]:
        """The arrays of the loop in front that this one reads."""
        found = []
        for stream in self._followed:
            name = self.g.name(stream)
            found += [f"ah_{name}_{column}" for column in ("next", "time", "val", "shared")]
            if self._has_lives(stream):
                found += [f"as_{name}_{column}" for column in ("next", "of", "shared")]
        return found

    # --- writing

    def on_invoke(self, family: Family, slot: str) -> None:
        """A new life: the loop in front queues the start of its chain, this one takes it."""
        for stream in self._members(family, self.recorded):
            name, starts = self.g.name(stream), f"as_{self.g.name(stream)}"
            self._take(f"ah_{name}", "r")
            self.g.code.line(f"{name}_last[{slot}] = r")
            self._take(starts, "n")
            self.g.code.line(f"{starts}_of[n] = r")
            self.g.code.line(f"{starts}_next[{starts}_last] = n")
            self.g.code.line(f"{starts}_last = n")
        for stream in self._members(family, self._followed):
            name = self.g.name(stream)
            self._step(f"as_{name}", f"{name}_start")
            self.g.code.line(f"{name}_cur[{slot}] = in_as_{name}_of[{name}_start]")

    def on_end(self, family: Family, slot: str) -> None:
        """The life is over and so is its chain."""
        for stream in self._members(family, self._followed):
            name = self.g.name(stream)
            self._give_back(f"ah_{name}", f"{name}_cur[{slot}]")
            self.g.code.line(f"{name}_cur[{slot}] = -1")

    def _members(self, family: Family, streams: list[str]) -> list[str]:
        return [s for s in streams if s in family.members and self._has_lives(s)]

    def on_extend(self, stream: str, slot: str, atom: str) -> None:
        name = self.g.name(stream)
        if stream in self.recorded:
            self._take(f"ah_{name}", "r")
            self.g.code.line(f"ah_{name}_time[r] = now")
            self.g.code.line(f"ah_{name}_val[r] = {atom}")
            self.g.code.line(f"ah_{name}_next[{name}_last[{slot}]] = r")
            self.g.code.line(f"{name}_last[{slot}] = r")
        if stream in self._followed:
            self._step(f"ah_{name}", f"{name}_cur[{slot}]")

    def _take(self, pool: str, variable: str) -> None:
        """A free node of a pool that the loop behind gives nodes back to."""
        code, shared = self.g.code, f"{pool}_shared"
        code.line(f"{variable} = {shared}[0]")
        with code.block(f"if {variable} >= 0"):
            code.line(f"{shared}[0] = {pool}_next[{variable}]")
        with code.block("else"):
            code.line(f"{variable} = {pool}_n")
            code.line(f"{pool}_n += 1")
        code.line(f"{shared}[1] += 1")
        code.line(f"{pool}_next[{variable}] = -1")

    def _step(self, pool: str, place: str) -> None:
        """Go on to the next node and give back the one before."""
        self.g.code.line(f"r = {place}")
        self.g.code.line(f"{place} = in_{pool}_next[r]")
        self._give_back(pool, "r")

    def _give_back(self, pool: str, node: str) -> None:
        code, shared = self.g.code, f"in_{pool}_shared"
        code.line(f"in_{pool}_next[{node}] = {shared}[0]")
        code.line(f"{shared}[0] = {node}")
        code.line(f"{shared}[1] -= 1")

    # --- reading

    def discrete(self, node: Offset, slot: str, scope: LoopScope) -> str:
        name, code = self.g.name(node.target.stream), self.g.code
        at = code.fresh("m")
        code.line(f"{at} = -1")
        with code.block(if_present(slot)):
            code.line(f"{at} = {name}_cur[{slot}]")
            left = code.fresh("j")
            code.line(f"{left} = {node.offset}")
            with code.block(f"while {left} > 0 and {at} >= 0"):
                code.line(f"{at} = in_ah_{name}_next[{at}]")
                code.line(f"{left} -= 1")
        return self._choose(f"{at} >= 0", f"in_ah_{name}_val[{at}]", node, slot, scope)

    def timed(self, node: TimeOffset, slot: str, scope: LoopScope) -> str:
        name, code = self.g.name(node.target.stream), self.g.code
        best, at = code.fresh("m"), code.fresh("m")
        code.line(f"{best} = -1")
        present = "True" if slot == "0" else f"{slot} >= 0"
        with code.block(f"if {present} and {name}_cur[{slot}] >= 0"):
            code.line(f"{at} = in_ah_{name}_next[{name}_cur[{slot}]]")
            limit = later_time("now", self.g.ticks(node.seconds))
            with code.block(f"while {at} >= 0 and in_ah_{name}_time[{at}] <= {limit}"):
                code.line(f"{best} = {at}")
                code.line(f"{at} = in_ah_{name}_next[{at}]")
        return self._choose(f"{best} >= 0", f"in_ah_{name}_val[{best}]", node, slot, scope)

    def _choose(
        self, test: str, found: str, node: Offset | TimeOffset, slot: str, scope: LoopScope
    ) -> str:
        """What was found ahead; for a real-time offset else the latest value; else the default."""
        code, name = self.g.code, self.g.name(node.target.stream)
        result = code.fresh()
        with code.block(f"if {test}"):
            code.line(f"{result} = {found}")
        if isinstance(node, TimeOffset):
            present = "" if slot == "0" else f"{slot} >= 0 and "
            with code.block(f"elif {present}{name}_has[{slot}]"):
                code.line(f"{result} = {name}_val[{slot}]")
        with code.block("else"):
            code.line(f"{result} = {self.g.value(node.default, scope)}")
        return result
