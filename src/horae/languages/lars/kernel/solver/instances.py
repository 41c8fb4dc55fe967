"""Grounding: the instances of the rules whose bodies may come true, and the atoms they may derive.

Bottom-up, semi-naive: an instance is searched with the atoms that are given or may be derived, as
if nothing were negated; what its head can make true may be derived too, until nothing new comes.
Input and background data decide at once what they can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from horae.data.constants import Value
from horae.languages.lars import catalogue
from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.kernel.solver.contexts import Windows
from horae.languages.lars.kernel.solver.formulas import TRUE
from horae.languages.lars.kernel.solver.ground import Grounder
from horae.languages.lars.kernel.solver.heads import head_atoms
from horae.languages.lars.kernel.solver.instant import Instant
from horae.languages.lars.kernel.solver.matching import Search
from horae.languages.lars.kernel.solver.patterns import Each
from horae.languages.lars.kernel.solver.plans import RulePlan
from horae.languages.lars.kernel.solver.reach import Budget
from horae.languages.lars.kernel.solver.store import Layers, Store
from horae.languages.lars.kernel.solver.truth import Atoms
from horae.languages.lars.kernel.solver.values import Binding
from horae.source.errors import InputError

LIMIT = 200_000
"""So many atoms may be derived at one evaluation time."""


@dataclass(frozen=True, eq=False)
class Instance:
    plan: RulePlan
    binding: Binding
    heads: tuple[TimedAtom, ...]


@dataclass
class Grounding:
    """The state of one evaluation while its instances are searched."""

    instant: Instant
    plans: Sequence[RulePlan]
    derived: frozenset[str]
    windows: Windows = field(init=False)
    atoms: Atoms = field(init=False)
    instances: list[Instance] = field(default_factory=list)

    def __post_init__(self) -> None:
        instant = self.instant
        self.windows = Windows(instant.data)
        self.atoms = Atoms(instant.data, frozenset(instant.known))
        self._added = Store(instant.known, self.derived)
        self._budget = Budget(instant.time)
        self._given = self.grounder()
        self._seen: list[set[tuple[Value, ...]]] = [set() for _ in self.plans]
        self._fresh: list[TimedAtom] = []
        self._checked: dict[tuple[int, tuple[Value, ...]], bool] = {}

    def grounder(self) -> Grounder:
        """A grounder with the atoms that are known by now."""
        return Grounder(self.atoms, self.windows, self.atoms.marks(), self._budget)

    def run(self) -> None:
        search = self._search()
        for number, plan in enumerate(self.plans):
            self._collect(number, search, plan.pattern)
        while self._fresh:
            fresh, self._fresh = self._fresh, []
            self._continue(fresh)

    def _continue(self, fresh: list[TimedAtom]) -> None:
        """One more round, with the atoms that are new since the last."""
        for atom in fresh:
            self._added.add(atom)
        news, predicates = Store(fresh), {atom.predicate for atom in fresh}
        for number, plan in enumerate(self.plans):
            for predicate, focus, pattern in plan.variations:
                if predicate in predicates:
                    self._collect(number, self._search(news, focus), pattern)

    def _search(self, news: Store | None = None, focus: int = -1) -> Search:
        data = self.instant.data
        store = Layers(data.store, self._added)
        return Search(self.windows, store, data.store, data.always, news, focus)

    def _guard(self, size: int) -> None:
        if size > LIMIT:
            raise catalogue.TOO_MANY_ATOMS(most=LIMIT, time=str(self.instant.time))

    def _collect(self, number: int, search: Search, pattern: Each) -> None:
        plan, seen = self.plans[number], self._seen[number]
        if seen and not plan.kept:
            return  # without variables there is one instance
        for binding in self._complete(plan, search, pattern):
            key = tuple(binding[name] for name in plan.kept)
            if key not in seen and plan.existence.allows(binding) and self._holds(plan, binding):
                seen.add(key)
                self._keep(plan, dict(zip(plan.kept, key, strict=True)))

    def _keep(self, plan: RulePlan, binding: Binding) -> None:
        heads = tuple(islice(self._heads(plan, binding), LIMIT + 1))
        self.instances.append(Instance(plan, binding, heads))
        self._fresh.extend(atom for atom in heads if self.atoms.add(atom))
        self._guard(max(len(heads), len(self.atoms.numbers)))

    def _heads(self, plan: RulePlan, binding: Binding) -> Iterator[TimedAtom]:
        head = plan.rule.head
        if head is None:
            return iter(())
        return head_atoms(head, binding, self.windows, self.instant.time)

    def _complete(self, plan: RulePlan, search: Search, pattern: Each) -> Iterator[Binding]:
        """The matches with all variables bound. A second search uses what the first bound too late."""
        for binding in search.matches(pattern, self.instant.time, {}):
            if all(name in binding for name in plan.variables):
                yield binding
            else:
                yield from self._again(plan, search, pattern, binding)

    def _again(
        self, plan: RulePlan, search: Search, pattern: Each, binding: Binding
    ) -> Iterator[Binding]:
        for found in search.matches(pattern, self.instant.time, binding):
            if all(name in found for name in plan.variables):
                yield found
            elif len(found) > len(binding):
                yield from self._again(plan, search, pattern, found)
            elif not search.is_last:
                yield from self._again(plan, replace(search, is_last=True), pattern, found)
            else:
                raise _endless(next(n for n in plan.variables if n not in found), self.instant)

    def _holds(self, plan: RulePlan, binding: Binding) -> bool:
        """Whether all holds that can be decided from what is given."""
        for check in plan.checks:
            key = (id(check), tuple(binding[name] for name in check.variables))
            if key not in self._checked:
                truth = self._given.ground(check.formula, binding, self.instant.time)
                self._checked[key] = truth == TRUE
            if not self._checked[key]:
                return False
        return True


def _endless(name: str, instant: Instant) -> InputError:
    return catalogue.ENDLESS_TIME_POINTS(name=name, time=str(instant.time))
