"""Answers are a list of dicts to whoever looks at them, and a table to whoever does not."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from itertools import pairwise
from random import Random
from typing import Any

import pyarrow as pa
import pytest

from horae.engine.answers import (
    AnswerField,
    AnswerMark,
    Answers,
    AnswerShape,
    SortKey,
    json_field,
    sort_parts,
    sort_rows,
)
from horae.source.errors import InputError

SHAPES = (
    AnswerShape(
        AnswerField("time"),
        AnswerField("name"),
        json_field("args"),
        AnswerField("twice", "n", lambda n: 2 * n),
    ),
    AnswerShape(AnswerField("time"), AnswerMark("empty", True), when="none"),
)
ROWS: list[dict[str, object]] = [
    {"time": 1, "name": 'é"\n', "args": '[1, "a"]', "n": 3, "none": None},
    {"time": 1, "name": "b", "args": "[1e0]", "n": 4, "none": None},
    {"time": 2, "name": None, "args": None, "n": None, "none": 0},
    {"time": 3, "name": None, "args": "[]", "n": None, "none": None},
]
DICTS = [
    {"time": 1, "name": 'é"\n', "args": [1, "a"], "twice": 6},
    {"time": 1, "name": "b", "args": [1.0], "twice": 8},
    {"time": 2, "empty": True},
    {"time": 3, "name": None, "args": [], "twice": None},
]


def answers() -> Answers:
    return Answers(pa.Table.from_pylist(ROWS), SHAPES)


def test_they_are_a_list_of_dicts():
    found = answers()
    assert found == DICTS
    assert found == DICTS
    assert found == answers()
    assert found != DICTS[:3]
    assert found != [*DICTS[:3], {}]
    assert found != "answers"
    assert repr(found) == repr(DICTS)
    assert list(reversed(found)) == DICTS[::-1]
    assert DICTS[2] in found


def test_parts_of_them():
    found = answers()
    assert (found[0], found[-1], found[2]) == (DICTS[0], DICTS[3], DICTS[2])
    assert found[1:3] == DICTS[1:3]
    assert found[::-2] == DICTS[::-2]
    assert len(found[1:]) == 3
    with pytest.raises(IndexError):
        found[4]


def test_a_dict_belongs_to_who_takes_it():
    found = Answers(pa.table({"args": ["[1]", "[1]"]}), (AnswerShape(json_field("args")),))
    for answer in found:
        answer["args"].append(2)
        assert answer == {"args": [1, 2]}
    assert found == [{"args": [1]}, {"args": [1]}]


def test_lines_are_the_dumps_of_dicts():
    expected = "".join(json.dumps(answer, ensure_ascii=False) + "\n" for answer in DICTS)
    assert "".join(answers().json_lines()) == expected


def test_a_table_has_a_column_per_key():
    assert answers().to_arrow().to_pydict() == {
        "time": [1, 1, 2, 3],
        "name": ['é"\n', "b", None, None],
        "args": ['[1, "a"]', "[1.0]", None, "[]"],
        "twice": [3, 4, None, None],
        "empty": [None, None, True, None],
    }
    assert list(answers().to_pandas().columns) == ["time", "name", "args", "twice", "empty"]


def test_texts_of_a_key():
    """Null where the value is, and where an answer has no such key."""
    assert answers().texts("args", json.dumps).to_pylist() == ['[1, "a"]', "[1.0]", None, "[]"]
    assert answers().texts("time", str).to_pylist() == ["1", "1", "2", "3"]
    assert answers().texts("empty", str).to_pylist() == [None, None, "True", None]
    assert answers().texts("nothing", str).to_pylist() == [None] * 4


def test_no_answers():
    nothing = answers()[4:]
    assert nothing == []
    assert "".join(nothing.json_lines()) == ""
    assert nothing.to_arrow().num_rows == 0


def test_without_polars(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(InputError) as error:
        answers().to_polars()
    assert error.value.code == "ENV030"


def test_rows_are_sorted_by_what_their_text_means():
    """9 and 9.0 are equal, so that the next key decides."""
    table = pa.table({"args": ["[10]", "[9.0]", None, "[9]"], "n": [1, 3, 4, 2]})
    ordered = sort_rows(table, [SortKey("args", json.loads), "n"])
    assert ordered.column("n").to_pylist() == [4, 2, 3, 1]


def test_parts_are_in_order_together():
    """Whether they follow each other in time or not, whatever else is equal, and wherever nulls are."""
    rng = Random(7)
    for _ in range(60):
        rows = [_row(rng) for _ in range(rng.randint(1, 40))]
        if rng.random() < 0.5:
            rows.sort(key=lambda row: row["time"])
        table = pa.Table.from_pylist(rows, SORTED)
        cuts = sorted(rng.randint(0, len(rows)) for _ in range(3))
        parts = [table.slice(a, b - a) for a, b in pairwise([0, *cuts, len(rows)])]
        found = sort_parts(parts, ["time", "n", SortKey("args", by=json.loads), "missing", "at"])
        assert found.to_pylist() == sorted(rows, key=_key)


TYPES: dict[str, Any] = {
    "time": pa.decimal128(38, 0),
    "n": pa.int64(),
    "args": pa.dictionary(pa.int32(), pa.string()),
    "at": pa.int64(),
}
SORTED = pa.schema(TYPES)


def _row(rng: Random) -> dict[str, Any]:
    """Times within 64 bits and beyond; numbers at both ends of 64 bits."""
    return {
        "time": Decimal(rng.choice((-(2**70), -3, 0, 2, 2**62, 2**90)) + rng.randint(0, 1)),
        "n": rng.choice((None, -(2**63), 0, 2**63 - 1)),
        "args": rng.choice((None, "[9]", "[10]", "[-1]")),
        "at": rng.choice((-(2**63), 5, 2**63 - 1)),
    }


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    number, args = row["n"], row["args"]
    return (
        row["time"],
        (number is not None, number or 0),
        (args is not None, json.loads(args or "[]")),
        row["at"],
    )
