"""What happens to the streams at one position: invoke, terminate, extend, notify."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from horae.analysis.bindings import Binding, binding
from horae.kernels.rtlola import runtime
from horae.kernels.rtlola.emission import emit_trigger, emit_value
from horae.kernels.rtlola.expressions import Scope, condition, fault, slot_of, value
from horae.kernels.rtlola.model import Family, is_own_instance
from horae.kernels.rtlola.options import OverMode
from horae.languages.rtlola.program import (
    Access,
    Always,
    Expression,
    Follows,
    Hold,
    Output,
    Over,
    Periodic,
    Trigger,
    When,
    Window,
    walk,
)
from horae.languages.rtlola.program import Offset as DiscreteOffset
from horae.languages.rtlola.program import TimeOffset
from horae.languages.rtlola.types import Type

if TYPE_CHECKING:
    from horae.kernels.rtlola.generate import Generator

# --- inputs


def write_inputs(g: Generator) -> None:
    """Extend the inputs that have a value in the current row."""
    for stream in g.program.inputs:
        name = g.name(stream.name)
        g.code.line(f"f_{name} = is_row and ok_{name}[row]")
        with g.code.block(f"if f_{name}"):
            scope = replace(g.no_scope, extending=stream.name)
            g.code.line("ok = True")
            atom = f"in_{name}[row]"
            g.code.line(f"v = {atom}")
            _remember(g, stream.name, "0", "v", scope)


def _remember(g: Generator, stream: str, slot: str, atom: str, scope: Scope) -> None:
    """The stream's new value becomes the latest one; whoever looks back at it is served."""
    name = g.name(stream)
    depth = g.model.rings.get(stream)
    if depth:
        with g.code.block(f"if {name}_cnt[{slot}] > 0"):
            at = f"({name}_cnt[{slot}] - 1) % {depth}"
            g.code.line(f"{name}_ring[{slot}, {at}] = {name}_val[{slot}]")
        g.code.line(f"{name}_cnt[{slot}] += 1")
    g.code.line(f"{name}_val[{slot}] = {atom}")
    g.code.line(f"{name}_has[{slot}] = True")
    for lag in g.model.lags.get(stream, ()):
        g.lags.push(lag, slot, atom)
    for window in g.model.windows.get(stream, ()):
        g.windows.push(window, slot, atom, scope)
    g.ahead.on_extend(stream, slot, atom)


# --- the life of instances


def write_life(g: Generator, family: Family) -> None:
    """Invoke and terminate: once per position, before the family's first stream."""
    if family.is_root:
        return
    g.code.line(f"{family.name}_life = False")
    if family.is_single:
        _single_life(g, family)
        return
    g.code.line(f"{family.name}_nt = 0")
    _invoke(g, family)
    if family.terminate is not None and not family.closes_after:
        _terminate(g, family)


def _single_life(g: Generator, family: Family) -> None:
    name = family.name
    fresh = " and ".join(g.fresh_test(s, "0") for s in family.invoke) or "True"
    with g.code.block(f"if {name}_on == 0 and {fresh}"):
        g.code.line(f"{name}_on = 1")
        g.code.line(f"{name}_lives += 1")
        _start(g, family, "0")
    if family.terminate is not None and not family.closes_after:
        _single_end(g, family)


def _single_end(g: Generator, family: Family) -> None:
    with g.code.block(f"if {family.name}_on == 1"):
        ends = _ends(g, family, "0")
        with g.code.block(f"if {ends}"):
            g.code.line(f"{family.name}_on = 0")
            _clear(g, family, "0")


def _start(g: Generator, family: Family, slot: str) -> None:
    """An instance starts with an empty history."""
    for member in family.members:
        if not g.computes(member):
            continue
        name = g.name(member)
        g.code.line(f"{name}_has[{slot}] = False")
        if member in g.model.rings:
            g.code.line(f"{name}_cnt[{slot}] = 0")
        if not family.is_single:
            g.code.line(f"{name}_pos[{slot}] = -1")
    g.ahead.on_invoke(family, slot)


def _clear(g: Generator, family: Family, slot: str) -> None:
    """An instance ends: what was kept for it is given back."""
    for member in family.members:
        if not g.computes(member):
            continue
        g.code.line(f"{g.name(member)}_has[{slot}] = False")
        for window in g.model.windows.get(member, ()):
            g.windows.clear(window, slot)
        for lag in g.model.lags.get(member, ()):
            g.lags.clear(lag, slot)


