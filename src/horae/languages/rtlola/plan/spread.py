"""From a program to its plan: what is spread over shards, what joins them, what stays in one place.

1. Templates that need each other's instances form a component; each component looks for pivots.
2. A component is spread if its instances are read from outside only through operators over instances
   that can be summed over shards.
3. What depends on such operators, and on nothing else, becomes the join. If something needs both rows
   and a spread operator, the operator's component is not spread.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from horae.languages.rtlola.plan.components import outside_reader, template_components
from horae.languages.rtlola.plan.joining import (
    find_mixed,
    joined,
    joining_outputs,
    spread_quantified,
)
from horae.languages.rtlola.plan.pivots import NoPivot, TemplatePivots, find_template_pivots
from horae.languages.rtlola.plan.reads import direct_needs, looks_ahead, name_of, things
from horae.languages.rtlola.plan.stages import Join, Joined, Partition, Shards, Single
from horae.languages.rtlola.program import Always, Evaluated, Output, Periodic, Program, Trigger


def make_partition(program: Program) -> Partition:
    """The stages of a program."""
    ahead = next(filter(looks_ahead, things(program)), None)
    if ahead is not None:
        return one_place(program, (f"{name_of(ahead)}: it looks into the future",))
    pivots, reasons = _spreadable(program)
    while True:
        spread = frozenset(name for found in pivots for name in found.parameter)
        mixed = find_mixed(program, spread)
        if mixed is None:
            return _assemble(program, pivots, tuple(reasons))
        pivots = [p for p in pivots if mixed.templates.isdisjoint(p.parameter)]
        reasons.append(mixed.reason)


def one_place(program: Program, reasons: tuple[str, ...]) -> Partition:
    """The plan that always works."""
    return Partition(program, (), None, Single(program, reasons))


def _spreadable(program: Program) -> tuple[list[TemplatePivots], list[str]]:
    found: list[TemplatePivots] = []
    reasons: list[str] = []
    for component in template_components(program):
        obstacle = outside_reader(program, component)
        pivots = find_template_pivots(program, component) if obstacle is None else obstacle
        if isinstance(pivots, NoPivot):
            reasons.append(f"`{pivots.output}`: {pivots.reason}")
        else:
            found.append(pivots)
    return found, reasons


# --- stages


def _assemble(
    program: Program, pivots: list[TemplatePivots], reasons: tuple[str, ...]
) -> Partition:
    spread = frozenset(name for found in pivots for name in found.parameter)
    joining = joining_outputs(program, spread)
    triggers = joined(program.triggers, spread, joining)
    together = [*(o for o in program.outputs if o.name in joining), *triggers]
    imported = _imported(program, together, spread)
    shards = tuple(_shards(program, group, imported) for group in _by_keys(pivots))
    join = Join(_restrict(program, together), imported) if imported else None
    alone: list[Evaluated] = [o for o in program.outputs if o.name not in spread | joining]
    alone += [t for t in program.triggers if t not in triggers]
    single = Single(_with_ticks(program, alone), reasons) if alone or not shards else None
    return Partition(program, shards, join, single)


def _with_ticks(program: Program, things: Sequence[Evaluated]) -> Program:
    """What is extended at every position is extended at the ticks of all streams."""
    restricted = _restrict(program, things)
    if not any(isinstance(thing.pace, Always) for thing in things):
        return restricted
    paces = [pace for o in program.outputs for pace in (o.pace, o.template.terminate)]
    periods = {pace.period for pace in paces if isinstance(pace, Periodic)}
    return replace(restricted, ticks=tuple(sorted(periods)))


def _by_keys(pivots: list[TemplatePivots]) -> list[list[TemplatePivots]]:
    """Components with the same single key share their shards."""
    groups: dict[tuple[str, ...], list[TemplatePivots]] = {}
    for found in pivots:
        key = found.keys if len(found.keys) == 1 else (*found.keys, *found.parameter)
        groups.setdefault(key, []).append(found)
    return list(groups.values())


def _shards(program: Program, group: list[TemplatePivots], imported: tuple[Joined, ...]) -> Shards:
    names = {name for found in group for name in found.parameter}
    exported = tuple(j for j in imported if j.node.templates[0] in names)
    present = tuple(dict.fromkeys(pair for found in group for pair in found.present))
    outputs = [o for o in program.outputs if o.name in names]
    return Shards(_restrict(program, outputs), group[0].keys, present, exported)


def _imported(
    program: Program, things: Iterable[Evaluated], spread: frozenset[str]
) -> tuple[Joined, ...]:
    found = dict.fromkeys(over for thing in things for over in spread_quantified(thing, spread))
    return tuple(Joined(over, _period(program, over.templates)) for over in found)


def _period(program: Program, templates: tuple[str, ...]) -> Fraction | None:
    """The clock of the first template that has one."""
    paces = [program.output(template).pace for template in templates]
    return next((pace.period for pace in paces if isinstance(pace, Periodic)), None)


def _restrict(program: Program, things: Sequence[Evaluated]) -> Program:
    """The program with these outputs and triggers only, and the inputs that they need."""
    outputs = tuple(thing for thing in things if isinstance(thing, Output))
    needed = {stream for thing in things for stream in direct_needs(thing)}
    names = {output.name for output in outputs}
    return replace(
        program,
        inputs=tuple(i for i in program.inputs if i.name in needed),
        outputs=outputs,
        triggers=tuple(thing for thing in things if isinstance(thing, Trigger)),
        order=tuple(name for name in program.order if name in names),
    )
