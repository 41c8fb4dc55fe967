"""From a program in normal form to its stages.

Components are taken in order of evaluation; each joins the earliest stage that it can be spread
with. Then components that only a later stage reads move there, if that stage stays spread: so the
rewriting of one rule is not torn apart by a shuffle. Components that cannot be spread are evaluated
in one shard.
"""

from __future__ import annotations

from collections.abc import Iterator

from horae.languages.datalogmtl.check.normal import NormalProgram, NormalRule
from horae.languages.datalogmtl.check.normalise import body_atoms
from horae.languages.datalogmtl.plan.pivots import Pivots, extends_pivots, find_rule_pivots
from horae.languages.datalogmtl.plan.route import RuleComponent, make_stage
from horae.languages.datalogmtl.plan.stages import Obstacle, RuleStage, StagedProgram


def make_stages(normal: NormalProgram) -> StagedProgram:
    groups = _Groups(normal)
    for component in normal.components:
        groups.place(component)
    for component in reversed(normal.components):
        groups.sink(component)
    filled = [members for members in groups.members if members] or [[]]
    return StagedProgram(normal, tuple(_stages(normal, filled)))


def make_one_stage(normal: NormalProgram, rule: NormalRule) -> StagedProgram:
    """All in one shard, because of a rule for which no part of the answers is enough."""
    obstacle = Obstacle(rule, "it looks ahead without end at what may go on for ever")
    return StagedProgram(normal, (make_stage(normal, [normal.components], 0, obstacle),))


def _stages(normal: NormalProgram, groups: list[list[RuleComponent]]) -> Iterator[RuleStage]:
    """Components in order of evaluation, also those that moved."""
    order = {component: number for number, component in enumerate(normal.components)}
    members = [tuple(sorted(group, key=order.__getitem__)) for group in groups]
    for number in range(len(members)):
        yield make_stage(normal, members, number)


class _Groups:
    """The components of each stage so far; `_keys`: how it is spread, None if it is not."""

    def __init__(self, normal: NormalProgram) -> None:
        self.members: list[list[RuleComponent]] = []
        self._keys: list[Pivots | None] = []
        self._home: dict[str, int] = {}
        owner = {name: component for component in normal.components for name in component}
        self._rules: dict[RuleComponent, list[NormalRule]] = {c: [] for c in normal.components}
        self._readers: dict[RuleComponent, set[str]] = {c: set() for c in normal.components}
        for rule in normal.rules:
            own = owner[rule.head.predicate]
            self._rules[own].append(rule)
            for name in _reads(rule) & owner.keys() - own:
                self._readers[owner[name]].add(rule.head.predicate)

    def place(self, component: RuleComponent) -> None:
        """Not before what it reads."""
        alone = self._spread([component])
        for number in range(self._earliest(component), len(self.members)):
            if self._fits(component, alone, number):
                self._put(component, number)
                return
        self.members.append([])
        self._keys.append(alone)
        self._put(component, len(self.members) - 1)

    def sink(self, component: RuleComponent) -> None:
        """Into the stage that reads it, if all that read it are later."""
        here = self._home[next(iter(component))]
        target = min((self._home[name] for name in self._readers[component]), default=here)
        if target > here and self._spread([*self.members[target], component]) is not None:
            self.members[here].remove(component)
            self._put(component, target)

    def _fits(self, component: RuleComponent, alone: Pivots | None, number: int) -> bool:
        """Whether a stage is spread together with a component as both are alone.

        What nobody in the stage reads can mostly be added without another choice of keys.
        """
        before = self._keys[number]
        if before is None or alone is None:
            return before is alone
        if extends_pivots(before, self._rules[component]):
            return True
        together = self._spread([*self.members[number], component])
        self._keys[number] = together or before
        return together is not None

    def _put(self, component: RuleComponent, number: int) -> None:
        self.members[number].append(component)
        self._home |= dict.fromkeys(component, number)

    def _earliest(self, component: RuleComponent) -> int:
        read = frozenset().union(*map(_reads, self._rules[component]))
        return max((self._home[name] for name in read if name in self._home), default=0)

    def _spread(self, components: list[RuleComponent]) -> Pivots | None:
        rules = [rule for component in components for rule in self._rules[component]]
        found = find_rule_pivots(tuple(rules))
        return found if isinstance(found, Pivots) else None


def _reads(rule: NormalRule) -> frozenset[str]:
    return frozenset(atom.predicate for atom in body_atoms(rule))
