"""From a program in normal form to its stages.

Components are taken in order of evaluation. Each joins the stage before it if one choice of pivots
serves both; else a new stage begins, with a shuffle in between. A component without pivots is
evaluated in one shard.
"""

from __future__ import annotations

from dataclasses import replace

from horae.languages.datalogmtl.normal import NormalProgram, NormalRule
from horae.plan.datalogmtl.pivots import NoPivots, Pivots, body_atoms, find_pivots
from horae.plan.datalogmtl.stages import Plan, Stage

_Group = tuple[list[frozenset[str]], Pivots | NoPivots]


def make_plan(normal: NormalProgram) -> Plan:
    groups: list[_Group] = []
    for component in normal.components:
        if _rules(normal, [component]):
            _place(normal, component, groups)
    return Plan(normal, tuple(_stage(normal, *group) for group in groups))


def _place(normal: NormalProgram, component: frozenset[str], groups: list[_Group]) -> None:
    """Into the last group, if that stays spread, or is in one shard anyway; else a new one."""
    alone = _pivots(normal, [component])
    if groups:
        members, before = groups[-1]
        together = _pivots(normal, [*members, component])
        both_spread = isinstance(before, Pivots) and isinstance(together, Pivots)
        both_single = isinstance(before, NoPivots) and isinstance(alone, NoPivots)
        if both_spread or both_single:
            groups[-1] = ([*members, component], together)
            return
    groups.append(([component], alone))


def _rules(normal: NormalProgram, components: list[frozenset[str]]) -> tuple[NormalRule, ...]:
    derived = frozenset().union(*components)
    return tuple(r for r in normal.rules if r.head.predicate in derived)


def _pivots(normal: NormalProgram, components: list[frozenset[str]]) -> Pivots | NoPivots:
    """Only static facts are broadcast from the start: they are in every shard anyway."""
    return find_pivots(_rules(normal, components), frozenset())


def _stage(
    normal: NormalProgram, components: list[frozenset[str]], found: Pivots | NoPivots
) -> Stage:
    rules = _rules(normal, components)
    derives = frozenset(r.head.predicate for r in rules)
    inputs = frozenset(a.predicate for r in rules for a in body_atoms(r)) - derives
    part = replace(normal, rules=rules, components=tuple(components))
    if isinstance(found, NoPivots):
        return Stage(part, inputs, derives, {}, frozenset(), found.reason)
    return Stage(part, inputs, derives, found.places, found.broadcast)
