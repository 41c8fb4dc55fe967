"""The plan in the forms of `horae analyze`: the same for every language."""

from __future__ import annotations

import json
from itertools import combinations
from xml.etree import ElementTree

import pytest

from horae.cli.main import main
from horae.examples import example

EXAMPLES = ("shop.lola", "ratings.lola", "signals.dmtl", "tram.lars", "tram.cql")
SVG = "{http://www.w3.org/2000/svg}"

STAGE = {
    "name",
    "runs",
    "spread",
    "why_one_shard",
    "requires",
    "inputs",
    "outputs",
    "delay",
    "why_delay",
    "state",
    "steps",
}


def analyzed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["analyze", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", EXAMPLES)
def test_data_of_one_shape(name: str, capsys: pytest.CaptureFixture[str]):
    plan = json.loads(analyzed(capsys, str(example(name)), "--format", "json"))["plan"]
    assert set(plan) == {"time_unit", "stages"}
    assert plan["stages"]
    for number, stage in enumerate(plan["stages"], start=1):
        assert stage["name"] == f"stage {number}"
        assert set(stage) == STAGE
        assert stage["spread"] is not bool(stage["why_one_shard"])
        assert all(set(i) == {"table", "stage", "way", "key", "note"} for i in stage["inputs"])
        assert {i["way"] for i in stage["inputs"]} <= {"by key", "to every shard", "to one shard"}
        assert all((i["way"] == "by key") is bool(i["key"]) for i in stage["inputs"])
        assert all(set(s) == {"what", "at_most", "unit", "per", "why"} for s in stage["state"])


@pytest.mark.parametrize("name", EXAMPLES)
def test_text_has_every_stage(name: str, capsys: pytest.CaptureFixture[str]):
    plan = json.loads(analyzed(capsys, str(example(name)), "--format", "json"))["plan"]
    text = analyzed(capsys, str(example(name))).split("\nPlan\n")[1]
    for stage in plan["stages"]:
        assert f"  {stage['name']}, {'spread' if stage['spread'] else 'in one shard'}: " in text
    assert text.count("\n    delay ") == text.count("\n    state ") == len(plan["stages"])


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_picture_has_every_table_and_stage_and_nothing_overlaps(
    name: str, capsys: pytest.CaptureFixture[str]
):
    report = json.loads(analyzed(capsys, str(example(name)), "--format", "json"))
    drawn = analyzed(capsys, str(example(name)), "--format", "svg", "--picture", "plan")
    root = ElementTree.fromstring(drawn)
    texts = [text.text or "" for text in root.iter(f"{SVG}text")]
    for stage in report["plan"]["stages"]:
        assert any(text.startswith(f"{stage['name']}, ") for text in texts)
        assert {i["table"] for i in stage["inputs"] if i["stage"] is None} <= set(texts)
    boxes = [
        [float(r.attrib[k]) for k in ("x", "y", "width", "height")] for r in root.iter(f"{SVG}rect")
    ]
    for (x, y, w, h), (u, v, s, t) in combinations(boxes, 2):
        assert x + w <= u or u + s <= x or y + h <= v or v + t <= y


def test_dot_shows_the_ways(capsys: pytest.CaptureFixture[str]):
    text = analyzed(capsys, str(example("tram.cql")), "--format", "dot")
    assert text.startswith("digraph plan {")
    assert '"table tram" -> "stage 1" [label="by ID"' in text
    assert '"table line" -> "stage 1" [label="to every shard"' in text


def test_pictures_of_rtlola_show_its_streams_unless_the_plan_is_asked_for(
    capsys: pytest.CaptureFixture[str],
):
    spec = str(example("shop.lola"))
    assert analyzed(capsys, spec, "--format", "dot").startswith("digraph dependencies {")
    plan = analyzed(capsys, spec, "--format", "dot", "--picture", "plan")
    assert '"table rows" -> "stage 1" [label="by prod_id"' in plan
