"""A plan for a DatalogMTL program: stages, each with the keys that spread it. Data only."""

from __future__ import annotations

from dataclasses import dataclass

from horae.languages.datalogmtl.normal import NormalProgram


@dataclass(frozen=True, slots=True)
class Stage:
    """Components that are evaluated together, in one shuffle.

    `pivots` gives for each spread predicate the place of the argument whose value decides the
    shard. `broadcast` predicates are in every shard. Without pivots, everything is in one shard,
    for `reason`.
    """

    program: NormalProgram
    inputs: frozenset[str]  # predicates that it reads and does not derive
    derives: frozenset[str]
    pivots: dict[str, int]
    broadcast: frozenset[str]
    reason: str = ""

    @property
    def is_spread(self) -> bool:
        return bool(self.pivots)


@dataclass(frozen=True, slots=True)
class Plan:
    whole: NormalProgram
    stages: tuple[Stage, ...]
