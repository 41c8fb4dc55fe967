"""Looking into the future: a loop that runs behind another one reads what that one recorded.

A specification that looks ahead is evaluated by a cascade of loops over the same input. The first one
runs at the front and knows everything but what looks ahead; it records the values of the streams that
are looked into, chained per life of an instance. The next one follows when enough is known. It computes the
same values again, so "the latest value" is a place in the chain, and the future is what comes after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.kernels.rtlola.layout import DTYPES, Extent
from horae.kernels.rtlola.model import Family
from horae.kernels.rtlola.scope import Scope
from horae.languages.rtlola.program import Offset, TimeOffset

if TYPE_CHECKING:
    from horae.kernels.rtlola.generator import Generator


class Ahead:
    def __init__(self, g: Generator) -> None:
        self.g = g

    def streams(self) -> list[str]:
        """The streams that are looked into and that this loop computes."""
        return [s for s in sorted(self.g.model.lookahead) if self.g.computes(s)]

    @property
    def records(self) -> bool:
        return not self.g.options.is_last

    @property
    def follows(self) -> bool:
        return self.g.options.layer > 0

    def _read(self, stream: str) -> bool:
        """Whether the loop in front has recorded this stream."""
        return self.follows and self.g.layer_of(stream) < self.g.options.layer

    def declare(self) -> None:
        layout = self.g.layout
        for stream in self.streams():
            name, of = self.g.name(stream), self.g.slots_of(stream)
            if self.records:
                layout.column(f"{name}_last", "int64", Extent.SLOTS, of, fill=0)
                for column, dtype in self._recorded(stream):
                    layout.column(f"ah_{name}_{column}", dtype, Extent.POOL, f"ah_{name}", fill=-1)
                layout.column(f"ah_{name}_mark", "int64", Extent.POOL, f"ah_{name}")
                layout.counter(f"ah_{name}_n", 1)
            if self._read(stream):
                layout.column(f"{name}_cur", "int64", Extent.SLOTS, of, fill=0)

    def _recorded(self, stream: str) -> list[tuple[str, str]]:
        return [("next", "int64"), ("time", "int64"), ("val", DTYPES[self.g.type_of(stream)])]

    def inputs(self) -> list[str]:
        """The arrays of the loop in front that this one reads."""
        return [
            f"{self.g.name(s)}_{column}"
            for s in self.streams()
            if self._read(s)
            for column in ("next", "time", "val", "mark")
        ]

    # --- writing

    def on_invoke(self, family: Family, slot: str) -> None:
        """A new life: its chain starts with a mark, found again by the number of the life."""
        for stream in self.streams():
            if stream in self.g.input_names or self.g.family(stream).name != family.name:
                continue
            name, life = self.g.name(stream), f"{family.name}_lives"
            if self.records:
                self.g.code.line(f"ah_{name}_mark[{life}] = ah_{name}_n")
                self._append(name, slot, chained=False)
            if self._read(stream):
                self.g.code.line(f"{name}_cur[{slot}] = in_{name}_mark[{life}]")

    def on_extend(self, stream: str, slot: str, atom: str) -> None:
        if stream not in self.streams():
            return
        name = self.g.name(stream)
        if self.records:
            self.g.code.line(f"ah_{name}_time[ah_{name}_n] = now")
            self.g.code.line(f"ah_{name}_val[ah_{name}_n] = {atom}")
            self._append(name, slot, chained=True)
        if self._read(stream):
            self.g.code.line(f"{name}_cur[{slot}] = in_{name}_next[{name}_cur[{slot}]]")

    def _append(self, name: str, slot: str, *, chained: bool) -> None:
        code = self.g.code
        code.line(f"ah_{name}_next[ah_{name}_n] = -1")
        if chained:
            code.line(f"ah_{name}_next[{name}_last[{slot}]] = ah_{name}_n")
        code.line(f"{name}_last[{slot}] = ah_{name}_n")
        code.line(f"ah_{name}_n += 1")

    # --- reading

    def discrete(self, node: Offset, slot: str, scope: Scope) -> str:
        name, code = self.g.name(node.target.stream), self.g.code
        at = code.fresh("m")
        code.line(f"{at} = -1")
        with code.block(f"if {slot} >= 0" if slot != "0" else "if True"):
            code.line(f"{at} = {name}_cur[{slot}]")
            with code.block(f"for j in range({node.offset})"), code.block(f"if {at} >= 0"):
                code.line(f"{at} = in_{name}_next[{at}]")
        return self._choose(f"{at} >= 0", f"in_{name}_val[{at}]", node, slot, scope)

    def timed(self, node: TimeOffset, slot: str, scope: Scope) -> str:
        name, code = self.g.name(node.target.stream), self.g.code
        best, at = code.fresh("m"), code.fresh("m")
        code.line(f"{best} = -1")
        with code.block(f"if {slot} >= 0" if slot != "0" else "if True"):
            code.line(f"{at} = in_{name}_next[{name}_cur[{slot}]]")
            limit = f"now + {self.g.ticks(node.seconds)}"
            with code.block(f"while {at} >= 0 and in_{name}_time[{at}] <= {limit}"):
                code.line(f"{best} = {at}")
                code.line(f"{at} = in_{name}_next[{at}]")
        return self._choose(f"{best} >= 0", f"in_{name}_val[{best}]", node, slot, scope)

    def _choose(
        self, test: str, found: str, node: Offset | TimeOffset, slot: str, scope: Scope
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
