"""What depends on operators over spread instances, and whether that can stand in a stage of its own.

The stage that joins shards sees their counters and clocks, no rows. Something that needs rows too cannot
be there, so the instances that it asks for must not be spread.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from horae.languages.rtlola.plan.reads import direct_needs, name_of, needs, quantified
from horae.languages.rtlola.program import Always, Evaluated, Program, Quantified


@dataclass(frozen=True, slots=True)
class Mixed:
    """Templates that must not be spread, because somebody needs them together with rows."""

    templates: frozenset[str]
    reason: str


def joining_outputs(program: Program, spread: frozenset[str]) -> frozenset[str]:
    """The outputs outside of the shards that depend on a spread operator, also through others."""
    found: set[str] = set()
    while True:
        seeds = found | spread
        more = {
            output.name
            for output in program.outputs
            if output.name not in seeds and not seeds.isdisjoint(needs(output))
        }
        if not more:
            return frozenset(found)
        found |= more


def joined(
    things: Iterable[Evaluated], spread: frozenset[str], joining: frozenset[str]
) -> list[Evaluated]:
    """The outputs and triggers that belong into the join."""
    return [thing for thing in things if not (spread | joining).isdisjoint(needs(thing))]


def spread_quantified(thing: Evaluated, spread: frozenset[str]) -> Iterator[Quantified]:
    return (over for over in quantified(thing) if over.templates[0] in spread)


def find_mixed(program: Program, spread: frozenset[str]) -> Mixed | None:
    """The first thing that cannot stand in the join though it depends on it."""
    joining = joining_outputs(program, spread)
    outside = [output for output in program.outputs if output.name not in spread]
    for thing in joined([*outside, *program.triggers], spread, joining):
        obstacle = _obstacle(thing, spread, joining)
        if obstacle is not None:
            behind = _templates_behind(program, thing, joining, spread)
            return Mixed(frozenset(behind), f"{name_of(thing)}: {obstacle}")
    return None


def _obstacle(thing: Evaluated, spread: frozenset[str], joining: frozenset[str]) -> str | None:
    for stream in direct_needs(thing):
        if stream not in joining:
            return f"it needs `{stream}` together with all instances"
    for over in quantified(thing):
        if over.templates[0] not in spread:
            return f"it needs the instances of `{over.templates[0]}` together with those in shards"
    if isinstance(thing.pace, Always):
        return "it is extended at every position"
    return None


def _templates_behind(
    program: Program, thing: Evaluated, joining: frozenset[str], spread: frozenset[str]
) -> set[str]:
    """The spread templates that a thing depends on, also through other outputs."""
    found = {template for over in spread_quantified(thing, spread) for template in over.templates}
    for name in needs(thing) & joining:
        found |= _templates_behind(program, program.output(name), joining - {name}, spread)
    return found
