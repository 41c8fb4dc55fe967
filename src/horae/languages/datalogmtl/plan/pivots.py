"""Pivots of rules in normal form.

The head's variable is bound by some atom of the body, so a shard derives nothing about the keys of
other shards.
"""

from __future__ import annotations

from collections.abc import Sequence

from horae.languages.datalogmtl.check.normal import NormalRule
from horae.languages.datalogmtl.check.normalise import body_atoms
from horae.languages.datalogmtl.plan.stages import Obstacle
from horae.rules import pivots
from horae.rules.pivots import Conflict, Pivots, RuleShape, places_of

__all__ = ["Pivots", "extends_pivots", "find_rule_pivots", "key_of_rule", "places_of"]


def find_rule_pivots(rules: tuple[NormalRule, ...]) -> Pivots | Obstacle:
    """The first choice, in the order of predicates and places, that satisfies all rules."""
    found = pivots.find_pivots(_shapes(rules))
    if isinstance(found, Conflict):
        return Obstacle(rules[found.number], found.reason)
    return found


def extends_pivots(found: Pivots, rules: Sequence[NormalRule]) -> bool:
    """Whether rules for more predicates, which no other rule reads, can be satisfied as well."""
    return all(rule.head.arguments for rule in rules) and pivots.extends(found, _shapes(rules))


def _shapes(rules: Sequence[NormalRule]) -> list[RuleShape]:
    return [RuleShape(n, rule.head, tuple(body_atoms(rule))) for n, rule in enumerate(rules)]


def key_of_rule(rule: NormalRule, found: Pivots) -> str:
    """The variable that decides the shard of a rule's derivations."""
    return pivots.key_of(rule.head, found)
