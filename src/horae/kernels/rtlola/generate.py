"""From a checked program to the source of one loop over columns.

The loop takes time-ordered rows and walks through the positions: rows and ticks. Its state is a set of
arrays that the caller owns (`layout.py`). It returns when the rows are used up, when a fault stopped it, or
when an array has to grow: the caller then grows it and calls again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from horae.kernels.rtlola.ahead import Ahead
from horae.kernels.rtlola.code import Code
from horae.kernels.rtlola.expressions import Scope
from horae.kernels.rtlola.lags import Lags
from horae.kernels.rtlola.layout import DTYPES, Extent, Layout
from horae.kernels.rtlola.model import ROOT, Family, Model, build_model, tick_driven
from horae.kernels.rtlola.options import Emit, Options, OverMode
from horae.kernels.rtlola.overs import Overs
from horae.kernels.rtlola.sleeping import recursive_members, settling_time
from horae.kernels.rtlola.strings import Strings, StringTable
from horae.kernels.rtlola.windows import Windows
from horae.languages.rtlola.program import (
    Expression,
    Output,
    Program,
    Reference,
    Trigger,
    Window,
    walk,
)
from horae.languages.rtlola.types import Type

# What the loop returns.
DONE, FAULT, GROW = 0, 1, 2

# Time never reaches this; a clock that stands here does not tick.
NEVER = 2**62


@dataclass(frozen=True)
class Site:
    """Where in the program a fault can happen."""

    stream: str | None
    expression: Expression


@dataclass(frozen=True)
class LoopSource:
    """A generated loop and all that is needed to call it."""

    text: str
    layout: Layout
    model: Model
    options: Options
    sites: tuple[Site, ...]
    string_tables: tuple[StringTable, ...]
    strings: Strings
    interpreted: str | None  # why the loop cannot be compiled, if so
    ahead: tuple[str, ...]  # arrays of the loop in front that this one reads
    emitted: tuple[Output | Trigger, ...]
    rates: tuple[Fraction, ...]
    exports: bool


@dataclass
class Generator:
    program: Program
    options: Options
    strings: Strings
    code: Code = field(default_factory=lambda: Code(2))
    layout: Layout = field(default_factory=Layout)

    def __post_init__(self) -> None:
        self.model = build_model(self.program, self.options.joined)
        self.input_names = {i.name for i in self.program.inputs}
        self.windows, self.lags = Windows(self), Lags(self)
        self.overs, self.ahead = Overs(self), Ahead(self)
        self.driven = tick_driven(self.program, self.options.joined)
        self.recursive = recursive_members(self.model)
        self.no_scope = Scope(Family(ROOT, (), (), None, False, ()), "0", None)
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
        return None if seconds is None else self.ticks(seconds) + 1

    # --- names and lookups

    @property
    def resolution(self) -> int:
        return self.options.resolution

    @property
    def origin(self) -> int:
        return self.options.origin

    @property
    def over_mode(self) -> OverMode:
        return self.options.overs

    def ticks(self, seconds: Fraction) -> int:
        exact = seconds * self.resolution
        assert exact.denominator == 1, "the resolution holds every duration of the program"
        return int(exact)

    def name(self, stream: str) -> str:
        """The prefix of a stream's arrays; user names cannot clash with generated ones."""
        return f"s_{stream}"

    def type_of(self, stream: str) -> Type:
        return self.program.stream(stream).type

    def family(self, stream: str) -> Family:
        return self.model.family_of[stream]

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
        joined = {use.period for use in self.model.overs if use.period is not None}
        return tuple(sorted({*self.model.rates, *joined}))

    def site(self, expression: Expression, stream: str | None) -> int:
        self.sites.append(Site(stream, expression))
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

    def fresh_test(self, stream: str, slot: str) -> str:
        if stream in self.input_names or self.family(stream).is_single:
            return f"f_{self.name(stream)}"
        return f"{self.name(stream)}_pos[{slot}] == pos"

    def pending(self, target: Reference, slot: str, scope: Scope) -> str:
        """How far the local time of a stream will still move at this position.

        A stream that is being extended counts its new value; so does one in a cycle with the reader
        that comes later in the order and is due.
        """
        if scope.extending is None or target.stream in self.input_names:
            return ""
        if target.stream == scope.extending:
            own = slot in (scope.slot, "0")
            return " + 1" if own else ""
        order = self.program.order
        if order.index(target.stream) < order.index(scope.extending):
            return ""
        from horae.kernels.rtlola.steps import due  # the two need each other

        return f" + (1 if {due(self, self.program.output(target.stream), slot)} else 0)"

    def window_node(self, name: str) -> Window:
        """One access that uses the window: where its faults are reported."""
        from horae.kernels.rtlola.model import readings

        for reader, expression in readings(self.program):
            for node in walk(expression):
                if isinstance(node, Window) and self.model.window(node, reader).name == name:
                    return node
        raise AssertionError(name)