def _invoke(g: Generator, family: Family) -> None:
    """Invoke an instance for the values of the invoke streams, all of them fresh."""
    templates = [s for s in family.invoke if _is_template(g, s)]
    plain = [s for s in family.invoke if s not in templates]
    fresh = [f"f_{g.name(s)}" for s in plain]
    fresh += [f"ne_{g.name(s)} > 0" for s in templates]
    with g.code.block(f"if {' and '.join(fresh)}"):
        _for_each_combination(g, family, templates, {s: f"{g.name(s)}_val[0]" for s in plain})


def _is_template(g: Generator, stream: str) -> bool:
    return stream not in g.input_names and not g.family(stream).is_single


def _for_each_combination(
    g: Generator, family: Family, templates: list[str], atoms: dict[str, str]
) -> None:
    """Every instance of an invoking template that was extended here invokes."""
    if templates:
        first, *rest = templates
        name, j = g.name(first), g.code.fresh("j")
        with g.code.block(f"for {j} in range(ne_{name})"):
            found = f"{name}_val[{name}_ext[{j}]]"
            _for_each_combination(g, family, rest, {**atoms, first: found})
        return
    slot = g.lookup(family, [atoms[s] for s in family.invoke])
    with g.code.block(f"if {slot} < 0"):
        _new_instance(g, family, slot, [atoms[s] for s in family.invoke])


def _new_instance(g: Generator, family: Family, slot: str, atoms: list[str]) -> None:
    name = family.name
    g.allocate(name, slot)
    g.code.line(f"insert({name}_table, {name}_keys, key_{name}, {slot})")
    for i, atom in enumerate(atoms):
        g.code.line(f"{name}_p{i}[{slot}] = {atom}")
    g.code.line(f"{name}_list[{name}_act] = {slot}")
    g.code.line(f"{name}_where[{slot}] = {name}_act")
    g.code.line(f"{name}_act += 1")
    g.code.line(f"{name}_lives += 1")
    g.code.line(f"{name}_life = True")
    _start(g, family, slot)
    g.overs.touch(family, slot)
    wake(g, family, slot)


def _terminate(g: Generator, family: Family) -> None:
    """Collect the instances whose condition holds, then end them."""
    name = family.name
    g.code.line("nd = 0")
    for_each_candidate(g, family, family.terminate, lambda slot: _condemn(g, family, slot))
    with g.code.block("for d in range(nd)"):
        g.code.line(f"s = {name}_dead[d]")
        _end_instance(g, family, "s")
        g.code.line(f"{name}_life = True")


def _condemn(g: Generator, family: Family, slot: str) -> None:
    name = family.name
    with g.code.block(f"if {name}_dying[{slot}] != pos"):
        ends = _ends(g, family, slot)
        with g.code.block(f"if {ends}"):
            g.code.line(f"{name}_dying[{slot}] = pos")
            g.code.line(f"{name}_dead[nd] = {slot}")
            g.code.line("nd += 1")


def _ends(g: Generator, family: Family, slot: str) -> str:
    match family.terminate:
        case Periodic(period=period):
            return g.tick_flag(period)
        case When(condition=held):
            return _holds(g, held, Scope(family, slot, None))
        case None:
            return "False"
        case _:
            assert_never(family.terminate)


def _end_instance(g: Generator, family: Family, slot: str) -> None:
    name = family.name
    _clear(g, family, slot)
    g.overs.forget(family, slot)
    _fall_asleep(g, family, slot, dozing=False)
    g.code.line(f"remove({name}_table, {name}_keys, {slot})")
    g.code.line(f"{name}_act -= 1")
    g.code.line(f"w = {name}_where[{slot}]")
    g.code.line(f"{name}_list[w] = {name}_list[{name}_act]")
    g.code.line(f"{name}_where[{name}_list[w]] = w")
    g.code.line(f"{name}_where[{slot}] = -1")
    g.release(name, slot)


def write_closing(g: Generator, family: Family) -> None:
    """Instances whose `terminate` reads their own value end after it."""
    if not family.closes_after:
        return
    if family.is_single:
        _single_end(g, family)
    else:
        _terminate(g, family)


