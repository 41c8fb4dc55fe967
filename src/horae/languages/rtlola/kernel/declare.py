"""The state of a loop: registers every array and counter."""

from __future__ import annotations

from horae.data.types import Type
from horae.languages.rtlola.kernel.families import Family
from horae.languages.rtlola.kernel.generator import Generator
from horae.languages.rtlola.kernel.layout import DTYPES, Extent
from horae.languages.rtlola.kernel.times import NEVER
from horae.languages.rtlola.program import Stream


def declare(g: Generator) -> None:
    """Register every array and counter."""
    g.layout.counter("pos")
    g.layout.counter("row")
    for i in range(len(g.rates)):
        g.layout.counter(f"next{i}", NEVER)
        g.layout.counter(f"phase{i}")
    if g.settling is not None:
        g.layout.counter("root_touch", -NEVER)
    for family in g.model.families.values():
        _declare_family(g, family)
    streams: tuple[Stream, ...] = (*g.program.inputs, *g.program.outputs)
    for stream in streams:
        if g.computes(stream.name):
            _declare_stream(g, stream.name, stream.type)
    g.quantified.declare()
    g.ahead.declare()


def _declare_family(g: Generator, family: Family) -> None:
    name = family.name
    if family.is_single:
        g.layout.counter(f"{name}_on", 1 if family.is_root else 0)
        return
    g.pool(name)
    g.layout.counter(f"{name}_act")
    g.layout.column(f"{name}_table", "int64", Extent.TABLE, name)
    g.layout.column(f"{name}_keys", "int64", Extent.POOL, name, width=len(family.types))
    for i, kind in enumerate(family.types):
        g.layout.column(f"{name}_p{i}", DTYPES[kind], Extent.POOL, name)
    g.layout.column(f"{name}_list", "int64", Extent.POOL, name)
    g.layout.column(f"{name}_where", "int64", Extent.POOL, name, fill=-1)
    if family.terminate is not None:
        g.layout.column(f"{name}_dead", "int64", Extent.POOL, name)
        g.layout.column(f"{name}_dying", "int64", Extent.POOL, name, fill=-1)
        g.layout.column(f"{name}_birth", "int64", Extent.POOL, name)
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
    if g.is_template(stream):
        g.layout.column(f"{name}_pos", "int64", Extent.SLOTS, of, fill=-1)
        g.layout.column(f"{name}_ext", "int64", Extent.SLOTS, of)
        if g.settling is not None and g.quantified.watched(stream):
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
    for backlog in g.model.backlogs.get(stream, ()):
        g.backlogs.declare(backlog, of)
