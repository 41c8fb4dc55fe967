"""Bad rows beside good ones, through the doors of all languages; without a JVM."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

import horae
from horae.data.clock import SECONDS
from horae.data.fact_tables import lay_out as lay_out_facts
from horae.data.row_layout import RowLayout
from horae.data.rows_of_inputs import lay_out_input as lay_out_rows
from horae.engine.run import Form, InputTable
from horae.languages.rtlola.options import RTLolaOptions
from horae.languages.rtlola.run import RTLolaRun
from horae.source.errors import InputError
from horae.spark.bad_rows import (
    BROKEN,
    FILE,
    RefusingGate,
    Sieve,
    Teller,
    gate_for,
    refuse_told,
    with_bad,
)
from horae.spark.fact_frames import FACTS, JsonFacts
from horae.spark.fact_frames import FactTableDoor as FactsOfTable
from horae.spark.failures import MarkedError, recognise
from horae.spark.parcels import BAD
from horae.spark.piped import Schema, Worker
from horae.spark.row_door import JsonRows, TableRows
from horae.spark.streaming.fact_sources import _Lines
from horae.spark.table_door import ReadTable

Rows = dict[str, list[Any]]
FILE_NAME = "file:///data/a%20b.jsonl"


def sifted(worker: Worker, schema: Schema, rows: Rows) -> tuple[list[Any], list[Any]]:
    """The good rows, and what is known of the bad ones."""
    sieve = Sieve(worker, to_arrow_schema(with_bad(schema)))
    found = [row for out in sieve(iter([pa.record_batch(rows)])) for row in out.to_pylist()]
    good, bad = [], []
    for row in found:
        note = row.pop(BAD)
        if note is None:
            good.append(row)
        else:
            assert set(row.values()) == {None}
            bad.append(json.loads(note))
    return good, bad


def lines(*texts: str) -> Rows:
    return {"value": list(texts), FILE: [FILE_NAME] * len(texts)}


def test_lines_of_facts():
    worker = _Lines({"tram": 2, "up": 1}, False, frozenset(), SECONDS)
    texts = ("tram(a,b)@3", "tram(a)@3", "not a fact", "up(a)@[1,2)", "up(a)", "% nothing")
    good, bad = sifted(worker, FACTS, lines(*texts))
    assert [(row["predicate"], row["args"], row["low"]) for row in good] == [
        ("tram", ['"a"', '"b"'], 3),
        ("up", ['"a"'], 1),
    ]
    assert [note["row"] for note in bad] == ["tram(a)@3", "not a fact", "up(a)"]
    assert [note["code"][:3] for note in bad] == ["INP", "DMT", "INP"]
    assert {note["file"] for note in bad} == {"/data/a b.jsonl"}
    assert all(note["message"] for note in bad)


def test_facts_of_json_lines():
    table = lay_out_facts("tram", ["id", "time"], {"tram": 1})
    wrong = ["{", "[1]", '{"id": "a"}', '{"id": [], "time": 1}', '{"id": "b", "time": "soon"}']
    wrong += ['{"id": "b", "time": 2, "x": 1}']
    texts = ['{"id": "a", "time": 1}', *wrong, '{"id": 7, "time": 3}']
    good, bad = sifted(JsonFacts(table, "in"), FACTS, lines(*texts))
    assert [row["low"] for row in good] == [1, 3]
    assert [note["row"] for note in bad] == wrong


def test_facts_of_a_table():
    table = lay_out_facts("tram", ["id", "time"], {"tram": 1}, typed=False)
    rows: Rows = {"0:id": ["a", None, "c", None], "1:time": ["1", "2", "x", None]}
    rows |= {FILE: [FILE_NAME] * 4, BROKEN: [None, None, None, "a,b,c"]}
    good, bad = sifted(FactsOfTable(table, "in"), FACTS, rows)
    assert [row["low"] for row in good] == [1]
    assert [note["row"] for note in bad] == [
        "a,b,c",
        {"id": None, "time": "2"},
        {"id": "c", "time": "x"},
    ]


def test_rows_of_cql():
    program = horae.compile(
        "REGISTER STREAM s(A int, B string);\nq: SELECT A FROM s [NOW];", language="cql"
    )
    item = program.checked.inputs[0]
    layout, rows = lay_out_rows(item, ["a", "b", "time"]), RowLayout((item,))
    wrong = ['{"a": 1.5, "b": "x", "time": 3}', '{"a": 1, "b": 2, "time": 3}']
    wrong += ['{"a": 1, "b": "x", "time": 0.5}', '{"a": 1, "time": 3}']
    texts = ['{"a": 1, "b": "x", "time": 3}', *wrong]
    door = JsonRows(layout, rows, "in")
    good, bad = sifted(door, from_arrow_schema(rows.schema), lines(*texts))
    assert [(row["int0"], row["string0"], row["time"]) for row in good] == [(1, "x", 3)]
    assert [note["row"] for note in bad] == wrong


EVENTS = horae.compile("input int a\noutput int b := a")
RUN = RTLolaRun(EVENTS.checked, RTLolaOptions())
SCHEMA = from_arrow_schema(RUN.records)
TABLE = ReadTable(RUN.door(InputTable(None, "", ("time", "a"))), RUN.records)
LINES = ReadTable(RUN.door(InputTable(None, "", (), Form.LINES)), RUN.records)
READ = [(1_000_000, 2, None, None), (5_000_000, None, None, None)]


def test_events_of_json_lines():
    wrong = ['{"time": 2, "a": "x"}', "nothing", '{"a": 1}']
    texts = ['{"time": 1, "a": 2}', *wrong, '{"time": 5}']
    good, bad = sifted(LINES, SCHEMA, {"value": texts, FILE: [FILE_NAME] * 5})
    assert [tuple(row.values()) for row in good] == READ
    assert [note["row"] for note in bad] == wrong


def test_events_of_a_table():
    rows: Rows = {"0:time": ["1", "2", "soon", None, "5"], "1:a": ["2", "x", "1", "1", None]}
    good, bad = sifted(TABLE, SCHEMA, rows)
    assert [tuple(row.values()) for row in good] == READ
    assert [note["row"]["time"] for note in bad] == ["2", "soon", None]


def test_what_an_earlier_gate_has_kept_goes_on():
    table = lay_out_facts("tram", ["id", "time"], {"tram": 1})
    rows: Rows = {"0:id": ["a", None], "1:time": [1, None], BAD: [None, '{"code": "INP017"}']}
    good, bad = sifted(FactsOfTable(table, "in"), FACTS, rows)
    assert ([row["low"] for row in good], bad) == ([1], [{"code": "INP017"}])


def test_other_words_are_refused():
    with pytest.raises(ValueError, match="`fail` or `keep`"):
        gate_for("drop")


def test_a_line_that_is_not_text_ends_a_strict_run():
    table = lay_out_facts("tram", ["id", "time"], {"tram": 1})
    good, broken = '{"id": "a", "time": 1}', '{"id": "\ufffd", "time": 2}'
    rows = {"value": [good, None], FILE: [FILE_NAME] * 2, BROKEN: [None, broken]}
    batch = pa.record_batch(rows)
    with pytest.raises(MarkedError, match="not UTF-8 text"):
        list(RefusingGate(JsonFacts(table, "in"))(iter([batch])))
    (read,) = RefusingGate(JsonFacts(table, "in"))(iter([batch.slice(0, 1)]))
    assert read.num_rows == 1


# --- the first bad row, where it ends the run


def refusal(worker: Worker, rows: Rows) -> InputError:
    with pytest.raises(MarkedError) as caught:
        list(RefusingGate(worker)(iter([pa.record_batch(rows)])))
    found = recognise(str(caught.value))
    assert found is not None
    return found


def test_an_error_shows_the_row_of_events():
    rows: Rows = {"0:time": ["1", "2", "soon"], "1:a": ["2", "x", "1"]}
    error = refusal(TABLE, rows)
    assert error.message == "the column `a` holds `x`, which is not an int"
    assert error.place == 'the row {"time": "2", "a": "x"}'
    assert "whole number" in str(error)


def test_an_error_shows_the_file_and_the_line():
    table = lay_out_facts("tram", ["id", "time"], {"tram": 1})
    wrong = '{"id": "a", "time": "' + "soon" * 99 + '"}'
    error = refusal(JsonFacts(table, "in"), lines('{"id": "a", "time": 1}', wrong))
    assert error.place.startswith('/data/a b.jsonl, the row {"id": "a", "time": "soonsoon')
    assert len(error.place) < 250


def test_an_error_shows_the_row_of_facts_and_queries():
    table = lay_out_facts("tram", ["id", "time"], {"tram": 1})
    error = refusal(FactsOfTable(table, "tram"), {"0:id": ["a", "b"], "1:time": ["1", "x"]})
    assert error.place == 'tram, the row {"id": "b", "time": "x"}'
    program = horae.compile("REGISTER STREAM s(A int);\nq: SELECT A FROM s [NOW];", language="cql")
    item = program.checked.inputs[0]
    door = TableRows(lay_out_rows(item, ["A", "time"]), RowLayout((item,)), "s")
    error = refusal(door, {"0:A": ["x"], "1:time": [1]})
    assert error.place == 's, the row {"A": "x", "time": 1}'


def test_good_rows_pass_as_they_are():
    door = TABLE
    batch = pa.record_batch({"0:time": [1, 5], "1:a": [2, None]})
    found = [
        row
        for out in RefusingGate(door)(iter([batch, batch.slice(0, 0)]))
        for row in out.to_pylist()
    ]
    assert [tuple(row.values()) for row in found] == READ


def test_a_first_look_tells_of_bad_rows_and_raises_none():
    door = TABLE
    rows: Rows = {"0:time": ["1", "2", "soon", "5"], "1:a": ["2", "x", "1", None]}
    teller = Teller(door, to_arrow_schema(with_bad(SCHEMA)))
    found = [row for out in teller(iter([pa.record_batch(rows)])) for row in out.to_pylist()]
    told = [row.pop(BAD) for row in found]
    assert [tuple(row.values()) for row, bad in zip(found, told, strict=True) if not bad] == READ
    with pytest.raises(InputError) as caught:
        refuse_told(min(bad for bad in told if bad))
    assert caught.value.place == 'the row {"time": "2", "a": "x"}'
    assert "whole number" in caught.value.help
    refuse_told(None)


def test_a_second_gate_sets_aside_what_the_first_told_of_bad_rows():
    table = lay_out_facts("tram", ["id", "time"], {"tram": 1}, typed=False)
    first = Teller(FactsOfTable(table, "tram"), to_arrow_schema(with_bad(FACTS)))
    second = Teller(lambda batches: batches, to_arrow_schema(with_bad(FACTS)))
    batch = pa.record_batch({"0:id": ["a", "b"], "1:time": ["1", "soon"]})
    seen = [row for out in second(first(iter([batch]))) for row in out.to_pylist()]
    assert [row["low"] for row in seen if row[BAD] is None] == [1]
    (told,) = [row[BAD] for row in seen if row[BAD] is not None]
    with pytest.raises(InputError) as caught:
        refuse_told(told)
    assert caught.value.place == 'tram, the row {"id": "b", "time": "soon"}'