# --- conditions and paces


def _reads(expression: Expression) -> Iterable[Access | Over]:
    for node in walk(expression):
        if isinstance(node, Over):
            yield node
        elif (
            isinstance(node, Hold | DiscreteOffset | TimeOffset | Window)
            and not node.target.every_instance
        ):
            yield node


def _fresh(g: Generator, access: Access | Over, scope: Scope) -> str:
    """Whether what is accessed was extended at this position."""
    if isinstance(access, Over):
        return f"f_{g.model.over(access).name}"
    slot = slot_of(g, access.target, scope)
    test = g.fresh_test(access.target.stream, slot)
    return test if slot in ("0", scope.slot) else f"({slot} >= 0 and {test})"


def _any_fresh(g: Generator, accesses: Iterable[Access | Over], scope: Scope) -> str:
    tests = [_fresh(g, access, scope) for access in accesses]
    return " or ".join(dict.fromkeys(tests)) or "True"


def _holds(g: Generator, held: Expression, scope: Scope) -> str:
    """A condition is considered where a stream that it reads is extended, and must be known."""
    result = g.code.fresh("h")
    g.code.line(f"{result} = False")
    considered = _any_fresh(g, _reads(held), scope)
    with g.code.block(f"if {considered}"):
        truth, known = condition(g, held, scope)
        g.code.line(f"{result} = {known} and {truth}")
    return result


def due(g: Generator, output: Output, slot: str) -> str:
    """Whether the pace of an output holds for an instance at this position."""
    family = g.family(output.name)
    scope = Scope(family, slot, None)
    match output.pace:
        case Periodic(period=period):
            test = g.tick_flag(period)
        case When(condition=held):
            test = _holds(g, held, scope)
        case Follows(accesses=accesses):
            test = _any_fresh(g, accesses, scope)
        case Always():
            test = "True"
        case _:
            assert_never(output.pace)
    active = f"{family.name}_on == 1" if family.is_single else f"{slot} >= 0"
    return f"({active} and ({test}))"


def for_each_candidate(g: Generator, family: Family, pace, body) -> None:  # type: ignore[no-untyped-def]
    """Run `body(slot)` for every active instance that the pace can concern at this position.

    Efficient bindings name the instance; templates of the same family that were extended name it too;
    else all active instances are asked.
    """
    match pace:
        case Periodic(period=period):
            with g.code.block(f"if {g.tick_flag(period)}"):
                _for_all(g, family, body, awake=True)
        case When(condition=held):
            parameters = g.program.output(family.members[0]).parameters
            found = binding(g.program, held, parameters)
            if found is not None and found.is_complete:
                _for_bound(g, family, found, body)
            else:
                _for_reads(g, family, tuple(_reads(held)), body)
        case Follows(accesses=accesses):
            _for_reads(g, family, accesses, body)
        case Always():
            _for_all(g, family, body, awake=False)


def _for_all(g: Generator, family: Family, body, *, awake: bool) -> None:  # type: ignore[no-untyped-def]
    name, slot = family.name, g.code.fresh("s")
    asleep_known = awake and g.settling is not None
    count, listed = ("naw", "awake") if asleep_known else ("act", "list")
    j = g.code.fresh("j")
    with g.code.block(f"for {j} in range({name}_{count})"):
        g.code.line(f"{slot} = {name}_{listed}[{j}]")
        body(slot)


def _for_bound(g: Generator, family: Family, found: Binding, body) -> None:  # type: ignore[no-untyped-def]
    """One lookup per alternative of the condition."""
    for alternative in found.alternatives:
        streams = [b.stream.target.stream for b in alternative.bound]
        fresh = " and ".join(dict.fromkeys(f"f_{g.name(s)}" for s in streams))
        with g.code.block(f"if {fresh}"):
            slot = g.lookup(family, [f"{g.name(s)}_val[0]" for s in streams])
            with g.code.block(f"if {slot} >= 0"):
                body(slot)


