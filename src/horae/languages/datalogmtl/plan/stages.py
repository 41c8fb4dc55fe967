"""A DatalogMTL program in stages, each with the ways that facts take to it. Data only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from horae.languages.datalogmtl.check.normal import NormalProgram, NormalRule


class Spread(Enum):
    """Where facts go that are not spread by one argument."""

    EVERYWHERE = "to every shard"
    BY_ALL = "by all arguments"


@dataclass(frozen=True, slots=True)
class Route:
    """How the facts of a predicate come to a stage, and what the stage calls them.

    `place` is the argument whose value decides the shard. An input that rules read in several ways
    comes in several copies, each with its own name in the stage.
    """

    predicate: str
    name: str
    place: int | Spread


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a stage is in one shard: the rule that no choice of keys satisfies."""

    rule: NormalRule
    reason: str


@dataclass(frozen=True, slots=True)
class RuleStage:
    """Components that are evaluated together, after one shuffle.

    `emits` is what the stage derives (or merges) that is asked for or read later, by the name that
    the stage has for it. `passes` is what earlier stages emitted and somebody after this one wants.
    """

    program: NormalProgram
    routes: tuple[Route, ...]
    derives: frozenset[str]
    emits: dict[str, str]
    passes: frozenset[str]
    obstacle: Obstacle | None = None

    @property
    def is_spread(self) -> bool:
        return self.obstacle is None


@dataclass(frozen=True, slots=True)
class StagedProgram:
    whole: NormalProgram
    stages: tuple[RuleStage, ...]
