"""The life of instances: invoke, terminate, close.

Invocation and termination are decided once per position and family, as soon as the streams that they
read are done. An instance whose `terminate` reads its own value closes at the end of the position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from horae.languages.rtlola.kernel.families import Family
from horae.languages.rtlola.kernel.paces import for_each_candidate, holds
from horae.languages.rtlola.kernel.scope import LoopScope
from horae.languages.rtlola.kernel.waking import forget_sleep, wake
from horae.languages.rtlola.program import Periodic, When

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator


def write_life(g: Generator, family: Family) -> None:
    """Invoke and terminate."""
    if family.is_root:
        return
    if family.is_single:
        _single_life(g, family)
        return
    name = family.name
    g.code.line(f"{name}_life = False")
    g.code.line(f"{name}_born = 0")
    g.code.line(f"{name}_nt = 0")
    _invoke(g, family)
    if family.terminate is not None and not family.closes_after:
        _condemn_all(g, family)
        _bury(g, family)
    g.code.line(f"{name}_life = {name}_life or {name}_born > 0")


def write_verdicts(g: Generator, family: Family) -> None:
    """Which instances will close after this position: that counts as a change of the instances."""
    if family.closes_after and not family.is_single:
        _condemn_all(g, family)
        g.code.line(f"{family.name}_life = {family.name}_life or {family.name}_nd > 0")


def write_closing(g: Generator, family: Family) -> None:
    """Instances whose `terminate` reads their own value end after it."""
    if not family.closes_after:
        return
    if family.is_single:
        _single_end(g, family)
    else:
        _bury(g, family)


# --- without parameters


def _single_life(g: Generator, family: Family) -> None:
    name = family.name
    fresh = " and ".join(g.fresh_test(s, "0") for s in family.invoke) or "True"
    with g.code.block(f"if {name}_on == 0 and {fresh}"):
        g.code.line(f"{name}_on = 1")
        _start(g, family, "0")
    if family.terminate is not None and not family.closes_after:
        _single_end(g, family)


def _single_end(g: Generator, family: Family) -> None:
    with g.code.block(f"if {family.name}_on == 1"):
        ends = _ends(g, family, "0")
        with g.code.block(f"if {ends}"):
            g.code.line(f"{family.name}_on = 0")
            _clear(g, family, "0")


# --- invocation


def _invoke(g: Generator, family: Family) -> None:
    """Invoke an instance for the values of the invoke streams, all of them fresh."""
    fresh = [f"ne_{g.name(s)} > 0" if g.is_template(s) else f"f_{g.name(s)}" for s in family.invoke]
    with g.code.block(f"if {' and '.join(dict.fromkeys(fresh))}"):
        _for_each_combination(g, family, [])


def _for_each_combination(g: Generator, family: Family, atoms: list[str]) -> None:
    """Every instance of an invoking template that was extended here invokes."""
    if len(atoms) == len(family.invoke):
        slot = g.lookup(family, atoms)
        with g.code.block(f"if {slot} < 0"):
            _new_instance(g, family, slot, atoms)
        return
    stream = family.invoke[len(atoms)]
    name = g.name(stream)
    if not g.is_template(stream):
        _for_each_combination(g, family, [*atoms, f"{name}_val[0]"])
        return
    j = g.code.fresh("j")
    with g.code.block(f"for {j} in range(ne_{name})"):
        _for_each_combination(g, family, [*atoms, f"{name}_val[{name}_ext[{j}]]"])


def _new_instance(g: Generator, family: Family, slot: str, atoms: list[str]) -> None:
    name = family.name
    g.allocate(name, slot)
    g.code.line(f"insert({name}_table, {name}_keys, key_{name}, {slot})")
    for i, atom in enumerate(atoms):
        g.code.line(f"{name}_p{i}[{slot}] = {atom}")
    g.code.line(f"{name}_list[{name}_act] = {slot}")
    g.code.line(f"{name}_where[{slot}] = {name}_act")
    g.code.line(f"{name}_act += 1")
    g.code.line(f"{name}_born += 1")
    if family.terminate is not None:
        g.code.line(f"{name}_birth[{slot}] = pos")
    _start(g, family, slot)
    g.quantified.touch(family, slot)
    wake(g, family, slot)


def _start(g: Generator, family: Family, slot: str) -> None:
    """A new life; its slot was cleared when the one before ended."""
    for member in family.members:
        if not g.computes(member):
            continue
        if not family.is_single:
            g.code.line(f"{g.name(member)}_pos[{slot}] = -1")
    g.ahead.on_invoke(family, slot)


# --- termination


def _condemn_all(g: Generator, family: Family) -> None:
    """Collect the instances whose condition holds."""
    assert family.terminate is not None
    g.code.line(f"{family.name}_nd = 0")
    for_each_candidate(g, family, family.terminate, lambda slot: _condemn(g, family, slot))


def _condemn(g: Generator, family: Family, slot: str) -> None:
    name = family.name
    with g.code.block(f"if {name}_dying[{slot}] != pos"):
        ends = _ends(g, family, slot)
        with g.code.block(f"if {ends}"):
            g.code.line(f"{name}_dying[{slot}] = pos")
            g.code.line(f"{name}_dead[{name}_nd] = {slot}")
            g.code.line(f"{name}_nd += 1")


def _ends(g: Generator, family: Family, slot: str) -> str:
    match family.terminate:
        case Periodic(period=period):
            return g.tick_flag(period)
        case When(condition=held):
            return holds(g, held, LoopScope(family, slot, None))
        case None:
            return "False"
        case _:
            assert_never(family.terminate)


def _bury(g: Generator, family: Family) -> None:
    """End the instances that were condemned. One that was invoked just now was never there."""
    name = family.name
    with g.code.block(f"for d in range({name}_nd)"):
        g.code.line(f"s = {name}_dead[d]")
        with g.code.block(f"if {name}_birth[s] == pos"):
            g.code.line(f"{name}_born -= 1")
        with g.code.block("else"):
            g.code.line(f"{name}_life = True")
        _end_instance(g, family, "s")


def _end_instance(g: Generator, family: Family, slot: str) -> None:
    name = family.name
    _clear(g, family, slot)
    g.quantified.forget(family, slot)
    forget_sleep(g, family, slot)
    g.code.line(f"remove({name}_table, {name}_keys, {slot})")
    g.code.line(f"{name}_act -= 1")
    g.code.line(f"w = {name}_where[{slot}]")
    g.code.line(f"{name}_list[w] = {name}_list[{name}_act]")
    g.code.line(f"{name}_where[{name}_list[w]] = w")
    g.code.line(f"{name}_where[{slot}] = -1")
    g.release(name, slot)


def _clear(g: Generator, family: Family, slot: str) -> None:
    """What was kept for the instance is given back."""
    g.ahead.on_end(family, slot)
    for member in family.members:
        if not g.computes(member):
            continue
        g.code.line(f"{g.name(member)}_has[{slot}] = False")
        if member in g.model.rings:
            g.code.line(f"{g.name(member)}_cnt[{slot}] = 0")
        for window in g.model.windows.get(member, ()):
            g.windows.clear(window, slot)
        for lag in g.model.lags.get(member, ()):
            g.lags.clear(lag, slot)
        for backlog in g.model.backlogs.get(member, ()):
            g.backlogs.clear(backlog, slot)
