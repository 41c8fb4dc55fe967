"""The column that orders facts of equal time."""

from fractions import Fraction
from pathlib import Path

import pytest

from horae.data.fact_columns import to_columns, to_facts
from horae.data.facts import read_fact_files
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS, point
from horae.data.predicate_facts import ground_facts
from horae.source.errors import InputError

ARITIES = {"tram": 2, "line": 1}
AT_3 = point(Fraction(3))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", "id,seq,stop,time\na1,7,p1,3\na2,x,p1,3\na3,,p1,3\n"),
        (
            "t.jsonl",
            '{"id": "a1", "seq": 7, "stop": "p1", "time": 3}\n'
            '{"id": "a2", "seq": "x", "stop": "p1", "time": 3}\n'
            '{"id": "a3", "seq": null, "stop": "p1", "time": 3}\n',
        ),
    ],
)
def test_the_order_is_no_argument(name: str, text: str, tmp_path: Path):
    (tmp_path / name).write_text(text)
    assert ground_facts(read_fact_files([f"tram={tmp_path / name}"], ARITIES, order="seq")) == [
        GroundFact("tram", ("a1", "p1"), AT_3, 7),
        GroundFact("tram", ("a2", "p1"), AT_3, "x"),
        GroundFact("tram", ("a3", "p1"), AT_3, None),
    ]


def test_tables_without_the_column_have_no_order(tmp_path: Path):
    (tmp_path / "l.csv").write_text("line\nl1\n")
    found = ground_facts(read_fact_files([f"line={tmp_path / 'l.csv'}"], ARITIES, order="seq"))
    assert found == [GroundFact("line", ("l1",), ALWAYS)]


def test_a_column_is_an_argument_unless_it_is_named(tmp_path: Path):
    (tmp_path / "t.csv").write_text("id,seq,stop,time\na1,7,p1,3\n")
    with pytest.raises(InputError, match="INP021"):
        ground_facts(read_fact_files([f"tram={tmp_path / 't.csv'}"], ARITIES))


def test_what_cannot_be_ordered(tmp_path: Path):
    (tmp_path / "t.jsonl").write_text('{"id": "a1", "stop": "p1", "seq": [1], "time": 3}\n')
    with pytest.raises(InputError, match="INP023") as caught:
        ground_facts(read_fact_files([f"tram={tmp_path / 't.jsonl'}"], ARITIES, order="seq"))
    assert (caught.value.row, "seq" in str(caught.value)) == (1, True)


def test_columns_keep_the_order():
    facts = [
        GroundFact("tram", ("a1", "p1"), AT_3, order) for order in (7, "7", Fraction(1, 2), None)
    ]
    assert list(to_facts(to_columns(facts))) == facts
