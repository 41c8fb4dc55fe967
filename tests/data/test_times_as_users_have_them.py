"""Twenty kinds of times and tables, in every language: what users have, and what comes out.

Three rows: `a` at 22:13:20 on the 14th of November 2023 in UTC, `b` half a second later, and `a` again
two seconds after the first. That is 1,700,000,000 seconds after 1970. `docs/times.md` has this table.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import horae

KEYS = ["a", "b", "a"]
START = datetime(2023, 11, 14, 22, 13, 20)
MOMENTS = [START, START + timedelta(milliseconds=500), START + timedelta(seconds=2)]
ISO = ["2023-11-14T22:13:20", "2023-11-14T22:13:20.5", "2023-11-14T22:13:22"]
ZONED = ["2023-11-14T23:13:20+01:00", "2023-11-14T22:13:20.500Z", "2023-11-14T17:13:22-0500"]
MILLISECONDS = [1_700_000_000_000, 1_700_000_000_500, 1_700_000_002_000]
MICROSECONDS = [1000 * time for time in MILLISECONDS]
NANOSECONDS = [1000 * time for time in MICROSECONDS]
DECIMALS = ["1700000000", "1700000000.5", "1700000002.000"]
TOKYO = timezone(timedelta(hours=9))

PROGRAMS = {
    "rtlola": "input string k\noutput string seen := k",
    "datalogmtl": "near(K) :- Diamondminus[0,1] p(K).",
    "lars": "near(K) :- win[1 s] <> p(K).",
    "cql": "REGISTER STREAM p(k string); near: SELECT k FROM p [RANGE 1 s];",
}
ANSWERS: dict[str, list[dict[str, Any]]] = {
    "rtlola": [
        {"time": 1700000000, "stream": "seen", "params": [], "value": "a"},
        {"time": 1700000000.5, "stream": "seen", "params": [], "value": "b"},
        {"time": 1700000002, "stream": "seen", "params": [], "value": "a"},
    ],
    "datalogmtl": [
        {"predicate": "near", "args": ["a"], "interval": "[1700000000,1700000001]"},
        {"predicate": "near", "args": ["b"], "interval": "[3400000001/2,3400000003/2]"},
        {"predicate": "near", "args": ["a"], "interval": "[1700000002,1700000003]"},
    ],
    "lars": [
        {"time": time, "at": time, "answer": 1, "predicate": "near", "args": [key]}
        for time, key in [
            (1_700_000_000_000, "a"),
            (1_700_000_000_500, "a"),
            (1_700_000_000_500, "b"),
            (1_700_000_002_000, "a"),
        ]
    ],
    "cql": [
        {"time": time, "query": "near", "row": [key], "kind": "rstream"}
        for time, key in [
            (1_700_000_000_000, "a"),
            (1_700_000_000_500, "a"),
            (1_700_000_000_500, "b"),
            (1_700_000_002_000, "a"),
        ]
    ],
}
"""The first row is within a second of the second one, not of the third."""
PRECISION: dict[str, dict[str, Any]] = {"lars": {"precision": "ms"}, "cql": {"precision": "ms"}}


@dataclass(frozen=True)
class Kind:
    """What users have: the table of the events, and the options that say what its numbers count."""

    name: str
    table: Callable[[Path], object]
    options: dict[str, Any] = field(default_factory=dict)


def dicts(times: list[Any]) -> list[dict[str, Any]]:
    return [{"k": key, "time": time} for key, time in zip(KEYS, times, strict=True)]


def arrow(times: list[Any], kind: Any) -> pa.Table:
    return pa.table({"k": KEYS, "time": pa.array(times, kind)})


def pandas_times() -> pd.DatetimeIndex:
    return pd.DatetimeIndex(MOMENTS)


@dataclass(frozen=True)
class Streamed:
    """A table that is known by Arrow's interface for streams, as that of polars and others."""

    table: pa.Table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def csv(times: list[Any]) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        file = folder / "p.csv"
        rows = [f"{key},{time}" for key, time in zip(KEYS, times, strict=True)]
        file.write_text("\n".join(["k,time", *rows]) + "\n")
        return file

    return write


def jsonl(times: list[Any]) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        file = folder / "p.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in dicts(times)))
        return file

    return write


def parquet(times: list[Any], kind: Any) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        file = folder / "p.parquet"
        pq.write_table(arrow(times, kind), file)
        return file

    return write


