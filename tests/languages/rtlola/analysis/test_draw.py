"""The picture: nothing overlaps, every stream and access is there, no graphviz needed."""

from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.languages.rtlola.analysis.programs import program, variant
from tests.languages.rtlola.analysis.texts import SPECS, report_of

from horae.engine.report.draw import to_dot, to_svg
from horae.engine.report.layout import Arc, BoxSize, Spot, lay_out_boxes, order_acyclic
from horae.languages.rtlola.report import analyze

SVG = "{http://www.w3.org/2000/svg}"


def overlap(one: Spot, other: Spot) -> bool:
    apart_x = abs(one.x - other.x) >= (one.size.width + other.size.width) / 2
    apart_y = abs(one.y - other.y) >= (one.size.height + other.size.height) / 2
    return not (apart_x or apart_y)


@pytest.mark.parametrize("path", SPECS, ids=[path.stem for path in SPECS])
def test_svg_is_well_formed_and_nothing_overlaps(path: Path):
    report = report_of(path)
    root = ElementTree.fromstring(to_svg(report.pictures["streams"]))
    frames = [_place(r) for r in root.iter(f"{SVG}rect")]
    assert not any(overlap(a, b) for a, b in combinations(frames, 2))
    texts = {t.text for t in root.iter(f"{SVG}text")}
    assert {v.title for v in report.graph.vertices} <= texts


def _place(rect: ElementTree.Element) -> Spot:
    x, y, width, height = (float(rect.attrib[k]) for k in ("x", "y", "width", "height"))
    return Spot(x + width / 2, y + height / 2, BoxSize(width, height))


def test_red_marks_what_has_no_bound():
    red = 'stroke="#dc2626"'
    assert red in to_svg(analyze(variant("variable")).pictures["streams"])
    assert red not in to_svg(analyze(variant("clocked")).pictures["streams"])


def test_dot():
    text = to_dot(analyze(variant("clocked")).pictures["streams"])
    assert '"acc" -> "diff" [label="avg, 10s · 10 values"' in text
    assert '"b" [label="b\\nπ = var"' in text


def test_layers_follow_the_longest_path():
    size = BoxSize(10, 10)
    arcs = tuple(Arc(left, right, size) for left, right in ("ab", "bc", "ac"))
    boxes = lay_out_boxes({name: size for name in "abc"}, arcs).boxes
    assert boxes["a"].x < boxes["b"].x < boxes["c"].x


def test_cycles_are_opened():
    assert order_acyclic("abc", [("a", "b"), ("b", "c"), ("c", "a")]) == {("c", "a")}


def test_an_empty_program_has_an_empty_picture():
    assert to_svg(analyze(program(())).pictures["streams"]).startswith("<svg")
