"""What Python programs give to `evaluate` and `answers`: what is promised, and words for the rest."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import horae
from horae.data.python_tables import table_in

EVENTS = [{"time": 1, "a": 2}, {"time": 2}, {"time": 3, "a": 5}]
TOTALS = [(1, 2), (3, 7)]  # 2; nothing at the row without a value; 2 + 5

LOLA = horae.compile("input int a\noutput int total := total[-1, 0] + a")
DMTL = horae.compile("q(X) :- Diamondminus[0,1] p(X).", language="datalogmtl")
LARS = horae.compile("q(X) :- win[1] <> p(X).", language="lars")
CQL = horae.compile("REGISTER STREAM p(x string); q: SELECT x FROM p [RANGE 1];", language="cql")
OTHERS = (DMTL, LARS, CQL)
ROWS = {"x": ["u", "v"], "time": [0, 5]}
FACTS = [("p", ["u"], 0), ("p", ["v"], 5)]


def totals(inputs: object, **options: Any) -> list[tuple[int, int]]:
    return [(row["time"], row["value"]) for row in LOLA.evaluate(inputs, **options)]


def refusal(call, *given) -> horae.InputError:
    with pytest.raises(horae.InputError) as caught:
        call(*given)
    return caught.value


# --- events


def test_events_are_dicts_tables_or_files(tmp_path: Path):
    frame = pd.DataFrame(EVENTS)  # `a` becomes a column of doubles: one is missing
    table = pa.Table.from_pylist(EVENTS)
    frame.astype("Int64").to_csv(tmp_path / "events.csv", index=False)
    paths = [tmp_path / "events.csv", str(tmp_path / "events.csv"), [tmp_path / "events.csv"]]
    for inputs in (EVENTS, tuple(EVENTS), iter(EVENTS), frame, table, *table.to_batches(), *paths):
        assert totals(inputs) == TOTALS


def test_the_index_of_a_pandas_table_is_no_column():
    frame = pd.DataFrame({"ts": [1, 3], "a": [2, 5]}, index=["time", "a"])
    assert totals(frame, time="ts") == TOTALS


def test_tables_of_other_libraries_come_through_arrow():
    class Streamed:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return pa.Table.from_pylist(EVENTS).__arrow_c_stream__(requested_schema)

    assert totals(Streamed()) == TOTALS


@pytest.mark.parametrize(
    "moment",
    [
        datetime(1970, 1, 2, 0, 0, 0, 500_000),
        datetime(1970, 1, 2, 0, 0, 0, 500_000, tzinfo=UTC),
        pd.Timestamp("1970-01-02T01:00:00.5+01:00"),
        np.datetime64("1970-01-02T00:00:00.500"),
        "1970-01-02T00:00:00.5Z",
        Decimal("86400.5"),
        "86400.5",
        86400.5,
    ],
)
def test_times_of_all_kinds(moment: object):
    """Alone, beside each other, and as a clock that is read."""
    assert totals([{"time": moment, "a": 1}]) == [(86400.5, 1)]
    assert totals([{"time": date(1970, 1, 2), "a": 1}, {"time": moment, "a": 1}])[1] == (86400.5, 2)
    clock = horae.compile("timeinput double ts\noutput double o := ts")
    for key in ("ts", "time"):
        (answer,) = clock.evaluate([{key: moment}])
        assert (answer["time"], answer["value"]) == (86400.5, 86400.5)


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        ({"time": 1, "a": 2}, "INP100", "not a dict"),
        (None, "INP100", "not None"),
        (5, "INP100", "not an int"),
        (b"time,a", "INP100", "not a bytes"),
        ([(1, 2)], "INP017", "must be a dict, not a tuple"),
        ([5], "INP017", "must be a dict, not an int"),
        ("nope.csv", "INP001", "nope.csv"),
        ("nope", "INP001", "nope"),
        (pd.DataFrame({"time": [1, "x"], "a": [1, 2]}), "INP102", "cannot be read"),
        (pd.DataFrame({"a": [1]}), "INP006", "`time`"),
        ([{"time": [1]}], "INP012", "not a time"),
        ([{"time": pd.NaT}], "INP012", "not a time"),
    ],
)
def test_what_are_no_events(given: object, code: str, words: str):
    error = refusal(LOLA.evaluate, given)
    assert error.code == code
    assert words in error.message


# --- facts and rows


@pytest.mark.parametrize("program", OTHERS, ids=lambda p: p.language)
def test_facts_are_tuples_text_tables_or_files(program, tmp_path: Path):
    expected = program.evaluate(FACTS)
    assert len(expected) == 2
    table, frame = pa.table(ROWS), pd.DataFrame(ROWS)
    text, facts, csv = "p(u)@0\np(v)@5", tmp_path / "a.facts", tmp_path / "p.csv"
    facts.write_text(text)
    frame.to_csv(csv, index=False)
    rows = [{"x": "u", "time": np.int64(0)}, {"x": "v", "time": datetime(1970, 1, 1, 0, 0, 5)}]
    named = [{"p": given} for given in (table, frame, rows, csv, str(csv), [csv])]
    for inputs in (
        text,
        facts,
        str(facts),
        [str(facts)],
        f"p={csv}",
        *named,
        {"p": [], **named[0]},
    ):
        assert program.evaluate(inputs) == expected


@pytest.mark.parametrize("program", OTHERS, ids=lambda p: p.language)
def test_the_time_column_of_a_table_can_be_named(program):
    table = pa.table({"ts": [0, 5], "x": ["u", "v"]})
    assert program.evaluate({"p": table}, time="ts") == program.evaluate(FACTS)


@pytest.mark.parametrize("program", OTHERS, ids=lambda p: p.language)
def test_numbers_of_numpy_are_numbers(program):
    assert program.evaluate([("p", ["u"], np.int64(0)), ("p", [np.str_("v")], np.float64(5))]) == (
        program.evaluate(FACTS)
    )


@pytest.mark.parametrize("program", OTHERS, ids=lambda p: p.language)
@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        (None, "INP100", "not None"),
        (5, "INP100", "not an int"),
        (pd.DataFrame(ROWS), "INP101", "a DataFrame of pandas does not tell"),
        (pa.table(ROWS), "INP101", "a Table of pyarrow does not tell"),
        ({"p": 5}, "INP101", "for `p`, not an int"),
        ({"p": "p(u)@0"}, "INP101", "for `p`, not a str"),
    ],
)
def test_what_are_no_facts(program, given: object, code: str, words: str):
    error = refusal(program.evaluate, given)
    assert error.code == code
    assert words in error.message


def test_a_table_that_cannot_be_a_column_of_one_type():
    assert refusal(table_in, pd.DataFrame({"a": [1, "x"]})).code == "INP102"


# --- frames, without Spark


@pytest.mark.parametrize("call", [LOLA.answers, LOLA.live])
def test_answers_of_events_take_a_frame_of_spark(call):
    error = refusal(call, pd.DataFrame(EVENTS))
    assert error.code == "INP103"
    assert "not a DataFrame of pandas" in error.message


@pytest.mark.parametrize("program", OTHERS, ids=lambda p: p.language)
def test_answers_of_facts_take_frames_by_name(program):
    class Frame:
        isStreaming = False  # noqa: N815

    for call in (program.answers, program.live):
        assert refusal(call, Frame()).code == "INP104"
        assert refusal(call, {}).code == "INP104"
        assert refusal(call, {"p": pd.DataFrame(ROWS)}).code == "INP103"
        assert "{'p': frame}" in refusal(call, Frame()).help