def generate(program: Program, options: Options, strings: Strings | None = None) -> LoopSource:
    """The source of the loop of a program."""
    from horae.kernels.rtlola.frame import write_loop

    generator = Generator(program, options, strings if strings is not None else Strings())
    declare(generator)
    text, emitted = write_loop(generator)
    return LoopSource(
        text,
        generator.layout,
        generator.model,
        options,
        tuple(generator.sites),
        tuple(generator.tables.values()),
        generator.strings,
        generator.interpreted,
        tuple(generator.ahead.inputs()),
        emitted,
        generator.rates,
        options.overs is OverMode.EXPORT and bool(generator.model.overs),
    )


# --- state


def declare(g: Generator) -> None:
    """Register every array and counter."""
    g.layout.counter("pos")
    g.layout.counter("row")
    for i in range(len(g.rates)):
        g.layout.counter(f"next{i}", NEVER)
    if g.settling is not None:
        g.layout.counter("root_touch", -NEVER)
    for family in g.model.families.values():
        _declare_family(g, family)
    for stream in (*g.program.inputs, *g.program.outputs):
        if g.computes(stream.name):
            _declare_stream(g, stream.name, stream.type)
    g.overs.declare()
    g.ahead.declare()


def _declare_family(g: Generator, family: Family) -> None:
    name = family.name
    if family.is_single:
        g.layout.counter(f"{name}_on", 1 if family.is_root else 0)
        g.layout.counter(f"{name}_lives")
        return
    g.pool(name)
    for counter in ("act", "lives"):
        g.layout.counter(f"{name}_{counter}")
    g.layout.column(f"{name}_table", "int64", Extent.TABLE, name)
    g.layout.column(f"{name}_keys", "int64", Extent.POOL, name, width=len(family.types))
    for i, kind in enumerate(family.types):
        g.layout.column(f"{name}_p{i}", DTYPES[kind], Extent.POOL, name)
    g.layout.column(f"{name}_list", "int64", Extent.POOL, name)
    g.layout.column(f"{name}_where", "int64", Extent.POOL, name, fill=-1)
    if family.terminate is not None:
        g.layout.column(f"{name}_dead", "int64", Extent.POOL, name)
        g.layout.column(f"{name}_dying", "int64", Extent.POOL, name, fill=-1)
    if g.settling is not None:
        _declare_sleep(g, name)


def _declare_sleep(g: Generator, name: str) -> None:
    for counter, initial in (("naw", 0), ("touch_all", -NEVER)):
        g.layout.counter(f"{name}_{counter}", initial)
    g.layout.column(f"{name}_awake", "int64", Extent.POOL, name)
    g.layout.column(f"{name}_awhere", "int64", Extent.POOL, name, fill=-1)
    g.layout.column(f"{name}_touch", "int64", Extent.POOL, name)


def _declare_stream(g: Generator, stream: str, kind: Type) -> None:
    name, of = g.name(stream), g.slots_of(stream)
    g.layout.column(f"{name}_val", DTYPES[kind], Extent.SLOTS, of)
    g.layout.column(f"{name}_has", "bool", Extent.SLOTS, of)
    templated = stream not in g.input_names and not g.family(stream).is_single
    if templated:
        g.layout.column(f"{name}_pos", "int64", Extent.SLOTS, of, fill=-1)
        g.layout.column(f"{name}_ext", "int64", Extent.SLOTS, of)
        if g.settling is not None and g.overs.watched(stream):
            g.layout.counter(f"{name}_dozing")
            g.layout.column(f"{name}_doze", "bool", Extent.SLOTS, of)
    if stream in g.model.rings:
        g.layout.column(f"{name}_cnt", "int64", Extent.SLOTS, of)
        depth = g.model.rings[stream]
        g.layout.column(f"{name}_ring", DTYPES[kind], Extent.SLOTS, of, width=depth)
    for window in g.model.windows.get(stream, ()):
        g.windows.declare(window, of, g.window_node(window.name))
    for lag in g.model.lags.get(stream, ()):
        g.lags.declare(lag, of)
