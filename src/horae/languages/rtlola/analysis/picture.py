"""The dependency graph as a picture: inputs on the left, triggers on the right.

An arrow points from a reader to what it reads, as in the paper. All accesses from one stream to
another are one link with a line of label each; otherwise the picture of a template, which reads its
invoking stream three times, would be a bundle of arrows.
"""

from __future__ import annotations

from horae.engine.report.bounds import Unbounded
from horae.engine.report.draw import Box, LabelledArc, Picture, Shade
from horae.languages.rtlola.analysis.graph import (
    DependencyGraph,
    Discrete,
    EdgeKind,
    Vertex,
    VertexKind,
)
from horae.languages.rtlola.analysis.memory import Need, describe_values

_SHADES = {
    VertexKind.INPUT: Shade.INPUT,
    VertexKind.OUTPUT: Shade.PLAIN,
    VertexKind.TRIGGER: Shade.SPECIAL,
}


def picture_streams(graph: DependencyGraph, needs: tuple[Need, ...]) -> Picture:
    pairs: dict[tuple[str, str], list[Need]] = {}
    for need in needs:
        pairs.setdefault((need.edge.reader, need.edge.target), []).append(need)
    links = tuple(_link(reader, target, group) for (reader, target), group in pairs.items())
    boxes = tuple(map(_box, graph.vertices))
    return Picture("dependencies", "Annotated dependency graph", boxes, links, points_back=True)


def _box(vertex: Vertex) -> Box:
    return Box(vertex.name, (vertex.title, f"π = {vertex.rate}"), _SHADES[vertex.kind])


def _link(reader: str, target: str, needs: list[Need]) -> LabelledArc:
    """Clauses alone are faint."""
    values = [n for n in needs if not n.edge.kind.is_clause]
    plain = [n for n in needs if n.edge.kind.is_clause and n.edge.label == Discrete(0)]
    others = [n for n in needs if n.edge.kind.is_clause and n not in plain]
    lines = [_line(n) for n in (*values, *others)]
    if plain:
        lines.append(", ".join(dict.fromkeys(str(n.edge.kind) for n in plain)))
    has_no_bound = any(isinstance(n.values, Unbounded) for n in needs)
    return LabelledArc(target, reader, tuple(dict.fromkeys(lines)), not values, has_no_bound)


def _line(need: Need) -> str:
    clause = "" if need.edge.kind is EdgeKind.VALUE else f"{need.edge.kind}: "
    return f"{clause}{need.edge.label} · {describe_values(need.values)}"
