"""A graph of boxes and links as a picture: DOT for those who have graphviz, SVG for everybody.

Links lead from left to right; in a picture that points back, the arrows stand at their left ends.
Boxes and labels bring their own background, so that the picture reads on a light and a dark page.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from html import escape

from horae.engine.report.layout import (
    Arc,
    BoxSize,
    Drawing,
    Path,
    Spot,
    lay_out_boxes,
    order_acyclic,
)


class Shade(Enum):
    """The colour of a box: what it is."""

    INPUT = ("#dbeafe", "#3b73c4")
    PLAIN = ("#f4f4f5", "#71717a")
    SPECIAL = ("#fef3c7", "#c08a1e")


@dataclass(frozen=True, slots=True)
class Box:
    name: str
    lines: tuple[str, ...]
    shade: Shade


@dataclass(frozen=True, slots=True)
class LabelledArc:
    """`faint`: a lesser one; `alarming`: in red."""

    left: str
    right: str
    lines: tuple[str, ...]
    faint: bool = False
    alarming: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """`name` and `title` are for DOT and for who cannot see it."""

    name: str
    title: str
    boxes: tuple[Box, ...]
    links: tuple[LabelledArc, ...]
    points_back: bool = False


_CHARACTER = 7.3  # the width of one at 12 px in the usual monospaced fonts
_LINE = 16.0
_PADDING = 10.0
_MARGIN = 16.0
_LOOP_HEIGHT = 16.0

_GREY, _RED = "#7c8798", "#dc2626"
_FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


def to_dot(picture: Picture) -> str:
    """The graph in the language of graphviz."""
    lines = [
        f"digraph {picture.name} {{",
        f"  rankdir={'RL' if picture.points_back else 'LR'};",
        '  node [shape=box, style="rounded,filled"];',
    ]
    lines += [_dot_box(box) for box in picture.boxes]
    lines += [_dot_link(link, picture) for link in picture.links]
    return "\n".join([*lines, "}"]) + "\n"


def _dot_box(box: Box) -> str:
    fill, stroke = box.shade.value
    label = _dot_text(box.lines)
    return f'  {_quoted(box.name)} [label={label}, fillcolor="{fill}", color="{stroke}"];'


def _dot_link(link: LabelledArc, picture: Picture) -> str:
    style = "dashed" if link.faint else "solid"
    label, colour = _dot_text(link.lines), _colour(link)
    ends = " -> ".join(map(_quoted, _ends(link, picture)))
    return f'  {ends} [label={label}, style={style}, color="{colour}", fontcolor="{colour}"];'


def _ends(link: LabelledArc, picture: Picture) -> tuple[str, str]:
    """The boxes from which and to which the arrow points."""
    return (link.right, link.left) if picture.points_back else (link.left, link.right)


def _dot_text(lines: tuple[str, ...]) -> str:
    return _quoted("\n".join(lines)).replace("\n", "\\n")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def to_svg(picture: Picture) -> str:
    """The graph as one self-contained SVG element."""
    loops = {link.left: link for link in picture.links if link.left == link.right}
    links = tuple(link for link in picture.links if link.left != link.right)
    sizes = {box.name: _box_size(box, loops.get(box.name)) for box in picture.boxes}
    arcs = _arcs(picture, links)
    layout = lay_out_boxes(sizes, arcs)
    routed = list(zip(links, arcs, layout.routes, strict=True))
    shapes = [_link_path(link, r, _at_end(link, arc, picture)) for link, arc, r in routed]
    shapes += [_box_shape(b, layout.boxes[b.name], loops.get(b.name)) for b in picture.boxes]
    shapes += [_label(link, route.label) for link, _, route in routed]
    return _document(picture.title, layout, shapes)


def _at_end(link: LabelledArc, arc: Arc, picture: Picture) -> bool:
    """Whether the arrow stands at the right end of the arc, which may be turned."""
    return (arc.left == link.left) is not picture.points_back


def _arcs(picture: Picture, links: tuple[LabelledArc, ...]) -> tuple[Arc, ...]:
    pairs = [(link.left, link.right) for link in links]
    turned = order_acyclic((box.name for box in picture.boxes), pairs)
    return tuple(
        Arc(*((right, left) if (left, right) in turned else (left, right)), _text_size(link.lines))
        for (left, right), link in zip(pairs, links, strict=True)
    )


def _document(title: str, layout: Drawing, shapes: list[str]) -> str:
    width, height = layout.size.width + 2 * _MARGIN, layout.size.height + 2 * _MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="{_FONT}" font-size="12" role="img" '
        f'aria-label="{escape(title)}">'
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


def _colour(link: LabelledArc) -> str:
    return _RED if link.alarming else _GREY


def _text_size(lines: tuple[str, ...]) -> BoxSize:
    return BoxSize(max(map(len, lines)) * _CHARACTER + _PADDING, len(lines) * _LINE + 4)


def _box_size(box: Box, loop: LabelledArc | None) -> BoxSize:
    """With room for the loop of a stream that reads itself, and for its label, above the box."""
    own = _text_size(box.lines)
    width, height = own.width + 2 * _PADDING, own.height + _PADDING
    if loop is None:
        return BoxSize(width, height)
    label = _text_size(loop.lines)
    return BoxSize(max(width, label.width), height + 2 * (label.height + _LOOP_HEIGHT))


def _body(box: Box, place: Spot) -> Spot:
    """The box itself, in the middle of the room that it has with its loop."""
    return Spot(place.x, place.y, BoxSize(place.size.width, _box_size(box, None).height))


def _box_shape(box: Box, place: Spot, loop: LabelledArc | None) -> str:
    fill, stroke = box.shade.value
    body = _body(box, place)
    shape = _rectangle(body, f'rx="8" fill="{fill}" stroke="{stroke}" stroke-width="1.2"')
    text = _text(box.lines, place, "#18181b", bold=True)
    return shape + text + ("" if loop is None else _loop(loop, body))


def _loop(loop: LabelledArc, body: Spot) -> str:
    top = body.y - body.size.height / 2
    label = _text_size(loop.lines)
    peak = top - _LOOP_HEIGHT
    path = (
        f"M{body.x - 14:.1f},{top:.1f} C{body.x - 18:.1f},{peak:.1f} "
        f"{body.x + 18:.1f},{peak:.1f} {body.x + 14:.1f},{top:.1f}"
    )
    middle = Spot(body.x, peak - label.height / 2 + 2, label)
    return _stroke(path, loop, at_end=True) + _label(loop, middle)


def _link_path(link: LabelledArc, route: Path, at_end: bool) -> str:
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
    return _stroke(" ".join(path), link, at_end=at_end)


def _stroke(path: str, link: LabelledArc, *, at_end: bool) -> str:
    marker = f'marker-{"end" if at_end else "start"}="url(#horae-arrow-{_colour(link)[1:]})"'
    dash = ' stroke-dasharray="4 3"' if link.faint else ""
    return (
        f'<path d="{path}" fill="none" stroke="{_colour(link)}" stroke-width="1.4"{dash} {marker}/>'
    )


def _label(link: LabelledArc, place: Spot) -> str:
    frame = _rectangle(place, f'rx="5" fill="#ffffff" stroke="{_colour(link)}" stroke-width="0.7"')
    return frame + _text(link.lines, place, _RED if link.alarming else "#3f3f46")


def _rectangle(place: Spot, attributes: str) -> str:
    left, top = place.x - place.size.width / 2, place.y - place.size.height / 2
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{place.size.width:.1f}" '
        f'height="{place.size.height:.1f}" {attributes}/>'
    )


def _text(lines: tuple[str, ...], place: Spot, colour: str, *, bold: bool = False) -> str:
    first = place.y - (len(lines) - 1) * _LINE / 2 + 4
    return "".join(
        f'<text x="{place.x:.1f}" y="{first + number * _LINE:.1f}" text-anchor="middle" '
        f'fill="{colour}"{_weight(bold and number == 0)}>{escape(line)}</text>'
        for number, line in enumerate(lines)
    )


def _weight(bold: bool) -> str:
    return ' font-weight="600"' if bold else ""
