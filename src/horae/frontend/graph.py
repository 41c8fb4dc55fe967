"""Directed graphs as mappings from a node to its successors."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import TypeVar

GraphNode = TypeVar("GraphNode")
Graph = Mapping[GraphNode, Collection[GraphNode]]


def reachable(
    graph: Graph[GraphNode], starts: Collection[GraphNode], without: Collection[GraphNode] = ()
) -> set[GraphNode]:
    """The starts and all that can be reached from them, not passing through `without`."""
    found, waiting = set(starts), list(starts)
    while waiting:
        for successor in graph.get(waiting.pop(), ()):
            if successor not in found and successor not in without:
                found.add(successor)
                waiting.append(successor)
    return found


def components(graph: Graph[GraphNode]) -> list[tuple[GraphNode, ...]]:
    """The strongly connected components, successors first; members in the order of the graph.

    Kosaraju: nodes by the end of a depth-first search, then what reaches them backwards.
    """
    place = {node: index for index, node in enumerate(graph)}
    backwards: dict[GraphNode, list[GraphNode]] = {node: [] for node in graph}
    for node, successors in graph.items():
        for successor in successors:
            backwards[successor].append(node)
    found, taken = [], set[GraphNode]()
    for node in reversed(_finished(graph)):
        if node in taken:
            continue
        members = reachable(backwards, [node], without=taken)
        taken |= members
        found.append(tuple(sorted(members, key=place.__getitem__)))
    return found[::-1]


def _finished(graph: Graph[GraphNode]) -> list[GraphNode]:
    """The nodes in the order in which a depth-first search leaves them."""
    order: list[GraphNode] = []
    seen: set[GraphNode] = set()
    for root in graph:
        if root in seen:
            continue
        seen.add(root)
        path: list[tuple[GraphNode, Iterator[GraphNode]]] = [(root, iter(graph[root]))]
        while path:
            step = next((s for s in path[-1][1] if s not in seen), None)
            if step is None:
                order.append(path.pop()[0])
            else:
                seen.add(step)
                path.append((step, iter(graph[step])))
    return order


def shortest_path(graph: Graph[GraphNode], start: GraphNode, end: GraphNode) -> list[GraphNode]:
    """The nodes from `start` to `end`, which must be reachable; a lone node if they are equal."""
    before: dict[GraphNode, GraphNode] = {start: start}
    waiting = deque([start])
    while end not in before:
        node = waiting.popleft()
        for successor in graph[node]:
            if successor not in before:
                before[successor] = node
                waiting.append(successor)
    path = [end]
    while path[-1] != start:
        path.append(before[path[-1]])
    return path[::-1]


def stable_order(graph: Graph[GraphNode]) -> tuple[GraphNode, ...]:
    """Successors first, and otherwise as near to the order of the graph as that allows."""
    place = {node: index for index, node in enumerate(graph)}
    names = list(graph)
    missing = {node: len(set(successors)) for node, successors in graph.items()}
    readers: dict[GraphNode, list[GraphNode]] = {node: [] for node in graph}
    for node, successors in graph.items():
        for successor in set(successors):
            readers[successor].append(node)
    ready = [place[node] for node, count in missing.items() if count == 0]
    heapify(ready)
    order = []
    while ready:
        node = names[heappop(ready)]
        order.append(node)
        for reader in readers[node]:
            missing[reader] -= 1
            if missing[reader] == 0:
                heappush(ready, place[reader])
    return tuple(order)
