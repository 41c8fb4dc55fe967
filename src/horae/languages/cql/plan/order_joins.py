"""In which order the elements of FROM are joined: next comes one that an equality connects with
those before.

Equalities between columns become keys of the join; other conditions are tested as soon as their
columns are there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from horae.languages.cql.plan.algebra import (
    TAU,
    EvaluationTimesNode,
    Filter,
    Join,
    Node,
    node_columns,
)
from horae.languages.cql.plan.expressions import Ref, Scalar, ScalarComparison, refs_of
from horae.rules.arithmetic import Comparator

RefPair = tuple[Ref, Ref]


def order_joins(context: Node, sources: Sequence[Node], conditions: Sequence[Scalar]) -> Node:
    """context, (a, b, c) where a.x = c.x and c.y = b.y → ((context ⋈ a) ⋈ c) ⋈ b."""
    tree = _Tree(list(sources), list(conditions))
    tree.start(context)
    while tree.waiting:
        tree.add(max(tree.waiting, key=tree.closeness))
    return tree.done()


@dataclass
class _Tree:
    waiting: list[Node]
    conditions: list[Scalar]
    node: Node = field(default_factory=EvaluationTimesNode)

    def start(self, context: Node) -> None:
        """The evaluation times alone need no join where a scan has them already."""
        timed = [source for source in self.waiting if TAU in node_columns(source)]
        if isinstance(context, EvaluationTimesNode) and timed:
            self.waiting = [source for source in self.waiting if source is not timed[0]]
            context = timed[0]
        self.node = context
        self._filter()

    def closeness(self, source: Node) -> tuple[int, int]:
        """Of equally close sources, the first is taken."""
        return len(self._pairs(source)), len(self._shared(source))

    def add(self, source: Node) -> None:
        pairs = self._pairs(source)
        used = {frozenset(pair) for pair in pairs}
        self.conditions = [c for c in self.conditions if _pair(c) not in used]
        self.waiting = [other for other in self.waiting if other is not source]
        self.node = Join(self.node, source, self._shared(source), pairs)
        self._filter()

    def done(self) -> Node:
        """Conditions without columns come last: there is nothing to push."""
        for condition in self.conditions:
            self.node = Filter(self.node, condition)
        return self.node

    def _shared(self, source: Node) -> tuple[Ref, ...]:
        there = node_columns(source)
        return tuple(column for column in node_columns(self.node) if column in there)

    def _pairs(self, source: Node) -> tuple[RefPair, ...]:
        here, there = set(node_columns(self.node)), set(node_columns(source))
        pairs: dict[frozenset[Ref], RefPair] = {}
        for condition in self.conditions:
            match condition:
                case ScalarComparison(Comparator.EQUAL, Ref() as left, Ref() as right):
                    if left in here and right in there - here:
                        pairs[frozenset((left, right))] = (left, right)
                    elif right in here and left in there - here:
                        pairs[frozenset((left, right))] = (right, left)
                case _:
                    pass
        return tuple(pairs.values())

    def _filter(self) -> None:
        here = set(node_columns(self.node))
        ready = [c for c in self.conditions if set(refs_of(c)) and set(refs_of(c)) <= here]
        self.conditions = [c for c in self.conditions if c not in ready]
        for condition in ready:
            self.node = Filter(self.node, condition)


def _pair(condition: Scalar) -> frozenset[Ref] | None:
    match condition:
        case ScalarComparison(Comparator.EQUAL, Ref() as left, Ref() as right):
            return frozenset((left, right))
        case _:
            return None
