"""Facts from text, files, tables and Python."""

from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from horae.data.fact_columns import to_columns, to_facts
from horae.data.fact_values import read_constant, write_constant
from horae.data.facts import read_fact_files, read_fact_text, read_python_facts
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS, Interval, point
from horae.data.predicate_facts import ground_facts
from horae.source.errors import InputError

ARITIES = {"tram": 2, "up": 1, "p": 0, "line": 2}


def at(time: object) -> Interval:
    return point(Fraction(str(time)))


def test_python_facts():
    facts = [
        ("tram", ["a1", "p1"], 36),
        ("up", ["a"], "[1,5/2)"),
        ("p", [], "7/2"),
        ("line", ("a1", 7), None),
        ("up", [Decimal("2.50")], 0.1),
        ("up", [2.0], datetime(1970, 1, 1, 0, 1, tzinfo=UTC)),
        ("up", [True], "(-inf,3]"),
        ("other", [], 3),
    ]
    assert ground_facts(read_python_facts(facts, ARITIES)) == [
        GroundFact("tram", ("a1", "p1"), at(36)),
        GroundFact("up", ("a",), Interval(Fraction(1), Fraction(5, 2), False, True)),
        GroundFact("p", (), at("7/2")),
        GroundFact("line", ("a1", 7), ALWAYS),
        GroundFact("up", (Fraction(5, 2),), at("0.1")),
        GroundFact("up", (2,), at(60)),
        GroundFact("up", ("true",), Interval(None, Fraction(3))),
    ]


def test_the_text_of_a_facts_file():
    text = "tram(a1,p1)@36\nup(a)@[1,5/2).\nspeed(x,7)@3\nline(a1,l1)\n"
    assert ground_facts(read_python_facts(text, ARITIES)) == [
        GroundFact("tram", ("a1", "p1"), at(36)),
        GroundFact("up", ("a",), Interval(Fraction(1), Fraction(5, 2), False, True)),
        GroundFact("line", ("a1", "l1"), ALWAYS),
    ]


@pytest.mark.parametrize(
    ("fact", "code", "words"),
    [
        (("up", "a", 3), "INP029", "is not a fact"),
        (("up", ["a"], "soon"), "INP025", "neither a time nor an interval"),
        (("up", ["a"], "[3,1]"), "INP027", "[3,1] is empty"),
        (("up", ["a", "b"], 3), "INP021", "has 1 argument in the program, but 2 here"),
        (("up", [None], 3), "INP023", "cannot be an argument"),
        (("up", [float("nan")], 3), "INP023", "cannot be an argument"),
        (("up", ["a"], True), "INP025", "neither a time nor an interval"),
    ],
)
def test_wrong_python_facts(fact: object, code: str, words: str):
    with pytest.raises(InputError) as caught:
        ground_facts(read_python_facts([("p", [], 1), fact], ARITIES))
    assert (caught.value.code, caught.value.row) == (code, 2)
    assert words in caught.value.message


def test_mistakes_in_text_have_their_place():
    with pytest.raises(InputError) as caught:
        ground_facts(read_fact_text("up(a)@3\nup(_)@4\n", ARITIES, "data.facts"))
    assert caught.value.place.startswith("data.facts:2:")
    with pytest.raises(InputError, match=r"INP021.*data\.facts:2:1"):
        ground_facts(read_fact_text("up(a)@3\nup(a,b)@4\n", ARITIES, "data.facts"))


