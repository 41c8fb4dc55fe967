"""The examples of the package are clean, formatted, and do what their comments say."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import horae
from horae.examples import example
from horae.languages import by_ending
from horae.languages.rtlola.report import analyze
from horae.source.text import Source

SPECS = sorted(path for ending in by_ending() for path in example(".").glob(f"*{ending}"))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_it_is_clean_and_formatted(path):
    source = Source(path.name, path.read_text(encoding="utf-8"))
    language = by_ending()[path.suffix]
    assert not language.check(source)[1]
    assert language.format(source) == source.text


@pytest.mark.parametrize(
    ("name", "is_bounded"),
    [("acc_variable", False), ("acc_fixed_rate", True), ("acc_real_time", True)],
)
def test_the_variants_differ_in_memory(name, is_bounded):
    program = horae.load(example(f"{name}.lola"))
    assert program.language == "rtlola"
    fragment = analyze(program.checked).to_dict()["fragment"]
    assert isinstance(fragment, dict)
    assert fragment["contains_program"] is is_bounded


def test_the_ratings_notify_on_every_day():
    program = horae.load(example("ratings.lola"))
    assert program.language == "rtlola"
    with example("ratings.csv").open(encoding="utf-8") as lines:
        rows = [
            {"ts": int(r["ts"]), "uid": r["uid"], "pid": r["pid"], "stars": float(r["stars"])}
            for r in csv.DictReader(lines)
        ]
    assert len(rows) == 300
    found = program.evaluate(rows, emit="triggers")
    days = {row["ts"] for row in rows}
    assert {answer["time"] // 86400 * 86400 for answer in found} == days - {max(days)}


def test_the_signals_spread_through_the_network():
    """Smoke is often read on [5,12]: five seconds after the first reading, until two after the last.

    The gate monitors it until 7, so it flags it on [5,7]; the hub monitors it from 5 to 7 + 10 and
    flags it until 12, so the roof monitors it until 22. The gaps of steam are too long, and the
    cellar is connected to nobody.
    """
    program = horae.load(example("signals.dmtl"))
    assert program.language == "datalogmtl"
    found = program.evaluate(example("signals.facts").read_text(encoding="utf-8"))
    assert [(a["predicate"], *a["args"], a["interval"]) for a in found] == [
        ("monitors", "gate", "smoke", "[0,7]"),
        ("monitors", "gate", "steam", "[0,7]"),
        ("flags", "gate", "smoke", "[5,7]"),
        ("flags", "hub", "smoke", "[5,12]"),
        ("flags", "roof", "smoke", "[5,12]"),
        ("monitors", "hub", "smoke", "[5,17]"),
        ("monitors", "roof", "smoke", "[5,22]"),
    ]


TRAM_ANSWERS = [
    (40, 44, "exp", "a1", "p3"),
    (40, 43, "exp", "a2", "p3"),
    (40, 40, "rel", "l1", "p1"),
    (40, 40, "rel", "l2", "p2"),
    (47, 44, "exp", "a1", "p3"),
    (47, 43, "exp", "a2", "p3"),
    (47, 47, "rel", "l2", "p2"),
]
GOOD_CONNECTION = ("gc", "a2", "a1", "p3")


def _trams(facts: str) -> list[tuple[object, ...]]:
    program = horae.load(example("tram.lars"))
    assert program.language == "lars"
    found = program.evaluate(facts, at=[40, 47])
    assert {answer["answer"] for answer in found} == {1}
    return [(a["time"], a["at"], a["predicate"], *a["args"]) for a in found]


def test_the_trams_of_the_paper():
    """Tram a1 of minute 36 is expected 8 minutes later, a2 of minute 40 in 3; [37,47] has a2 alone.

    One could change from a2 at 43 to a1 at 44, but a1 is old.
    """
    facts = example("tram.facts").read_text(encoding="utf-8")
    assert _trams(facts) == TRAM_ANSWERS
    young = _trams(facts.replace("old(a1)\n", ""))
    assert [answer for answer in young if answer[2] != "gc"] == TRAM_ANSWERS
    connections = [(answer[0], *answer[2:]) for answer in young if answer[2] == "gc"]
    assert connections == [(40, *GOOD_CONNECTION), (47, *GOOD_CONNECTION)]


def test_the_trams_as_queries():
    """The window of `rel` is [35,40], then [42,47] without a tram."""
    program = horae.load(example("tram.cql"))
    assert program.language == "cql"
    found = program.evaluate(example("tram_rows.facts").read_text(encoding="utf-8"), at="40,47")
    assert [(a["time"], a["query"], *a["row"]) for a in found] == [
        (40, "exp", "a1", "p3", 44),
        (40, "exp", "a2", "p3", 43),
        (40, "rel", "l1", "p1"),
        (40, "rel", "l2", "p2"),
        (47, "exp", "a1", "p3", 44),
        (47, "exp", "a2", "p3", 43),
    ]


def test_the_readme_shows_their_answers():
    program = horae.load(example("signals.dmtl"))
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    found = program.run_files([str(example("signals.facts"))], engine="local")
    shown = "".join(f"{json.dumps(answer)}\n" for answer in found)
    assert f"$ horae run signals.dmtl --input signals.facts --engine local\n{shown}```" in readme