SECONDS = {"time_unit": "s"}
KINDS = [
    Kind("dicts, milliseconds", lambda _: dicts(MILLISECONDS), {"time_unit": "ms"}),
    Kind("dicts, seconds as floats", lambda _: dicts([1.7e9, 1700000000.5, 1700000002.0]), SECONDS),
    Kind("dicts, seconds as Decimal", lambda _: dicts([*map(Decimal, DECIMALS)]), SECONDS),
    Kind("dicts, rationals", lambda _: dicts([1700000000, "3400000001/2", "1700000002"]), SECONDS),
    Kind("dicts, ISO text without a zone", lambda _: dicts(ISO)),
    Kind("dicts, ISO text with zones", lambda _: dicts(ZONED)),
    Kind("dicts, datetime", lambda _: dicts(MOMENTS)),
    Kind(
        "dicts, datetime with a zone",
        lambda _: dicts([m.replace(tzinfo=UTC).astimezone(TOKYO) for m in MOMENTS]),
    ),
    Kind("dicts, pd.Timestamp", lambda _: dicts([pd.Timestamp(m) for m in MOMENTS])),
    Kind("dicts, np.datetime64", lambda _: dicts([np.datetime64(m, "ms") for m in MOMENTS])),
    Kind(
        "dicts, numbers and dates",
        lambda _: dicts([MILLISECONDS[0], ISO[1], MOMENTS[2]]),
        {"time_unit": "ms"},
    ),
    Kind("pandas, datetime64", lambda _: pd.DataFrame({"k": KEYS, "time": pandas_times()})),
    Kind(
        "pandas, datetime64 with a zone",
        lambda _: pd.DataFrame(
            {"k": KEYS, "time": pandas_times().tz_localize("UTC").tz_convert("America/New_York")}
        ),
    ),
    Kind("any library's table", lambda _: Streamed(arrow(MICROSECONDS, pa.timestamp("us")))),
    Kind("Arrow, timestamp[ns]", lambda _: arrow(NANOSECONDS, pa.timestamp("ns"))),
    Kind(
        "Arrow, microseconds as int64",
        lambda _: arrow(MICROSECONDS, pa.int64()),
        {"time_unit": "us"},
    ),
    Kind("CSV, seconds", csv(DECIMALS), SECONDS),
    Kind("CSV, ISO text", csv(ISO)),
    Kind("JSON Lines, milliseconds", jsonl(MILLISECONDS), {"time_unit": "ms"}),
    Kind("Parquet, timestamp[us] in UTC", parquet(MICROSECONDS, pa.timestamp("us", "UTC"))),
    Kind("Parquet, nanoseconds as int64", parquet(NANOSECONDS, pa.int64()), {"time_unit": "ns"}),
]


def in_order(language: str, answers: Any) -> list[dict[str, Any]]:
    """Those of DatalogMTL by time here; they come by predicate and arguments."""
    return (
        sorted(answers, key=lambda row: row["interval"])
        if language == "datalogmtl"
        else list(answers)
    )


@pytest.mark.parametrize("language", PROGRAMS)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_tables(kind: Kind, language: str, tmp_path: Path):
    program, table = horae.compile(PROGRAMS[language], language), kind.table(tmp_path)
    inputs = table if language == "rtlola" else {"p": table}
    options = {**kind.options, **PRECISION.get(language, {})}
    answers = program.evaluate(inputs, strict=True, **options)
    assert in_order(language, answers) == in_order(language, ANSWERS[language])


FACTS = {
    "dates": ("".join(f"p({k})@{t}\n" for k, t in zip(KEYS, ISO, strict=True)), {}),
    "milliseconds": (
        "".join(f"p({k})@{t}\n" for k, t in zip(KEYS, MILLISECONDS, strict=True)),
        {"time_unit": "ms"},
    ),
    "seconds, rationals and intervals": (
        "p(a)@1700000000. p(b)@3400000001/2 % two on a line\np(a)@[1700000002,1700000002]\n",
        SECONDS,
    ),
    "tuples": ([("p", [k], m) for k, m in zip(KEYS, MOMENTS, strict=True)], {}),
    "tuples, nanoseconds": (
        [("p", [k], t) for k, t in zip(KEYS, NANOSECONDS, strict=True)],
        {"time_unit": "ns"},
    ),
}


@pytest.mark.parametrize("language", ["datalogmtl", "lars", "cql"])
@pytest.mark.parametrize("kind", FACTS)
def test_facts(kind: str, language: str):
    facts, options = FACTS[kind]
    if language == "cql" and "intervals" in kind:
        facts = str(facts).replace("@[1700000002,1700000002]", "@1700000002")
    program = horae.compile(PROGRAMS[language], language)
    options = {**options, **PRECISION.get(language, {})}
    answers = program.evaluate(facts, strict=True, **options)
    assert in_order(language, answers) == in_order(language, ANSWERS[language])


DAYS = [date(2023, 11, 14), date(2023, 11, 15), date(2023, 11, 15)]


@pytest.mark.parametrize("language", ["lars", "cql"])
@pytest.mark.parametrize("days", [DAYS, [str(day) for day in DAYS]], ids=["date", "text"])
def test_dates_are_midnights(language: str, days: list[Any]):
    """Time points are seconds where nothing else is said: 19675 and 19676 days."""
    program = horae.compile(PROGRAMS[language], language)
    answers = program.evaluate({"p": dicts(days)}, strict=True)
    assert [row["time"] for row in answers][:2] == [1699920000, 1700006400]


def test_events_of_days():
    (first, *_) = horae.compile(PROGRAMS["rtlola"], "rtlola").evaluate(dicts(DAYS))
    assert first["time"] == 1699920000


def test_facts_of_days():
    program = horae.compile("near(K) :- p(K).", "datalogmtl")
    (answer,) = program.evaluate("p(a)@[2023-11-14,2023-11-15)")
    assert answer["interval"] == "[1699920000,1700006400)"


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    from horae.cli.main import main

    table = csv(DECIMALS)(tmp_path)
    for language, ending in (
        ("rtlola", "lola"),
        ("datalogmtl", "dmtl"),
        ("lars", "lars"),
        ("cql", "cql"),
    ):
        spec = tmp_path / f"spec.{ending}"
        spec.write_text(PROGRAMS[language])
        named = str(table) if language == "rtlola" else f"p={table}"
        precision = ["--precision", "ms"] if language in PRECISION else []
        run = [
            "run",
            str(spec),
            "--engine",
            "local",
            "--input",
            named,
            "--time-unit",
            "s",
            *precision,
        ]
        assert main(run) == 0
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert in_order(language, rows) == in_order(language, ANSWERS[language])
