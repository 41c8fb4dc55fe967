"""From a program in normal form to its stages.

Components are taken in order of evaluation; each joins the earliest stage that it can be spread
with. Then components that only a later stage reads move there, if that stage stays spread: so the
rewriting of one rule is not torn apart by a shuffle. Components that cannot be spread are evaluated
in one shard.
"""

from __future__ import annotations

from collections.abc import Iterator

from horae.languages.datalogmtl.normal import NormalProgram, NormalRule
from horae.languages.datalogmtl.normalise import body_atoms
from horae.plan.datalogmtl.pivots import Pivots, find_pivots
from horae.plan.datalogmtl.route import Component, make_stage, rules_of
from horae.plan.datalogmtl.stages import Obstacle, Plan, Stage


def make_plan(normal: NormalProgram) -> Plan:
    groups = _Groups(normal)
    for component in normal.components:
        groups.place(component)
    for component in reversed(normal.components):
        groups.sink(component)
    filled = [members for members in groups.members if members] or [[]]
    return Plan(normal, tuple(_stages(normal, filled)))


def make_whole_plan(normal: NormalProgram, rule: NormalRule) -> Plan:
    """All in one shard, because of a rule for which no part of the answers is enough."""
    obstacle = Obstacle(rule, "it looks ahead without end at what may go on for ever")
    return Plan(normal, (make_stage(normal, [normal.components], 0, obstacle),))


def _stages(normal: NormalProgram, groups: list[list[Component]]) -> Iterator[Stage]:
    """Components in order of evaluation, also those that moved."""
    order = {component: number for number, component in enumerate(normal.components)}
    members = [tuple(sorted(group, key=order.__getitem__)) for group in groups]
    for number in range(len(members)):
        yield make_stage(normal, members, number)


class _Groups:
    """The components of each stage so far."""

    def __init__(self, normal: NormalProgram) -> None:
        self._normal = normal
        self.members: list[list[Component]] = []
        self._home: dict[str, int] = {}

    def place(self, component: Component) -> None:
        """Not before what it reads."""
        alone = self._is_spread([component])
        for number in range(self._earliest(component), len(self.members)):
            before = self.members[number]
            if self._is_spread(before) == alone == self._is_spread([*before, component]):
                self._put(component, number)
                return
        self.members.append([])
        self._put(component, len(self.members) - 1)

    def sink(self, component: Component) -> None:
        """Into the stage that reads it, if all that read it are later."""
        readers = [
            self._home[rule.head.predicate]
            for rule in self._normal.rules
            if rule.head.predicate not in component and _reads(rule) & component
        ]
        here = self._home[next(iter(component))]
        target = min(readers, default=here)
        if target > here and self._is_spread([*self.members[target], component]):
            self.members[here].remove(component)
            self._put(component, target)

    def _put(self, component: Component, number: int) -> None:
        self.members[number].append(component)
        self._home |= dict.fromkeys(component, number)

    def _earliest(self, component: Component) -> int:
        read = frozenset().union(*map(_reads, rules_of(self._normal, [component])))
        return max((self._home[name] for name in read if name in self._home), default=0)

    def _is_spread(self, components: list[Component]) -> bool:
        return isinstance(find_pivots(rules_of(self._normal, components)), Pivots)


def _reads(rule: NormalRule) -> frozenset[str]:
    return frozenset(atom.predicate for atom in body_atoms(rule))
