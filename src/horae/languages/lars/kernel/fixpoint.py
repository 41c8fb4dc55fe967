"""The least model of the components on the fast path, over a chunk of evaluation times.

Semi-naive: after the first round a rule is evaluated with the rows that are new, each whole coalesced
interval of them, in one of its lookups at a time.
"""

from __future__ import annotations

import numpy as np

from horae.languages.lars.check.paths import Component
from horae.languages.lars.kernel.growth import Growth
from horae.languages.lars.kernel.held import AtomSource
from horae.languages.lars.kernel.lookups import View
from horae.languages.lars.kernel.own_keys import OwnKeys
from horae.languages.lars.kernel.rules import ExecutableRule
from horae.rules.intervals.join import subtract
from horae.rules.intervals.relation import Relation, clip, grown, relation

AtomSources = dict[str, AtomSource]


class ExecutableComponent:
    """A component with its rules, ready to run over any number of chunks."""

    def __init__(self, component: Component, own: OwnKeys | None = None) -> None:
        self._component = component
        self._rules = [ExecutableRule(rule, own) for rule in component.rules]

    def saturate(self, known: AtomSources, view: View) -> None:
        """Derive all that follows from `known`, into `known`."""
        found = [(r, r.evaluate(known.__getitem__, view)) for r in self._rules]
        growth = Growth(self._component, view)
        while True:
            changed = self._merge(known, found, view)
            if not changed or not self._component.is_recursive:
                return
            growth.check(changed, known)
            found = [
                (rule, rows)
                for rule in self._rules
                for rows in rule.evaluate_new(known.__getitem__, changed, view)
            ]

    def _merge(
        self,
        known: AtomSources,
        found: list[tuple[ExecutableRule, Relation]],
        view: View,
    ) -> dict[str, AtomSource]:
        """Add what was found; tell which rows are new."""
        changed: dict[str, AtomSource] = {}
        for name in sorted(self._component.predicates):
            old = known[name]
            now, at = (
                _collected([r for rule, r in found if _is_for(rule, name, timed)], old, timed, view)
                for timed in (False, True)
            )
            all_now, new_now = grown(old.now, now) if now is not None else (old.now, None)
            all_at, new_at = grown(old.at, at) if at is not None else (old.at, None)
            known[name] = old.with_derived(all_now, all_at)
            new = old.only_new(_rows(new_now, old.width), _rows(new_at, old.width + 1))
            if len(new.now) or len(new.at):
                changed[name] = new
        return changed


def _is_for(rule: ExecutableRule, name: str, timed: bool) -> bool:
    return rule.rule.head.predicate == name and (rule.rule.when is not None) is timed


def _collected(parts: list[Relation], old: AtomSource, timed: bool, view: View) -> Relation | None:
    """What rules derive, without what is background data."""
    if not parts:
        return None
    rows = clip(
        relation(
            np.concatenate([p.arguments for p in parts]),
            np.concatenate([p.lo for p in parts]),
            np.concatenate([p.hi for p in parts]),
        ),
        view.chunk.lo,
        view.chunk.hi,
    )
    if len(old.static) == 0 or len(rows) == 0:
        return rows
    if old.width == 0:
        return rows.take(np.zeros(len(rows), bool))
    kept, lo, hi = subtract(rows, old.static, tuple((i, i) for i in range(old.width)))
    return relation(rows.arguments[kept], lo, hi)


def _rows(rows: Relation | None, width: int) -> Relation:
    if rows is not None:
        return rows
    nothing = np.empty(0, np.int64)
    return Relation(np.empty((0, width), np.int64), nothing, nothing)
