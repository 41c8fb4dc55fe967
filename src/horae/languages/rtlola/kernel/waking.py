"""Falling asleep and waking up, as the loop does it (`sleeping.py` says when that is allowed).

An instance that sleeps is not evaluated at ticks; it is on the list of the active ones all the same,
and events reach it as always. While it sleeps it counts as extended at every tick, with the value
that it has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.languages.rtlola.kernel.families import Family
from horae.languages.rtlola.kernel.options import QuantifiedMode
from horae.languages.rtlola.kernel.paces import reads
from horae.languages.rtlola.kernel.times import later_time
from horae.languages.rtlola.program import Output, Periodic, Quantified

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator


def wake(g: Generator, family: Family, slot: str) -> None:
    """An event touched the instance: it is evaluated at ticks again."""
    if g.settling is None:
        return
    name = family.name
    g.code.line(f"{name}_touch[{slot}] = now")
    with g.code.block(f"if {name}_awhere[{slot}] < 0"):
        g.code.line(f"{name}_awake[{name}_naw] = {slot}")
        g.code.line(f"{name}_awhere[{slot}] = {name}_naw")
        g.code.line(f"{name}_naw += 1")
        _stop_dozing(g, family, slot)


def forget_sleep(g: Generator, family: Family, slot: str) -> None:
    """The instance ends, asleep or not."""
    if g.settling is None:
        return
    with g.code.block(f"if {family.name}_awhere[{slot}] >= 0"):
        _leave_the_awake(g, family, slot)
    _stop_dozing(g, family, slot)


def stir(g: Generator, output: Output, family: Family, slot: str) -> None:
    """A new value: by an event it wakes, at a tick a recursive stream that changed stays awake."""
    if g.settling is None:
        return
    if output.name not in g.driven:
        wake(g, family, slot)
    elif output.name in g.recursive:
        with g.code.block("if chg"):
            g.code.line(f"{family.name}_touch[{slot}] = now")


def stir_root(g: Generator, output: Output) -> None:
    if output.name in g.driven and output.name in g.recursive:
        with g.code.block("if chg"):
            keep_root_awake(g)


def keep_root_awake(g: Generator) -> None:
    if g.settling is not None:
        g.code.line("root_touch = now")


def watched_sleepers(g: Generator, output: Output) -> str:
    """A test: a sleeping instance counts as extended here, which operators over instances notice."""
    if g.settling is None or not _dozes(g, output.name):
        return "False"
    assert isinstance(output.pace, Periodic)
    return f"{g.tick_flag(output.pace.period)} and {g.name(output.name)}_dozing > 0"


def _dozes(g: Generator, stream: str) -> bool:
    return g.quantified.watched(stream) and isinstance(g.program.output(stream).pace, Periodic)


def _dozers(g: Generator, family: Family) -> list[str]:
    return [g.name(m) for m in family.members if _dozes(g, m)]


def _stop_dozing(g: Generator, family: Family, slot: str) -> None:
    for stream in _dozers(g, family):
        with g.code.block(f"if {stream}_doze[{slot}]"):
            g.code.line(f"{stream}_doze[{slot}] = False")
            g.code.line(f"{stream}_dozing -= 1")


def _leave_the_awake(g: Generator, family: Family, slot: str) -> None:
    name = family.name
    g.code.line(f"{name}_naw -= 1")
    g.code.line(f"w = {name}_awhere[{slot}]")
    g.code.line(f"{name}_awake[w] = {name}_awake[{name}_naw]")
    g.code.line(f"{name}_awhere[{name}_awake[w]] = w")
    g.code.line(f"{name}_awhere[{slot}] = -1")


def write_rest(g: Generator) -> None:
    """At the end of a position: wake all whom an event concerns, put to sleep who has settled."""
    if g.settling is None:
        return
    families = [f for f in g.model.families.values() if not f.is_single]
    with g.code.block("if is_record" if g.over_mode is QuantifiedMode.IMPORT else "if is_row"):
        keep_root_awake(g)
        for family in families:
            _wake_all(g, family)
    with g.code.block("else"):
        for family in families:
            _settle_family(g, family)


def _wake_all(g: Generator, family: Family) -> None:
    """A stream without parameters that all instances read at ticks has a new value."""
    read = _common_reads(g, family)
    if not read:
        return
    name = family.name
    with g.code.block(f"if {' or '.join(f'f_{g.name(s)}' for s in read)}"):
        g.code.line(f"{name}_touch_all = now")
        few_awake = g.code.block(f"if {name}_naw < {name}_act")
        with few_awake, g.code.block(f"for j in range({name}_act)"):
            wake(g, family, f"{name}_list[j]")


def _common_reads(g: Generator, family: Family) -> list[str]:
    return sorted(
        {
            access.target.stream
            for member in family.members
            if member in g.driven
            for access in reads(g.program.output(member).expression)
            if not isinstance(access, Quantified) and not g.is_template(access.target.stream)
        }
    )


def _settle_family(g: Generator, family: Family) -> None:
    name = family.name
    settling = g.settling or 0
    with g.code.block(f"if now >= {later_time(f'{name}_touch_all', settling)}"):
        g.code.line("i = 0")
        with g.code.block(f"while i < {name}_naw"):
            g.code.line(f"s = {name}_awake[i]")
            with g.code.block(f"if now >= {later_time(f'{name}_touch[s]', settling)}"):
                _leave_the_awake(g, family, "s")
                _start_dozing(g, family, "s")
            with g.code.block("else"):
                g.code.line("i += 1")


def _start_dozing(g: Generator, family: Family, slot: str) -> None:
    """Remember which streams get a value at every tick while the instance sleeps."""
    for name in _dozers(g, family):
        with g.code.block(f"if {name}_has[{slot}]"):
            g.code.line(f"{name}_doze[{slot}] = True")
            g.code.line(f"{name}_dozing += 1")
