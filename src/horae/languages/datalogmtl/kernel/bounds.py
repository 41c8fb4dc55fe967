"""What certainly holds and what possibly holds, where derivations are cut off.

Behind the window of a component that goes on for ever nothing is known: certainly nothing holds
there, possibly every atom that could be derived if all times were one. From both assumptions the
rules are applied as usual, with the other bound under a `not`. The truth lies between; where both
agree, they are the truth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from horae.data.cuts import FUTURE, PAST
from horae.languages.datalogmtl.kernel.complete import Asked, EndlessComponent, complete
from horae.languages.datalogmtl.kernel.fixpoint import Fixpoint, Relations, Window
from horae.languages.datalogmtl.kernel.tails import Side, everlasting
from horae.rules.intervals.growing import Growing
from horae.rules.intervals.relation import Relation, clip, empty


@dataclass
class Bounds:
    """Relations by predicate; the same object in both where nothing was cut off.

    Before the cut `asked_from` no more was computed than what is easy.
    """

    certain: Relations
    possible: Relations
    asked_from: int

    def agree(self, name: str, lo: int, hi: int) -> bool:
        """Whether a predicate is known between two cuts."""
        certain, possible = self.certain.get(name), self.possible.get(name)
        if certain is possible or certain is None or possible is None:
            return True
        a, b = clip(certain, lo, hi), clip(possible, lo, hi)
        return len(a) == len(b) and all(
            np.array_equal(x, y)
            for x, y in ((a.arguments, b.arguments), (a.lo, b.lo), (a.hi, b.hi))
        )

    def rows(self) -> int:
        return sum(len(rows) for rows in self.certain.values())


def bound(
    components: Sequence[EndlessComponent],
    held: Relations,
    widths: Mapping[str, int],
    lo: int,
    hi: int,
) -> Bounds:
    """Both bounds of all components, computed at least from one cut to another."""
    bounds, asked = Bounds(dict(held), dict(held), lo), Asked(lo, hi)
    for component in components:
        found = complete(component, bounds.certain, bounds.possible, widths, asked)
        upper = found.found
        if found.open_sides or _differ(component, bounds):
            window = Window(min(found.window.lo, lo), max(found.window.hi, hi))
            upper = _possible(component, bounds, found.found, widths, window, found.open_sides)
        bounds.certain |= found.found
        bounds.possible |= upper
    return bounds


def _differ(component: EndlessComponent, bounds: Bounds) -> bool:
    read = (component.reads | component.negates) - component.predicates
    return any(bounds.certain.get(n) is not bounds.possible.get(n) for n in read)


def _possible(
    component: EndlessComponent,
    bounds: Bounds,
    certain: Relations,
    widths: Mapping[str, int],
    window: Window,
    sides: frozenset[Side],
) -> Relations:
    """What follows if beyond the open sides all holds that ever could; and what certainly holds.

    A side that is open only for what possibly holds is open too.
    """
    atoms = _timeless(component, bounds.possible, widths)
    while True:
        found, more = _assume(component, bounds, certain, widths, window, atoms, sides)
        if more <= sides:
            return found
        sides |= more


def _timeless(
    component: EndlessComponent, held: Mapping[str, Relation], widths: Mapping[str, int]
) -> Relations:
    """The tuples that could be derived at some time: as if all that holds at some time held always."""
    always = {name: everlasting(held[name]) for name in component.reads if name in held}
    fixpoint = Fixpoint(component.rules, component.predicates, always, {}, widths)
    fixpoint.start(Window(PAST, FUTURE))
    return {name: fixpoint.relation(name) for name in component.predicates}


def _assume(
    component: EndlessComponent,
    bounds: Bounds,
    certain: Relations,
    widths: Mapping[str, int],
    window: Window,
    atoms: Relations,
    sides: frozenset[Side],
) -> tuple[Relations, frozenset[Side]]:
    """The closure with all atoms beyond some sides, and the sides that it goes beyond."""
    held = {name: bounds.possible[name] for name in component.reads if name in bounds.possible}
    for name in component.predicates:
        whole = Growing(held.get(name, empty(widths[name])))
        whole.add(certain[name])  # so it need not be derived again, step by step
        if Side.AFTER in sides:
            whole.add(clip(atoms[name], window.hi, FUTURE))
        if Side.BEFORE in sides:
            whole.add(clip(atoms[name], PAST, window.lo))
        held[name] = whole.relation()
    fixpoint = Fixpoint(component.rules, component.predicates, held, bounds.certain, widths)
    fixpoint.start(window)
    outside = fixpoint.outside().values()
    after = any(bool((rows.hi > window.hi).any()) for rows in outside)
    before = any(bool((rows.lo < window.lo).any()) for rows in outside)
    found = {name: fixpoint.relation(name) for name in component.predicates}
    return found, frozenset([Side.AFTER] * after + [Side.BEFORE] * before)
