"""A LARS program in one stage, with the ways that facts take to its shards. Data only."""

from __future__ import annotations

from dataclasses import dataclass

from horae.languages.lars.program import Program
from horae.languages.lars.syntax.tree import Rule


@dataclass(frozen=True, slots=True)
class Route:
    """How the facts of a predicate come to the shards.

    `place` is the argument whose value decides the shard; None: they are sent to every shard. They
    are also if one of `unless` has background data: that is true at every time point of a window, and
    how far the window reaches depends on the facts of all shards.
    """

    predicate: str
    place: int | None
    unless: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why the program is in one shard: the rule that cannot be spread."""

    rule: Rule
    reason: str


@dataclass(frozen=True, slots=True)
class RoutedProgram:
    """`pivots` has the place of the key of each derived predicate: a shard derives only its own keys.

    `routes` has the predicates that rules read or derive; facts about others are needed in one shard
    only, where windows may count them.
    """

    program: Program
    pivots: dict[str, int]
    routes: tuple[Route, ...]
    obstacle: Obstacle | None = None

    @property
    def is_spread(self) -> bool:
        return self.obstacle is None
