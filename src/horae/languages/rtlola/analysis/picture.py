"""What the drawing of a dependency graph shows, before it has places: boxes and links.

All accesses from one stream to another are one link with a line of label each; otherwise the
picture of a template, which reads its invoking stream three times, would be a bundle of arrows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from horae.engine.report.bounds import Unbounded
from horae.languages.rtlola.analysis.graph import Discrete, EdgeKind, Vertex, VertexKind
from horae.languages.rtlola.analysis.memory import Need, describe

if TYPE_CHECKING:
    from horae.languages.rtlola.analysis.report import Report


@dataclass(frozen=True, slots=True)
class Box:
    name: str
    lines: tuple[str, ...]
    kind: VertexKind


@dataclass(frozen=True, slots=True)
class Link:
    """From the reader to what it reads, as in the paper; clauses alone are `faint`."""

    reader: str
    target: str
    lines: tuple[str, ...]
    faint: bool
    unbounded: bool


@dataclass(frozen=True, slots=True)
class Picture:
    boxes: tuple[Box, ...]
    links: tuple[Link, ...]


def build_picture(report: Report) -> Picture:
    pairs: dict[tuple[str, str], list[Need]] = {}
    for need in report.needs:
        pairs.setdefault((need.edge.reader, need.edge.target), []).append(need)
    links = tuple(_link(reader, target, group) for (reader, target), group in pairs.items())
    return Picture(tuple(_box(v) for v in report.graph.vertices), links)


def _box(vertex: Vertex) -> Box:
    return Box(vertex.name, (vertex.title, f"π = {vertex.rate}"), vertex.kind)


def _link(reader: str, target: str, needs: list[Need]) -> Link:
    values = [n for n in needs if not n.edge.kind.is_clause]
    plain = [n for n in needs if n.edge.kind.is_clause and n.edge.label == Discrete(0)]
    others = [n for n in needs if n.edge.kind.is_clause and n not in plain]
    lines = [_line(n) for n in (*values, *others)]
    if plain:
        lines.append(", ".join(dict.fromkeys(str(n.edge.kind) for n in plain)))
    unbounded = any(isinstance(n.values, Unbounded) for n in needs)
    return Link(reader, target, tuple(dict.fromkeys(lines)), not values, unbounded)


def _line(need: Need) -> str:
    clause = "" if need.edge.kind is EdgeKind.VALUE else f"{need.edge.kind}: "
    return f"{clause}{need.edge.label} · {describe(need.values)}"