def _for_reads(g: Generator, family: Family, reads, body) -> None:  # type: ignore[no-untyped-def]
    """Through siblings that were extended, if only those are read; else ask all."""
    siblings = [_sibling(g, family, r) for r in reads]
    if siblings and all(siblings):
        for sibling in dict.fromkeys(siblings):
            j, slot = g.code.fresh("j"), g.code.fresh("s")
            with g.code.block(f"for {j} in range(ne_{sibling})"):
                g.code.line(f"{slot} = {sibling}_ext[{j}]")
                body(slot)
        return
    with g.code.block(f"if {_prefilter(g, reads)}"):
        _for_all(g, family, body, awake=False)


def _sibling(g: Generator, family: Family, access: Access | Over) -> str | None:
    if isinstance(access, Over) or access.target.stream in g.input_names:
        return None
    same = g.family(access.target.stream).name == family.name
    if same and is_own_instance(access.target, len(family.types)):
        return g.name(access.target.stream)
    return None


def _prefilter(g: Generator, reads: Iterable[Access | Over]) -> str:
    """False only where nothing that is read was extended for any instance."""
    tests: list[str] = []
    for access in reads:
        if isinstance(access, Over):
            tests.append(f"f_{g.model.over(access).name}")
        elif _is_template(g, access.target.stream):
            tests.append(f"ne_{g.name(access.target.stream)} > 0")
        else:
            tests.append(f"f_{g.name(access.target.stream)}")
    return " or ".join(dict.fromkeys(tests)) or "True"


# --- extension


def write_output(g: Generator, output: Output) -> None:
    family, name = g.family(output.name), g.name(output.name)
    if family.is_single:
        g.code.line(f"f_{name} = False")
        test = due(g, output, "0")
        with g.code.block(f"if {test}"):
            _evaluate(g, output, family, "0")
        return
    g.code.line(f"ne_{name} = 0")
    g.code.line(f"e_{name} = {_dozing(g, output)}")
    for_each_candidate(g, family, output.pace, lambda slot: _extend_if_due(g, output, slot))


def _dozing(g: Generator, output: Output) -> str:
    """Sleeping instances are extended at every tick, with the value they have."""
    if g.settling is None or not g.overs.watched(output.name):
        return "False"
    if not isinstance(output.pace, Periodic):
        return "False"
    return f"{g.tick_flag(output.pace.period)} and {g.name(output.name)}_dozing > 0"


def _extend_if_due(g: Generator, output: Output, slot: str) -> None:
    family = g.family(output.name)
    again = f"{g.name(output.name)}_pos[{slot}] != pos"
    if isinstance(output.pace, Periodic | Always):
        _evaluate(g, output, family, slot)
        return
    with g.code.block(f"if {again}"):
        test = due(g, output, slot)
        with g.code.block(f"if {test}"):
            _evaluate(g, output, family, slot)


def _evaluate(g: Generator, output: Output, family: Family, slot: str) -> None:
    scope = Scope(family, slot, output, extending=output.name)
    g.code.line("ok = True")
    g.code.line(f"v = {value(g, output.expression, scope)}")
    if output.type is Type.DOUBLE:
        fault(g, "not math.isfinite(v)", runtime.NOT_FINITE, output.expression, scope)
    with g.code.block("if ok"):
        _extend(g, output, family, slot, scope)


def _extend(g: Generator, output: Output, family: Family, slot: str, scope: Scope) -> None:
    name = g.name(output.name)
    g.code.line(f"chg = not {name}_has[{slot}] or {name}_val[{slot}] != v")
    emit_value(g, output, family, slot)
    _remember(g, output.name, slot, "v", scope)
    if family.is_single:
        g.code.line(f"f_{name} = True")
        _stir_root(g, output)
        return
    g.code.line(f"{name}_pos[{slot}] = pos")
    g.code.line(f"{name}_ext[ne_{name}] = {slot}")
    g.code.line(f"ne_{name} += 1")
    g.code.line(f"e_{name} = True")
    g.overs.touch(family, slot)
    _stir(g, output, family, slot)


def write_trigger(g: Generator, trigger: Trigger) -> None:
    scope = replace(g.no_scope, family=g.no_scope.family)
    accesses = trigger.pace.accesses if isinstance(trigger.pace, Follows) else ()
    test = _any_fresh(g, accesses, scope)
    with g.code.block(f"if {test}"):
        g.code.line("ok = True")
        held = value(g, trigger.condition, scope)
        with g.code.block(f"if ok and {held}"):
            emit_trigger(g, trigger)
            if g.settling is not None:
                g.code.line("root_touch = now")


