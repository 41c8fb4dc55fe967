"""Which rules are evaluated on columns, and which by the solver.

A component of predicates that depend on each other is on the fast path if all of its rules have its
form, no negation stands inside of a cycle, and it reads nothing that the solver decides. The strata on
the fast path come first: what they derive is given to the solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass

from horae.frontend.graph import components
from horae.languages.lars.check.normal import Excluded, FastRule
from horae.languages.lars.check.normalise import normalise
from horae.languages.lars.program import Program, atoms
from horae.languages.lars.syntax.tree import Rule


@dataclass(frozen=True, slots=True)
class Component:
    """Predicates that are derived together, by rules of the fast path."""

    predicates: frozenset[str]
    rules: tuple[FastRule, ...]

    @property
    def is_recursive(self) -> bool:
        lookups = (lookup for rule in self.rules for lookup in rule.lookups)
        return any(lookup.atom.predicate in self.predicates for lookup in lookups)


@dataclass(frozen=True, slots=True)
class Solved:
    """A rule for the solver, and why it is."""

    rule: Rule
    why: Excluded


@dataclass(frozen=True, slots=True)
class Paths:
    components: tuple[Component, ...]  # of the fast path, in order of evaluation
    solved: tuple[Solved, ...]  # in the order of the program

    @property
    def decided(self) -> frozenset[str]:
        """What the solver derives."""
        return frozenset(p for s in self.solved for p in _heads(s.rule))


def find_paths(program: Program) -> Paths:
    forms = [(rule, normalise(rule)) for rule in program.rules]
    fast: list[Component] = []
    why: dict[str, Excluded] = {}
    for members in components(_graph(program)):
        own = [(rule, form) for rule, form in forms if _heads(rule) & set(members)]
        reason = _reason(frozenset(members), own, why)
        if reason is None:
            rules = tuple(form for _, form in own if isinstance(form, FastRule))
            fast.append(Component(frozenset(members), rules))
        else:
            why |= {name: reason for name in members}
    solved = (_solved(rule, form, why) for rule, form in forms)
    return Paths(tuple(fast), tuple(s for s in solved if s is not None))


def _graph(program: Program) -> dict[str, list[str]]:
    """From each derived predicate to those that its rules read; those of one head hang together."""
    graph: dict[str, list[str]] = {}
    for rule in program.rules:
        heads = sorted(_heads(rule))
        read = [a.predicate for f in rule.body for a in atoms(f)]
        for name in heads:
            graph.setdefault(name, []).extend([*read, *(h for h in heads if h != name)])
    return {name: [r for r in dict.fromkeys(read) if r in graph] for name, read in graph.items()}


def _heads(rule: Rule) -> set[str]:
    return set() if rule.head is None else {atom.predicate for atom in atoms(rule.head)}


def _reason(
    members: frozenset[str],
    own: list[tuple[Rule, FastRule | Excluded]],
    why: dict[str, Excluded],
) -> Excluded | None:
    for _, form in own:
        if isinstance(form, Excluded):
            return form
    unstratified = (e for _, f in own if isinstance(f, FastRule) for e in _unstratified(f, members))
    return next(unstratified, None) or next(_undecided(own, why), None)


def _unstratified(form: FastRule, members: Set[str]) -> Iterator[Excluded]:
    """Negation of what depends on the head again."""
    for lookup in form.lookups:
        if lookup.negated and lookup.atom.predicate in members:
            yield Excluded("negation that is not stratified", lookup.span)


def _undecided(
    own: list[tuple[Rule, FastRule | Excluded]], why: dict[str, Excluded]
) -> Iterator[Excluded]:
    for rule, _ in own:
        for formula in rule.body:
            for atom in atoms(formula):
                if atom.predicate in why:
                    yield Excluded(
                        f"it reads `{atom.predicate}`, which the solver decides", atom.span
                    )


def _solved(rule: Rule, form: FastRule | Excluded, why: dict[str, Excluded]) -> Solved | None:
    """The rule's own reason if it has one, else that of its predicates."""
    if isinstance(form, Excluded):
        return Solved(rule, form)
    reason = why.get(form.head.predicate)
    if reason is None:
        return None
    negated = next(_unstratified(form, {n for n, e in why.items() if e is reason}), None)
    others = {n: e for n, e in why.items() if n != form.head.predicate}
    own = negated or next(_undecided([(rule, form)], others), None)
    return Solved(rule, own or reason)
