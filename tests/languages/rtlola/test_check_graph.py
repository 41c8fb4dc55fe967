"""The graph algorithms, against their definitions on small random graphs."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from horae.frontend.graph import components, reachable, shortest_path, stable_order

NODES = "abcdef"
graphs = st.fixed_dictionaries({n: st.lists(st.sampled_from(NODES), unique=True) for n in NODES})


@given(graphs)
def test_components_are_the_classes_of_mutual_reach_successors_first(graph):
    found = components(graph)
    assert sorted(n for members in found for n in members) == list(NODES)
    home = {n: members for members in found for n in members}
    for a in NODES:
        mutual = {b for b in reachable(graph, [a]) if a in reachable(graph, [b])}
        assert set(home[a]) == mutual
        assert all(found.index(home[b]) <= found.index(home[a]) for b in graph[a])


@given(graphs, st.sampled_from(NODES), st.sampled_from(NODES))
def test_a_shortest_path_takes_edges_and_visits_nothing_twice(graph, start, end):
    if end in reachable(graph, [start]):
        path = shortest_path(graph, start, end)
        assert (path[0], path[-1]) == (start, end)
        assert len(set(path)) == len(path)
        assert all(b in graph[a] for a, b in pairwise(path))


@given(graphs)
def test_the_order_is_the_first_in_the_order_of_the_nodes_that_puts_successors_first(graph):
    acyclic = {n: [s for s in successors if s > n] for n, successors in graph.items()}
    expected: list[str] = []
    while len(expected) < len(NODES):
        left = (n for n in graph if n not in expected)
        expected.append(next(n for n in left if set(acyclic[n]) <= set(expected)))
    assert stable_order(acyclic) == tuple(expected)
