"""Tables of CQL: columns by name, others ignored."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from tests.strategies.cql_queries import random_queries

import horae
from horae.data.bind_columns import find_column, read_table_name
from horae.data.schema import RegisteredInput
from horae.data.types import Type
from horae.source.errors import InputError

TEXT = "REGISTER STREAM tx(card string, country string); SELECT card FROM tx [NOW] WHERE country = 'at';"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("t.csv", "time,country,card\n3,at,k1\n"),
        ("t.csv", "country,TIME,amount,Card\nat,3,7,k1\n"),
        ("t.jsonl", '{"time": 3, "country": "at", "card": "k1"}\n'),
        ("t.jsonl", '{"country": "at", "card": "k1", "amount": 7, "time": 3}\n'),
    ],
)
def test_columns_in_any_order(tmp_path: Path, file: str, text: str):
    """By position, `at` would be the card and nothing would be found."""
    (tmp_path / file).write_text(text)
    found = horae.compile(TEXT, "cql").run_files([f"tx={tmp_path / file}"], engine="local")
    assert [(a["time"], a["row"]) for a in found] == [(3, ["k1"])]


def test_columns_that_are_picked(tmp_path: Path):
    (tmp_path / "t.csv").write_text("time,land,card,number\n3,at,no,k1\n")
    table = f"tx(number, land)={tmp_path / 't.csv'}"
    found = horae.compile(TEXT, "cql").run_files([table], engine="local")
    assert [a["row"] for a in found] == [["k1"]]


def test_the_time_may_be_a_column_too(tmp_path: Path):
    (tmp_path / "t.csv").write_text("x,time\n7,3\n")
    text = "REGISTER STREAM s(time int, x int); SELECT * FROM s [NOW];"
    found = horae.compile(text, "cql").run_files([f"s={tmp_path / 't.csv'}"], engine="local")
    assert [(a["time"], a["row"]) for a in found] == [(3, [3, 7])]


def test_a_relation_takes_no_notice_of_a_time(tmp_path: Path):
    (tmp_path / "r.csv").write_text("time,x\n3,7\n")
    text = "REGISTER RELATION r(x int); SELECT * FROM r;"
    found = horae.compile(text, "cql").run_files(
        [f"r={tmp_path / 'r.csv'}"], engine="local", at="1"
    )
    assert [(a["time"], a["row"]) for a in found] == [(1, [7])]


def test_the_same_case_is_meant_first():
    assert find_column("a", ["A", "a"], "") == "a"
    assert find_column("a", ["A", "b"], "") == "A"
    assert find_column("a", ["b"], "") is None
    with pytest.raises(InputError, match="INP122"):
        find_column("ab", ["aB", "Ab"], "")


def test_names_of_tables():
    assert read_table_name(" tx ") == ("tx", None)
    assert read_table_name("tx( a,b c )") == ("tx", ("a", "b c"))


def test_random_tables_with_shuffled_columns(tmp_path: Path):
    """Columns in any order, in any case, and some more: the answers are those of the facts."""
    for seed in range(25):
        rng = Random(f"columns {seed}")
        text, facts, at = random_queries(rng, core=True)
        program = horae.compile(text, "cql")
        tables = [
            _write(rng, tmp_path / f"{seed}_{item.name}", item, facts)
            for item in program.checked.inputs
        ]
        assert program.run_files(tables, engine="local", at=at) == program.evaluate(facts, at=at)


def _write(rng: Random, path: Path, item: RegisteredInput, facts: str) -> str:
    """A CSV file or lines of JSON."""
    columns = [column.name for column in item.columns]
    names = [*columns, "more", *(["time"] if item.is_stream else [])]
    rows = [
        dict(zip(columns, found["values"].split(","), strict=True)) | {"time": found["time"]}
        for found in re.finditer(
            rf"^{item.name}\((?P<values>.*)\)@?(?P<time>\d*)$", facts, re.MULTILINE
        )
    ]
    rng.shuffle(names)
    spelt = {name: rng.choice((name, name.lower(), name.upper())) for name in names}
    table = [{spelt[name]: row.get(name, "7") for name in names} for row in rows]
    if rng.random() < 0.5 and table:
        file = path.with_suffix(".jsonl")
        file.write_text("".join(json.dumps(_typed(row, item)) + "\n" for row in table))
    else:
        file = path.with_suffix(".csv")
        lines = [",".join(spelt[name] for name in names), *(",".join(r.values()) for r in table)]
        file.write_text("\n".join(lines) + "\n")
    return f"{item.name}={file}"


def _typed(row: dict[str, str], item: RegisteredInput) -> dict[str, object]:
    texts = {column.name.lower() for column in item.columns if column.type is Type.STRING}
    return {name: v if name.lower() in texts else int(v) for name, v in row.items()}


# --- rules


RULES = [("datalogmtl", "near(X,Y) :- tram(X,Y)."), ("lars", "near(X,Y) :- tram(X,Y).")]


@pytest.mark.parametrize(("language", "text"), RULES)
@pytest.mark.parametrize(
    ("file", "written"),
    [
        ("t.csv", "stop,driver,time,id\np1,eve,3,a1\n"),
        ("t.jsonl", '{"stop": "p1", "driver": "eve", "time": 3, "id": "a1"}\n'),
    ],
)
def test_rules_pick_columns_by_name(
    tmp_path: Path, language: str, text: str, file: str, written: str
):
    """In the order in which they are named; the driver is not read."""
    (tmp_path / file).write_text(written)
    found = horae.compile(text, language).run_files(
        [f"tram(id, stop)={tmp_path / file}"], engine="local"
    )
    assert [answer["args"] for answer in found] == [["a1", "p1"]]


@pytest.mark.parametrize(("language", "text"), RULES)
def test_rules_pick_columns_of_python_tables(language: str, text: str):
    rows = [{"stop": "p1", "driver": "eve", "time": 3, "id": "a1"}]
    found = horae.compile(text, language).evaluate({"tram(id, stop)": rows})
    assert [answer["args"] for answer in found] == [["a1", "p1"]]


def test_a_picked_column_that_is_not_there(tmp_path: Path):
    (tmp_path / "t.csv").write_text("stop,time,id\np1,3,a1\n")
    program = horae.compile("near(X,Y) :- tram(X,Y).", "datalogmtl")
    with pytest.raises(InputError, match=re.escape("the table has no column `stops`")) as error:
        program.run_files([f"tram(id, stops)={tmp_path / 't.csv'}"], engine="local")
    assert (error.value.code, error.value.help) == ("INP141", "did you mean `stop`?")


def test_too_few_columns_are_picked(tmp_path: Path):
    (tmp_path / "t.csv").write_text("stop,time,id\np1,3,a1\n")
    program = horae.compile("near(X,Y) :- tram(X,Y).", "datalogmtl")
    with pytest.raises(InputError, match="has 2 arguments, but the table has 1 column"):
        program.run_files([f"tram(id)={tmp_path / 't.csv'}"], engine="local")
