"""From a program to its plan: what is spread over shards, what joins them, what stays in one place.

1. Templates that read each other form a component; each component looks for pivots.
2. A component is spread if its instances are read from outside only through operators over instances
   that can be summed over shards.
3. What depends on such operators, and on nothing else, becomes the join. If something needs both rows and
   a spread operator, the operator's component is not spread.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from horae.languages.rtlola.program import (
    Access,
    Expression,
    Follows,
    Hold,
    Offset,
    Output,
    Over,
    Periodic,
    Program,
    TimeOffset,
    Trigger,
    Window,
    walk,
)
from horae.plan.pivots import NoPivot, Pivots, expressions, find_pivots, template_reads
from horae.plan.stages import Join, Joined, Plan, Shards, Single


def make_plan(program: Program) -> Plan:
    """The stages of a program."""
    if any(program.layers.values()):
        return _one_place(program, ("it looks into the future",))
    pivots, reasons = _spreadable(program)
    while True:
        spread = frozenset(name for found in pivots for name in found.parameter)
        mixed = _mixed(program, spread)
        if mixed is None:
            return _assemble(program, pivots, spread, tuple(reasons))
        pivots = [p for p in pivots if mixed[0].isdisjoint(p.parameter)]
        reasons.append(mixed[1])


def _one_place(program: Program, reasons: tuple[str, ...]) -> Plan:
    return Plan(program, (), None, Single(program, reasons))


# --- which components can be spread


def _spreadable(program: Program) -> tuple[list[Pivots], list[str]]:
    found: list[Pivots] = []
    reasons: list[str] = []
    for component in _components(program):
        outside = _outside_reader(program, component)
        pivots = find_pivots(program, component) if outside is None else outside
        if isinstance(pivots, NoPivot):
            reasons.append(f"`{pivots.output}`: {pivots.reason}")
        else:
            found.append(pivots)
    return found, reasons


def _components(program: Program) -> list[tuple[str, ...]]:
    """Templates connected by what they read of each other, in the order of the source."""
    group = {o.name: o.name for o in program.outputs if o.parameters}
    for output in program.outputs:
        for access in template_reads(output):
            if output.name in group:
                old, new = group[output.name], group[access.target.stream]
                group = {name: new if g == old else g for name, g in group.items()}
    members: dict[str, list[str]] = {}
    for name, leader in group.items():
        members.setdefault(leader, []).append(name)
    return [tuple(names) for names in members.values()]


def _outside_reader(program: Program, component: tuple[str, ...]) -> NoPivot | None:
    """Somebody who reads an instance directly, or through an operator that cannot be summed."""
    for reader, expression in _outside(program, component):
        for node in walk(expression):
            if isinstance(node, Over):
                if not set(component).isdisjoint(node.templates) and not _can_be_summed(program, node):
                    return NoPivot(component[0], f"{reader} needs all instances at once")
            elif (
                isinstance(node, Hold | Offset | TimeOffset | Window)
                and node.target.stream in component
                and not node.target.every_instance
            ):
                return NoPivot(component[0], f"{reader} reads one of its instances")
    invoking = {s for o in program.outputs for s in o.template.invoke}
    for name in component:
        if name in invoking:
            return NoPivot(name, "its values invoke instances")
    return None


def _outside(program: Program, component: tuple[str, ...]) -> Iterator[tuple[str, Expression]]:
    for output in program.outputs:
        if output.name not in component:
            yield from ((f"`{output.name}`", e) for e in expressions(output))
    for trigger in program.triggers:
        yield f"trigger {trigger.number}", trigger.condition


def _can_be_summed(program: Program, over: Over) -> bool:
    """Counters per shard add up: the condition looks at the latest values of one instance."""
    lives = {_life(program.output(t)) for t in over.templates}
    periods = {_period(program.output(t)) for t in over.templates}
    return len(lives) == 1 and len(periods) == 1 and _looks_at_latest(over)


def _life(output: Output) -> object:
    template = output.template
    return (tuple(p.type for p in template.parameters), template.invoke, repr(template.terminate))


def _period(output: Output) -> Fraction | None:
    return output.pace.period if isinstance(output.pace, Periodic) else None


def _looks_at_latest(over: Over) -> bool:
    nodes = () if over.condition is None else walk(over.condition)
    return all(
        node.target.every_instance if isinstance(node, Hold) else True
        for node in nodes
        if isinstance(node, Hold | Offset | TimeOffset | Window)
    ) and not any(isinstance(n, Offset | TimeOffset | Window) for n in _nodes(over))


def _nodes(over: Over) -> Iterator[Expression]:
    if over.condition is not None:
        yield from walk(over.condition)


# --- what depends on spread operators


def _mixed(program: Program, spread: frozenset[str]) -> tuple[set[str], str] | None:
    """Templates under an operator that is needed together with rows, and the reason."""
    rest = [o for o in program.outputs if o.name not in spread]
    joining = _joining(rest, spread)
    things: list[Output | Trigger] = [*(o for o in rest if o.name in joining), *program.triggers]
    for thing in things:
        overs = set(_spread_overs(thing, spread)) | {o for o in joining if _reads(thing, o)}
        if not overs:
            continue
        for access in _plain_reads(thing):
            if access.target.stream not in joining:
                name = thing.name if isinstance(thing, Output) else f"trigger {thing.number}"
                reason = f"`{name}` needs `{access.target.stream}` together with all instances"
                return _templates_behind(program, thing, joining, spread), reason
        if any(isinstance(o, Over) and o.templates[0] not in spread for o in _overs(thing)):
            return _templates_behind(program, thing, joining, spread), "operators over instances mix"
    return None


def _joining(rest: list[Output], spread: frozenset[str]) -> set[str]:
    """Outputs that depend on a spread operator."""
    joining: set[str] = set()
    while True:
        more = {
            o.name
            for o in rest
            if o.name not in joining
            and (any(_spread_overs(o, spread)) or any(_reads(o, name) for name in joining))
        }
        if not more:
            return joining
        joining |= more


def _all_expressions(thing: Output | Trigger) -> Iterator[Expression]:
    if isinstance(thing, Trigger):
        yield thing.condition
    else:
        yield from expressions(thing)
    if isinstance(thing.pace, Follows):
        yield from thing.pace.accesses


def _overs(thing: Output | Trigger) -> Iterator[Over]:
    for expression in _all_expressions(thing):
        yield from (n for n in walk(expression) if isinstance(n, Over))


def _spread_overs(thing: Output | Trigger, spread: frozenset[str]) -> Iterator[Over]:
    return (o for o in _overs(thing) if o.templates[0] in spread)


def _plain_reads(thing: Output | Trigger) -> Iterator[Access]:
    for expression in _all_expressions(thing):
        for node in walk(expression):
            if isinstance(node, Hold | Offset | TimeOffset | Window) and not node.target.every_instance:
                yield node


def _reads(thing: Output | Trigger, name: str) -> bool:
    invoked = isinstance(thing, Output) and name in thing.template.invoke
    return invoked or any(a.target.stream == name for a in _plain_reads(thing))


def _templates_behind(
    program: Program, thing: Output | Trigger, joining: set[str], spread: frozenset[str]
) -> set[str]:
    """The spread templates that a thing depends on, also through other outputs."""
    found = {t for o in _spread_overs(thing, spread) for t in o.templates}
    for name in joining:
        if _reads(thing, name) and not (isinstance(thing, Output) and thing.name == name):
            rest = joining - {name}
            found |= _templates_behind(program, program.output(name), rest, spread)
    return found


# --- stages


def _assemble(
    program: Program, pivots: list[Pivots], spread: frozenset[str], reasons: tuple[str, ...]
) -> Plan:
    rest = [o for o in program.outputs if o.name not in spread]
    joining = _joining(rest, spread)
    joined_triggers = [
        t
        for t in program.triggers
        if any(_spread_overs(t, spread)) or any(_reads(t, name) for name in joining)
    ]
    imported = _imported(program, [*(o for o in rest if o.name in joining), *joined_triggers], spread)
    shards = tuple(_shards(program, group, imported) for group in _by_keys(pivots))
    alone = [o.name for o in rest if o.name not in joining]
    other_triggers = [t for t in program.triggers if t not in joined_triggers]
    join = Join(_restrict(program, joining, joined_triggers), imported) if imported else None
    single = None
    if alone or other_triggers or not (shards or join):
        single = Single(_restrict(program, set(alone), other_triggers), reasons)
    return Plan(program, shards, join, single)


def _by_keys(pivots: list[Pivots]) -> list[list[Pivots]]:
    groups: dict[tuple[str, ...], list[Pivots]] = {}
    for found in pivots:
        key = found.keys if len(found.keys) == 1 else (*found.keys, *found.parameter)
        groups.setdefault(key, []).append(found)
    return list(groups.values())


def _shards(program: Program, group: list[Pivots], imported: tuple[Joined, ...]) -> Shards:
    names = {name for found in group for name in found.parameter}
    exported = tuple(j for j in imported if j.node.templates[0] in names)
    present = tuple(dict.fromkeys(pair for found in group for pair in found.present))
    return Shards(_restrict(program, names, []), group[0].keys, present, exported)


def _imported(
    program: Program, things: list[Output | Trigger], spread: frozenset[str]
) -> tuple[Joined, ...]:
    overs = dict.fromkeys(o for thing in things for o in _spread_overs(thing, spread))
    return tuple(Joined(o, _period(program.output(o.templates[0]))) for o in overs)


def _restrict(program: Program, names: set[str], triggers: list[Trigger]) -> Program:
    """The program with these outputs and triggers only, and the inputs that they need."""
    outputs = tuple(o for o in program.outputs if o.name in names)
    things: list[Output | Trigger] = [*outputs, *triggers]
    read = {a.target.stream for thing in things for a in _plain_reads(thing)}
    read |= {stream for output in outputs for stream in output.template.invoke}
    return replace(
        program,
        inputs=tuple(i for i in program.inputs if i.name in read),
        outputs=outputs,
        triggers=tuple(triggers),
        order=tuple(name for name in program.order if name in names),
    )
