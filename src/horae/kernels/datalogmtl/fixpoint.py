"""The least fixpoint, component by component, semi-naive.

After each round the new intervals are merged into what held before; what is *new* for the next
round is every merged interval that did not exist, whole. So a box sees the old and the new part of
an interval as one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from horae.kernels.datalogmtl.rules import Executable, Lookup, collect, positive_atoms
from horae.kernels.intervals.relation import Relation, clip, empty, grown

Relations = dict[str, Relation]
Clip = tuple[int, int]
Within = Callable[[str], Clip]
"""The part of the timeline in which a predicate is derived."""
Watch = Callable[[Relation], None]
View = Callable[[Executable], Lookup]


def no_watch(_: Relation) -> None:
    """Any growth is fine."""


def saturate(
    rules: list[Executable],
    component: frozenset[str],
    held: Relations,
    widths: Mapping[str, int],
    within: Within,
    watch: Watch = no_watch,
    view: View | None = None,
) -> None:
    """Close `held` under the rules of one component; what they derive lies `within` its part.

    `view` tells what each rule sees in the first round; by default, what holds.
    """
    own = [rule for rule in rules if rule.head.predicate in component]
    see = view or (lambda _: _lookup(held, widths))
    found = _first_round(own, see, widths, within)
    recursive = [r for r in own if _reads(r) & component]
    while any(len(r) for r in found.values()):
        new = _merge(held, found, widths)
        if not recursive:
            return
        for changed in new.values():
            watch(changed)
        found = _next_round(recursive, held, new, widths, within)


def _reads(rule: Executable) -> frozenset[str]:
    return frozenset(atom.predicate for atom in positive_atoms(rule.rule))


def _lookup(held: Relations, widths: Mapping[str, int]) -> Callable[[str], Relation]:
    return lambda predicate: held.get(predicate, empty(widths[predicate]))


def _first_round(
    rules: list[Executable], view: View, widths: Mapping[str, int], within: Within
) -> Relations:
    parts: dict[str, list[Relation]] = {}
    for rule in rules:
        derived = rule.evaluate(view(rule))
        parts.setdefault(rule.head.predicate, []).append(
            clip(derived, *within(rule.head.predicate))
        )
    return {name: collect(rows, widths[name]) for name, rows in parts.items()}


def _next_round(
    rules: list[Executable],
    held: Relations,
    new: Relations,
    widths: Mapping[str, int],
    within: Within,
) -> Relations:
    parts: dict[str, list[Relation]] = {}
    for rule in rules:
        for derived in rule.evaluate_new(_lookup(held, widths), new):
            parts.setdefault(rule.head.predicate, []).append(
                clip(derived, *within(rule.head.predicate))
            )
    return {name: collect(rows, widths[name]) for name, rows in parts.items()}


def _merge(held: Relations, found: Relations, widths: Mapping[str, int]) -> Relations:
    """Add what was found; tell what is new."""
    new: Relations = {}
    for name, rows in found.items():
        held[name], new[name] = grown(held.get(name, empty(widths[name])), rows)
    return {name: rows for name, rows in new.items() if len(rows)}