# --- sleeping


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
        for stream in _dozers(g, family):
            with g.code.block(f"if {stream}_doze[{slot}]"):
                g.code.line(f"{stream}_doze[{slot}] = False")
                g.code.line(f"{stream}_dozing -= 1")


def _dozers(g: Generator, family: Family) -> list[str]:
    return [g.name(m) for m in family.members if g.overs.watched(m)]


def _stir(g: Generator, output: Output, family: Family, slot: str) -> None:
    if g.settling is None:
        return
    if output.name not in g.driven:
        wake(g, family, slot)
    elif output.name in g.recursive:
        with g.code.block("if chg"):
            g.code.line(f"{family.name}_touch[{slot}] = now")


def _stir_root(g: Generator, output: Output) -> None:
    if g.settling is not None and output.name in g.driven and output.name in g.recursive:
        with g.code.block("if chg"):
            g.code.line("root_touch = now")


def _fall_asleep(g: Generator, family: Family, slot: str, *, dozing: bool) -> None:
    """Take the instance off the list of those that are evaluated at ticks."""
    if g.settling is None:
        return
    name = family.name
    with g.code.block(f"if {name}_awhere[{slot}] >= 0"):
        g.code.line(f"{name}_naw -= 1")
        g.code.line(f"w = {name}_awhere[{slot}]")
        g.code.line(f"{name}_awake[w] = {name}_awake[{name}_naw]")
        g.code.line(f"{name}_awhere[{name}_awake[w]] = w")
        g.code.line(f"{name}_awhere[{slot}] = -1")
        if dozing:
            _doze(g, family, slot)
    if not dozing and _dozers(g, family):
        with g.code.block("else"):
            for stream in _dozers(g, family):
                with g.code.block(f"if {stream}_doze[{slot}]"):
                    g.code.line(f"{stream}_doze[{slot}] = False")
                    g.code.line(f"{stream}_dozing -= 1")


def _doze(g: Generator, family: Family, slot: str) -> None:
    """Remember which streams get a value at every tick while the instance sleeps."""
    for member in family.members:
        pace = g.program.output(member).pace
        if g.overs.watched(member) and isinstance(pace, Periodic):
            name = g.name(member)
            with g.code.block(f"if {name}_has[{slot}]"):
                g.code.line(f"{name}_doze[{slot}] = True")
                g.code.line(f"{name}_dozing += 1")


def write_rest(g: Generator) -> None:
    """At the end of a position: wake all whom an event concerns, put to sleep who has settled."""
    if g.settling is None:
        return
    with g.code.block("if is_row"):
        g.code.line("root_touch = now")
        for family in g.model.families.values():
            _wake_all(g, family)
    with g.code.block("else"):
        for family in g.model.families.values():
            if not family.is_single:
                _settle_family(g, family)


def _wake_all(g: Generator, family: Family) -> None:
    """A stream without parameters that all instances read at ticks has a new value."""
    if family.is_single:
        return
    read = {
        a.target.stream
        for member in family.members
        if member in g.driven
        for a in _reads(g.program.output(member).expression)
        if not isinstance(a, Over) and not _is_template(g, a.target.stream)
    }
    if not read:
        return
    with g.code.block(f"if {' or '.join(f'f_{g.name(s)}' for s in sorted(read))}"):
        g.code.line(f"{family.name}_touch_all = now")
        with g.code.block(f"if {family.name}_naw < {family.name}_act"):
            with g.code.block(f"for j in range({family.name}_act)"):
                wake(g, family, f"{family.name}_list[j]")


def _settle_family(g: Generator, family: Family) -> None:
    name = family.name
    with g.code.block(f"if now >= {name}_touch_all + {g.settling}"):
        g.code.line("i = 0")
        with g.code.block(f"while i < {name}_naw"):
            g.code.line(f"s = {name}_awake[i]")
            with g.code.block(f"if now >= {name}_touch[s] + {g.settling}"):
                _fall_asleep(g, family, "s", dozing=True)
            with g.code.block("else"):
                g.code.line("i += 1")


def exports_overs(g: Generator) -> bool:
    return g.over_mode is OverMode.EXPORT and bool(g.model.overs)
