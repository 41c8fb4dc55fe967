"""How long after a time point a predicate is decided there: future operators must wait.

Looking ahead by b adds b; looking back by at least a takes a off again. Recursion through the
future is feasible only if no cycle adds up to more than 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from horae.languages.datalogmtl.check.normal import JoinRule, Link, NormalProgram, NormalRule, Step
from horae.languages.datalogmtl.syntax.tree import BinaryOperator, Operator


@dataclass(frozen=True, slots=True)
class Infeasible:
    """No bounded delay exists: the rules, one after the other, that wait for each other."""

    why: str
    path: tuple[NormalRule, ...]


@dataclass(frozen=True, slots=True)
class _Wait:
    """The head is decided `by` after the body is; None: only at the end of time."""

    body: str
    head: str
    by: Fraction | None
    rule: NormalRule


def find_delays(normal: NormalProgram) -> dict[str, Fraction] | Infeasible:
    """A delay per predicate that is not 0, or why there is none."""
    place = {name: n for n, names in enumerate(normal.components) for name in names}
    rules = sorted(normal.rules, key=lambda rule: place[rule.head.predicate])
    waits = [wait for rule in rules for wait in _waits(rule)]  # bodies before their heads
    endless = next((w for w in waits if w.by is None), None)
    if endless is not None:
        return Infeasible(f"`{endless.head}` looks ahead without end", (endless.rule,))
    delays: dict[str, Fraction] = {}
    causes: dict[str, _Wait] = {}
    predicates = {w.head for w in waits} | {w.body for w in waits}
    changed: str | None = ""
    for _ in range(len(predicates) + 1):
        changed = _relax(waits, delays, causes)
        if changed is None:
            return {name: delay for name, delay in delays.items() if delay}
    assert changed, "a delay that still grows has a cause"
    return Infeasible("the rules wait for each other", _cycle(changed, causes))


def _relax(waits: list[_Wait], delays: dict[str, Fraction], causes: dict[str, _Wait]) -> str | None:
    changed = None
    for wait in waits:
        assert wait.by is not None
        needed = max(delays.get(wait.body, Fraction(0)) + wait.by, Fraction(0))
        if needed > delays.get(wait.head, Fraction(0)):
            delays[wait.head] = needed
            causes[wait.head] = wait
            changed = wait.head
    return changed


def _cycle(start: str, causes: dict[str, _Wait]) -> tuple[NormalRule, ...]:
    """Follow the causes back until a predicate comes again."""
    seen: list[str] = []
    name = start
    while name not in seen:
        seen.append(name)
        name = causes[name].body
    loop = seen[seen.index(name) :]
    return tuple(causes[n].rule for n in reversed(loop))


def _waits(rule: NormalRule) -> list[_Wait]:
    head = rule.head.predicate
    match rule:
        case Step(operator=operator, interval=interval, body=body):
            if operator in (Operator.BOX_PLUS, Operator.DIAMOND_PLUS):
                return [_Wait(body.predicate, head, interval.high, rule)]
            return [_Wait(body.predicate, head, -(interval.low or Fraction(0)), rule)]
        case Link(operator=operator, interval=interval, left=left, right=right):
            by = interval.high if operator is BinaryOperator.UNTIL else Fraction(0)
            return [_Wait(atom.predicate, head, by, rule) for atom in (left, right)]
        case JoinRule(positive=positive, negative=negative):
            return [
                _Wait(atom.predicate, head, Fraction(0), rule) for atom in (*positive, *negative)
            ]
