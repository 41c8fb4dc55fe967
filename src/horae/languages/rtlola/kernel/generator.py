"""What the writers of a loop share: the program and its model, names, small pieces of code."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from horae.data.types import Type
from horae.languages.rtlola.kernel.ahead import Ahead
from horae.languages.rtlola.kernel.backlogs import Backlogs
from horae.languages.rtlola.kernel.code import Code
from horae.languages.rtlola.kernel.cycles import Cycles
from horae.languages.rtlola.kernel.emission import find_emitted
from horae.languages.rtlola.kernel.expressions import value
from horae.languages.rtlola.kernel.families import ROOT, Family
from horae.languages.rtlola.kernel.lags import Lags
from horae.languages.rtlola.kernel.layout import Extent, StateLayout
from horae.languages.rtlola.kernel.model import build_model, readings, tick_driven
from horae.languages.rtlola.kernel.options import Options, QuantifiedMode
from horae.languages.rtlola.kernel.quantified import Overs
from horae.languages.rtlola.kernel.scope import LoopScope
from horae.languages.rtlola.kernel.sleeping import recursive_members, settling_time
from horae.languages.rtlola.kernel.source import Site
from horae.languages.rtlola.kernel.strings import Strings, StringTable
from horae.languages.rtlola.kernel.times import NEVER
from horae.languages.rtlola.kernel.windows import Windows
from horae.languages.rtlola.options import Emit
from horae.languages.rtlola.program import (
    Expression,
    Program,
    Window,
    walk,
)
from horae.source.text import Span


@dataclass
class Generator:
    program: Program
    options: Options
    strings: Strings
    code: Code = field(default_factory=lambda: Code(2))
    layout: StateLayout = field(default_factory=StateLayout)

    def __post_init__(self) -> None:
        self.model = build_model(self.program, self.options.joined)
        self.emitted = find_emitted(self.program, self.options)
        self.input_names = {i.name for i in self.program.inputs}
        self.windows, self.lags, self.backlogs = Windows(self), Lags(self), Backlogs(self)
        self.quantified, self.ahead, self.cycles = Overs(self), Ahead(self), Cycles(self)
        self.driven = tick_driven(self.program, self.options.joined)
        self.recursive = recursive_members(self.model)
        self.root = Family(ROOT, (), (), None, False, ())
        self.pools: list[str] = []
        self.sites: list[Site] = []
        self.tables: dict[tuple[str, str], StringTable] = {}
        self.interpreted: str | None = None
        self.settling = self._settling()

    def _settling(self) -> int | None:
        """Ticks until an instance falls asleep; None: never."""
        if self.options.emit is Emit.ALL or not self.options.is_last or self.options.layer:
            return None
        seconds = settling_time(self.model, self.driven)
        ticks = NEVER if seconds is None else self.ticks(seconds) + 1
        return None if ticks >= NEVER else ticks

    # --- names and lookups

    @property
    def resolution(self) -> int:
        return self.options.resolution

    @property
    def over_mode(self) -> QuantifiedMode:
        return self.options.quantified

    def ticks(self, seconds: Fraction) -> int:
        """A duration in ticks, at most `NEVER`: no input spans a longer time."""
        exact = seconds * self.resolution
        assert exact.denominator == 1, "the resolution holds every duration of the program"
        return min(int(exact), NEVER)

    def phase(self, period: Fraction) -> str:
        """The first tick of a clock that is not before the first row."""
        return f"phase{self.rates.index(period)}"

    def name(self, stream: str) -> str:
        """The prefix of a stream's arrays; user names cannot clash with generated ones."""
        return f"s_{stream}"

    def type_of(self, stream: str) -> Type:
        return self.program.stream(stream).type

    def family(self, stream: str) -> Family:
        return self.model.family_of[stream]

    def is_template(self, stream: str) -> bool:
        return stream not in self.input_names and not self.family(stream).is_single

    def slots_of(self, stream: str) -> str:
        return ROOT if stream in self.input_names else self.family(stream).name

    def layer_of(self, stream: str) -> int:
        return self.program.layers.get(stream, 0)

    def computes(self, stream: str) -> bool:
        return self.layer_of(stream) <= self.options.layer

    def tick_flag(self, period: Fraction) -> str:
        return f"tick{self.rates.index(period)}"

    @property
    def rates(self) -> tuple[Fraction, ...]:
        joined = {use.period for use in self.model.quantified if use.period is not None}
        return tuple(sorted({*self.model.rates, *joined}))

    @property
    def exports(self) -> bool:
        return self.over_mode is QuantifiedMode.EXPORT and bool(self.model.quantified)

    def site(self, span: Span, stream: str | None) -> int:
        self.sites.append(Site(stream, span))
        return len(self.sites) - 1

    def needs_interpreter(self, why: str) -> None:
        self.interpreted = self.interpreted or why

    def strings_table(self, function: str, argument: str) -> str:
        """The name of an array that maps a string's code to the function's value."""
        key = (function, argument)
        if key not in self.tables:
            self.tables[key] = StringTable(f"str{len(self.tables)}", function, argument)
        return self.tables[key].name

    # --- small pieces of code

    def pool(self, name: str) -> None:
        """Nodes that are taken and given back; a free one points to the next free one."""
        self.pools.append(name)
        self.layout.column(f"{name}_next", "int64", Extent.POOL, name, fill=-1)
        for counter, initial in (("n", 0), ("free", -1), ("used", 0)):
            self.layout.counter(f"{name}_{counter}", initial)

    def allocate(self, pool: str, variable: str) -> None:
        with self.code.block(f"if {pool}_free >= 0"):
            self.code.line(f"{variable} = {pool}_free")
            self.code.line(f"{pool}_free = {pool}_next[{variable}]")
        with self.code.block("else"):
            self.code.line(f"{variable} = {pool}_n")
            self.code.line(f"{pool}_n += 1")
        self.code.line(f"{pool}_used += 1")

    def release(self, pool: str, variable: str) -> None:
        self.code.line(f"{pool}_next[{variable}] = {pool}_free")
        self.code.line(f"{pool}_free = {variable}")
        self.code.line(f"{pool}_used -= 1")

    def bits(self, kind: Type, atom: str) -> str:
        """A value as the 64-bit integer that hash tables compare."""
        if kind is Type.DOUBLE:
            return f"double_bits({atom}, bits_f, bits_i)"
        return f"(1 if {atom} else 0)" if kind is Type.BOOL else atom

    def lookup(self, family: Family, arguments: list[str]) -> str:
        """The slot of the instance with these arguments, or -1."""
        for i, (kind, argument) in enumerate(zip(family.types, arguments, strict=True)):
            self.code.line(f"key_{family.name}[{i}] = {self.bits(kind, argument)}")
        found = self.code.fresh("q")
        name = family.name
        self.code.line(f"{found} = find({name}_table, {name}_keys, key_{name})")
        return found

    def value(self, expression: Expression, scope: LoopScope) -> str:
        """Write the evaluation of an expression; the atom that holds its value."""
        return value(self, expression, scope)

    def fresh_test(self, stream: str, slot: str) -> str:
        if stream in self.input_names or self.family(stream).is_single:
            return f"f_{self.name(stream)}"
        return f"{self.name(stream)}_pos[{slot}] == pos"

    def window_node(self, name: str) -> Window:
        """One access that uses the window: where its faults are reported."""
        for reader, expression in readings(self.program):
            for node in walk(expression):
                if isinstance(node, Window) and self.model.window(node, reader).name == name:
                    return node
        raise AssertionError(name)
