"""Where the columns of a SELECT are found while it is translated, and names for new columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from horae.data.types import Type
from horae.languages.cql.plan.algebra import TAU, EvaluationTimesNode, Node
from horae.languages.cql.plan.expressions import Ref
from horae.languages.cql.program import ColumnOf

Frame = dict[tuple[int, int], Ref]
"""The columns of a FROM clause by element and place."""

ScopeFrames = tuple[Frame, ...]
"""From the innermost SELECT outwards."""


@dataclass(frozen=True)
class EvaluationContext:
    """For what a query is evaluated: `node` has one row per context, its columns are `keys`."""

    node: Node = EvaluationTimesNode()
    keys: tuple[Ref, ...] = (TAU,)


@dataclass(frozen=True)
class UniqueNames:
    """Names that are unique in a plan: no join ever meets the same name on both sides by accident."""

    _numbers: count[int] = field(default_factory=count)

    def fresh(self, label: str, type: Type, *, nullable: bool = False) -> Ref:
        return Ref(f"{label}_{next(self._numbers)}", type, nullable)


def find(column: ColumnOf, frames: ScopeFrames) -> Ref:
    return frames[column.depth][column.source, column.place]


def unique(refs: tuple[Ref, ...]) -> tuple[Ref, ...]:
    return tuple(dict.fromkeys(refs))
