"""The dependency graph as a picture: DOT for those who have graphviz, SVG for everybody.

Inputs stand on the left, triggers on the right; an arrow points from a reader to what it reads.
Boxes and labels bring their own background, so that the picture reads on a light and a dark page.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from horae.languages.rtlola.analysis.graph import VertexKind
from horae.languages.rtlola.analysis.layout import (
    Arc,
    Layout,
    Place,
    Route,
    Size,
    lay_out,
    order_acyclic,
)
from horae.languages.rtlola.analysis.picture import Box, Link, Picture, build_picture

if TYPE_CHECKING:
    from horae.languages.rtlola.analysis.report import Report

_CHARACTER = 7.3  # the width of one at 12 px in the usual monospaced fonts
_LINE = 16.0
_PADDING = 10.0
_MARGIN = 16.0
_LOOP_HEIGHT = 16.0

_FILLS = {
    VertexKind.INPUT: ("#dbeafe", "#3b73c4"),
    VertexKind.OUTPUT: ("#f4f4f5", "#71717a"),
    VertexKind.TRIGGER: ("#fef3c7", "#c08a1e"),
}
_GREY, _RED = "#7c8798", "#dc2626"
_FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


def to_dot(report: Report) -> str:
    """The graph in the language of graphviz."""
    picture = build_picture(report)
    lines = [
        "digraph dependencies {",
        "  rankdir=RL;",
        '  node [shape=box, style="rounded,filled"];',
    ]
    lines += [_dot_box(box) for box in picture.boxes]
    lines += [_dot_link(link) for link in picture.links]
    return "\n".join([*lines, "}"]) + "\n"


def _dot_box(box: Box) -> str:
    fill, stroke = _FILLS[box.kind]
    label = _dot_text(box.lines)
    return f'  {_quoted(box.name)} [label={label}, fillcolor="{fill}", color="{stroke}"];'


def _dot_link(link: Link) -> str:
    style = "dashed" if link.faint else "solid"
    label, colour = _dot_text(link.lines), _colour(link)
    ends = f"{_quoted(link.reader)} -> {_quoted(link.target)}"
    return f'  {ends} [label={label}, style={style}, color="{colour}", fontcolor="{colour}"];'


def _dot_text(lines: tuple[str, ...]) -> str:
    return _quoted("\n".join(lines)).replace("\n", "\\n")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def to_svg(report: Report) -> str:
    """The graph as one self-contained SVG element."""
    picture = build_picture(report)
    loops = {link.target: link for link in picture.links if link.reader == link.target}
    links = tuple(link for link in picture.links if link.reader != link.target)
    sizes = {box.name: _box_size(box, loops.get(box.name)) for box in picture.boxes}
    arcs = _arcs(picture, links)
    layout = lay_out(sizes, arcs)
    routed = list(zip(links, arcs, layout.routes, strict=True))
    shapes = [_link_path(link, r, turned=arc.left == link.reader) for link, arc, r in routed]
    shapes += [_box_shape(b, layout.boxes[b.name], loops.get(b.name)) for b in picture.boxes]
    shapes += [_label(link, route.label) for link, _, route in routed]
    return _document(layout, shapes)


def _arcs(picture: Picture, links: tuple[Link, ...]) -> tuple[Arc, ...]:
    pairs = [(link.target, link.reader) for link in links]
    turned = order_acyclic((box.name for box in picture.boxes), pairs)
    return tuple(
        Arc(*((right, left) if (left, right) in turned else (left, right)), _text_size(link.lines))
        for (left, right), link in zip(pairs, links, strict=True)
    )


def _document(layout: Layout, shapes: list[str]) -> str:
    width, height = layout.size.width + 2 * _MARGIN, layout.size.height + 2 * _MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="{_FONT}" font-size="12" role="img" '
        'aria-label="Annotated dependency graph">'
    )
    body = "\n".join(shapes)
    moved = f'<g transform="translate({_MARGIN:.0f},{_MARGIN:.0f})">\n{body}\n</g>'
    return f"{head}\n<defs>{_arrow(_GREY)}{_arrow(_RED)}</defs>\n{moved}\n</svg>\n"


def _arrow(colour: str) -> str:
    return (
        f'<marker id="horae-arrow-{colour[1:]}" viewBox="0 0 8 8" refX="7.5" refY="4" '
        'markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
        f'<path d="M0,0.5 L8,4 L0,7.5 z" fill="{colour}"/></marker>'
    )


def _colour(link: Link) -> str:
    return _RED if link.unbounded else _GREY


def _text_size(lines: tuple[str, ...]) -> Size:
    return Size(max(map(len, lines)) * _CHARACTER + _PADDING, len(lines) * _LINE + 4)


def _box_size(box: Box, loop: Link | None) -> Size:
    """With room for the loop of a stream that reads itself, and for its label, above the box."""
    own = _text_size(box.lines)
    width, height = own.width + 2 * _PADDING, own.height + _PADDING
    if loop is None:
        return Size(width, height)
    label = _text_size(loop.lines)
    return Size(max(width, label.width), height + 2 * (label.height + _LOOP_HEIGHT))


def _body(box: Box, place: Place) -> Place:
    """The box itself, in the middle of the room that it has with its loop."""
    return Place(place.x, place.y, Size(place.size.width, _box_size(box, None).height))


def _box_shape(box: Box, place: Place, loop: Link | None) -> str:
    fill, stroke = _FILLS[box.kind]
    body = _body(box, place)
    shape = _rectangle(body, f'rx="8" fill="{fill}" stroke="{stroke}" stroke-width="1.2"')
    text = _text(box.lines, place, "#18181b", bold=True)
    return shape + text + ("" if loop is None else _loop(loop, body))


def _loop(loop: Link, body: Place) -> str:
    top = body.y - body.size.height / 2
    label = _text_size(loop.lines)
    peak = top - _LOOP_HEIGHT
    path = (
        f"M{body.x - 14:.1f},{top:.1f} C{body.x - 18:.1f},{peak:.1f} "
        f"{body.x + 18:.1f},{peak:.1f} {body.x + 14:.1f},{top:.1f}"
    )
    middle = Place(body.x, peak - label.height / 2 + 2, label)
    return _stroke(path, loop, at_end=True) + _label(loop, middle)


def _link_path(link: Link, route: Route, *, turned: bool) -> str:
    """The arrow stands at the target, which is on the left unless the arc was turned."""
    first, last = route.places[0], route.places[-1]
    x, y = first.x + first.size.width / 2, first.y
    path = [f"M{x:.1f},{y:.1f}"]
    for place in route.places[1:]:
        left, right = place.x - place.size.width / 2, place.x + place.size.width / 2
        middle = (x + left) / 2
        path.append(f"C{middle:.1f},{y:.1f} {middle:.1f},{place.y:.1f} {left:.1f},{place.y:.1f}")
        x, y = right, place.y
        if place is not last:
            path.append(f"L{right:.1f},{place.y:.1f}")
    return _stroke(" ".join(path), link, at_end=turned)


def _stroke(path: str, link: Link, *, at_end: bool) -> str:
    marker = f'marker-{"end" if at_end else "start"}="url(#horae-arrow-{_colour(link)[1:]})"'
    dash = ' stroke-dasharray="4 3"' if link.faint else ""
    return (
        f'<path d="{path}" fill="none" stroke="{_colour(link)}" stroke-width="1.4"{dash} {marker}/>'
    )


def _label(link: Link, place: Place) -> str:
    frame = _rectangle(place, f'rx="5" fill="#ffffff" stroke="{_colour(link)}" stroke-width="0.7"')
    return frame + _text(link.lines, place, _RED if link.unbounded else "#3f3f46")


def _rectangle(place: Place, attributes: str) -> str:
    left, top = place.x - place.size.width / 2, place.y - place.size.height / 2
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{place.size.width:.1f}" '
        f'height="{place.size.height:.1f}" {attributes}/>'
    )


def _text(lines: tuple[str, ...], place: Place, colour: str, *, bold: bool = False) -> str:
    first = place.y - (len(lines) - 1) * _LINE / 2 + 4
    return "".join(
        f'<text x="{place.x:.1f}" y="{first + number * _LINE:.1f}" text-anchor="middle" '
        f'fill="{colour}"{_weight(bold and number == 0)}>{escape(line)}</text>'
        for number, line in enumerate(lines)
    )


def _weight(bold: bool) -> str:
    return ' font-weight="600"' if bold else ""
