"""When a condition holds and a pace is due, and which instances they can concern."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from horae.languages.rtlola.analysis.bindings import Binding, binding
from horae.languages.rtlola.kernel.accesses import slot_of
from horae.languages.rtlola.kernel.expressions import condition
from horae.languages.rtlola.kernel.families import Family, is_own_instance
from horae.languages.rtlola.kernel.scope import LoopScope
from horae.languages.rtlola.program import (
    Access,
    Always,
    Expression,
    Follows,
    Hold,
    Offset,
    Output,
    Pace,
    Periodic,
    Quantified,
    TimeOffset,
    When,
    Window,
    walk,
)

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator

# Writes what is to be done for the instance in a slot.
Body = Callable[[str], None]


def reads(expression: Expression) -> list[Access | Quantified]:
    """What decides whether the expression is considered."""
    return [
        node
        for node in walk(expression)
        if isinstance(node, Quantified)
        or (
            isinstance(node, Hold | Offset | TimeOffset | Window) and not node.target.every_instance
        )
    ]


# --- tests


def any_fresh(g: Generator, accesses: Iterable[Access | Quantified], scope: LoopScope) -> str:
    tests = [_fresh(g, access, scope) for access in accesses]
    return " or ".join(dict.fromkeys(tests)) or "False"


def _fresh(g: Generator, access: Access | Quantified, scope: LoopScope) -> str:
    """Whether what is accessed was extended at this position."""
    if isinstance(access, Quantified):
        return g.cycles.over_is_fresh(access, scope) or f"f_{g.model.over(access).name}"
    stream = access.target.stream
    if not access.target.arguments:
        return _stream_is_fresh(g, stream, "0", scope)
    known = g.code.fresh("k")
    g.code.line(f"{known} = True")
    slot = slot_of(g, access.target, replace(scope, ok=known))
    test = _stream_is_fresh(g, stream, slot, scope)
    return test if slot == scope.slot else f"({known} and {slot} >= 0 and {test})"


def _stream_is_fresh(g: Generator, stream: str, slot: str, scope: LoopScope) -> str:
    if g.cycles.is_open(stream, scope):
        return g.cycles.will_extend(stream, slot, scope)
    return g.fresh_test(stream, slot)


def holds(g: Generator, held: Expression, scope: LoopScope) -> str:
    """A condition is considered where a stream that it reads is extended, and must be known."""
    result = g.code.fresh("h")
    g.code.line(f"{result} = False")
    considered = any_fresh(g, reads(held), replace(scope, only_fresh=True))
    with g.code.block(f"if {considered}"):
        truth, known = condition(g, held, scope)
        g.code.line(f"{result} = {known} and {truth}")
        if scope.rehearsal is not None:
            g.code.line(f"{result} = {result} or {scope.rehearsal}")
    return result


def due(g: Generator, output: Output, scope: LoopScope) -> str:
    """Whether the pace of an output holds for an active instance at this position."""
    match output.pace:
        case Periodic(period=period):
            return g.tick_flag(period)
        case When(condition=held):
            return holds(g, held, scope)
        case Follows(accesses=accesses):
            return any_fresh(g, accesses, scope)
        case Always():
            return "True"
        case _:
            assert_never(output.pace)


# --- candidates


def for_each_candidate(g: Generator, family: Family, pace: Pace, body: Body) -> None:
    """Run `body(slot)` for every active instance that the pace can concern at this position.

    Efficient bindings name the instance; templates of the same family that were extended name it too;
    else all active instances are asked. An instance can be named more than once.
    """
    match pace:
        case Periodic(period=period):
            with g.code.block(f"if {g.tick_flag(period)}"):
                _for_all(g, family, body, awake=True)
        case When(condition=held):
            _for_condition(g, family, held, body)
        case Follows(accesses=accesses):
            _for_reads(g, family, accesses, body)
        case Always():
            _for_all(g, family, body, awake=False)
        case _:
            assert_never(pace)


def _for_condition(g: Generator, family: Family, held: Expression, body: Body) -> None:
    found = complete_binding(g, family, held)
    if found is not None:
        _for_bound(g, family, found, body)
    else:
        _for_reads(g, family, reads(held), body)


def complete_binding(g: Generator, family: Family, held: Expression) -> Binding | None:
    """How the condition names the instances that it can hold for, if it does."""
    found = binding(g.program, held, g.program.output(family.members[0]).parameters)
    return found if found is not None and found.is_complete else None


def _for_all(g: Generator, family: Family, body: Body, *, awake: bool) -> None:
    name, slot, j = family.name, g.code.fresh("s"), g.code.fresh("j")
    sleepers = awake and g.settling is not None
    count, listed = ("naw", "awake") if sleepers else ("act", "list")
    with g.code.block(f"for {j} in range({name}_{count})"):
        g.code.line(f"{slot} = {name}_{listed}[{j}]")
        body(slot)


def _for_bound(g: Generator, family: Family, found: Binding, body: Body) -> None:
    """One lookup per alternative of the condition."""
    for alternative in found.alternatives:
        streams = [b.stream.target.stream for b in alternative.bound]
        fresh = " and ".join(dict.fromkeys(f"f_{g.name(s)}" for s in streams))
        with g.code.block(f"if {fresh}"):
            slot = g.lookup(family, [f"{g.name(s)}_val[0]" for s in streams])
            with g.code.block(f"if {slot} >= 0"):
                body(slot)


def _for_reads(
    g: Generator, family: Family, read: Sequence[Access | Quantified], body: Body
) -> None:
    """Through siblings that were extended, if only those are read; else ask all."""
    siblings = [_sibling(g, family, r) for r in read]
    named = [s for s in siblings if s is not None]
    if named and len(named) == len(siblings):
        for sibling in dict.fromkeys(named):
            j, slot = g.code.fresh("j"), g.code.fresh("s")
            with g.code.block(f"for {j} in range(ne_{sibling})"):
                g.code.line(f"{slot} = {sibling}_ext[{j}]")
                body(slot)
        return
    with g.code.block(f"if {_prefilter(g, read)}"):
        _for_all(g, family, body, awake=False)


def _sibling(g: Generator, family: Family, access: Access | Quantified) -> str | None:
    if isinstance(access, Quantified) or not g.is_template(access.target.stream):
        return None
    same = g.family(access.target.stream).name == family.name
    if same and is_own_instance(access.target, len(family.types)):
        return g.name(access.target.stream)
    return None


def _prefilter(g: Generator, read: Iterable[Access | Quantified]) -> str:
    """False only where nothing that is read was extended for any instance."""
    tests: list[str] = []
    for access in read:
        if isinstance(access, Quantified):
            tests.append(f"f_{g.model.over(access).name}")
        elif g.is_template(access.target.stream):
            tests.append(f"ne_{g.name(access.target.stream)} > 0")
        else:
            tests.append(f"f_{g.name(access.target.stream)}")
    return " or ".join(dict.fromkeys(tests)) or "False"