TABLES = {
    "points.csv": "who,where,time\na1,p1,36\na2,007,7/2\n3,2.5,1970-01-01T00:00:30Z\n",
    "points.jsonl": '{"who": "a1", "where": "p1", "time": 36}\n'
    '{"who": "a2", "where": "007", "time": "7/2"}\n{"who": 3, "where": 2.5, "time": 30.0}\n',
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_points(name: str, tmp_path: Path):
    (tmp_path / name).write_text(TABLES[name])
    assert ground_facts(read_fact_files([f"tram={tmp_path / name}"], ARITIES)) == [
        GroundFact("tram", ("a1", "p1"), at(36)),
        GroundFact("tram", ("a2", "007"), at("7/2")),
        GroundFact("tram", (3, Fraction(5, 2)), at(30)),
    ]


def test_parquet_tables(tmp_path: Path):
    moments = pa.array([1500], pa.timestamp("ms"))
    table = pa.table({"who": ["a"], "ts": moments})
    pa.parquet.write_table(table, tmp_path / "up.parquet")
    facts = ground_facts(read_fact_files([f"up={tmp_path / 'up.parquet'}"], ARITIES, time="ts"))
    assert facts == [GroundFact("up", ("a",), at("1.5"))]


def test_tables_of_intervals_and_of_static_facts(tmp_path: Path):
    (tmp_path / "up.csv").write_text("who,from,to,to_open\na,1,5/2,true\nb,2,,\n")
    (tmp_path / "line.csv").write_text("from,to\na1,l1\n")
    (tmp_path / "more.facts").write_text("p@3\n")
    inputs = [f"up={tmp_path / 'up.csv'}", f"line={tmp_path / 'line.csv'}"]
    assert ground_facts(read_fact_files([*inputs, str(tmp_path / "more.facts")], ARITIES)) == [
        GroundFact("up", ("a",), Interval(Fraction(1), Fraction(5, 2), False, True)),
        GroundFact("up", ("b",), Interval(Fraction(2), None)),
        GroundFact("line", ("a1", "l1"), ALWAYS),
        GroundFact("p", (), at(3)),
    ]


@pytest.mark.parametrize(
    ("name", "text", "code", "row"),
    [
        ("tram", "who,time\na,3\n", "INP021", None),
        ("trams", "who,where,time\na,b,3\n", "INP020", None),
        ("tram", "who,where,time\na,b,3\na,,4\n", "INP022", 2),
        ("up", "who,time\na,soon\n", "INP025", 1),
        ("up", "who,time\na,\n", "INP024", 1),
        ("up", "who,from,to\na,3,2\n", "INP027", 1),
        ("up", "who,from,to,to_open\na,1,2,maybe\n", "INP028", 1),
        ("up", "who,time\na,3,4\n", "INP017", 1),
    ],
)
def test_wrong_tables(name: str, text: str, code: str, row: int | None, tmp_path: Path):
    (tmp_path / "data.csv").write_text(text)
    with pytest.raises(InputError) as caught:
        ground_facts(read_fact_files([f"{name}={tmp_path / 'data.csv'}"], ARITIES))
    assert (caught.value.code, caught.value.row) == (code, row)
    assert caught.value.place.endswith("data.csv")


def test_a_table_needs_the_name_of_its_predicate(tmp_path: Path):
    (tmp_path / "data.csv").write_text("who,time\na,3\n")
    with pytest.raises(InputError, match="INP030"):
        ground_facts(read_fact_files([str(tmp_path / "data.csv")], ARITIES))


@pytest.mark.parametrize("value", ["a", "7", 'say "hi"', "x/y", "", 7, -3, Fraction(5, 2)])
def test_constants_as_text(value: str | int | Fraction):
    assert read_constant(write_constant(value)) == value


def test_columns_hold_facts_exactly():
    facts = [
        GroundFact("up", ("ä", 7, Fraction(1, 3)), Interval(None, Fraction(1, 7), True, True)),
        GroundFact("p", (), ALWAYS),
    ]
    assert list(to_facts(to_columns(facts))) == facts


@pytest.mark.parametrize(
    "fact", [("p", [10**5000], 1), ("p", ["a"], 10**5000)], ids=["value", "time"]
)
def test_numbers_that_python_does_not_write(fact: object):
    with pytest.raises(InputError, match="a number of thousands of digits"):
        ground_facts(read_python_facts([fact], {"p": 1}))


@pytest.mark.parametrize("number", ["1e3555555555555555555", "9" * 5000])
def test_numbers_in_json_that_python_does_not_read(number: str, tmp_path: Path):
    file = tmp_path / "p.jsonl"
    file.write_text(f'{{"x": {number}, "time": 1}}\n')
    with pytest.raises(InputError, match="INP017: the line has a number of thousands of digits"):
        ground_facts(read_fact_files([f"p={file}"], {"p": 1}))
