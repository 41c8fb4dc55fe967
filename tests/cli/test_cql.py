"""The commands on CQL queries, over files and in process."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from horae.cli.main import main

SPEC = """REGISTER STREAM tram(ID string, X string);
REGISTER RELATION line(ID string, L string);
rel: SELECT L, X FROM tram [RANGE 10], line WHERE tram.ID = line.ID;
new: ISTREAM(SELECT ID FROM tram [RANGE 10]);
"""
FACTS = "line(a1,l1)\nline(a2,l2)\ntram(a1,p1)@36\ntram(a2,p2)@40\n"


def answer(time, query, row):
    return {"time": time, "query": query, "row": row, "kind": KINDS[query]}


KINDS = {"rel": "rstream", "new": "istream"}
ANSWERS = [
    answer(36, "new", ["a1"]),
    answer(36, "rel", ["l1", "p1"]),
    answer(40, "new", ["a2"]),
    answer(40, "rel", ["l1", "p1"]),
    answer(40, "rel", ["l2", "p2"]),
]


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "q.cql").write_text(SPEC)
    (tmp_path / "q.facts").write_text(FACTS)
    return tmp_path


def run(*arguments, inputs=("q.facts",)):
    named = [word for path in inputs for word in ("--input", path)]
    return main(["run", "q.cql", *named, "--engine", "local", *arguments])


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


# --- run


def test_answers_at_each_time_point_with_a_row(capsys):
    assert run() == 0
    assert lines(capsys.readouterr().out) == ANSWERS


def test_tables_give_the_same_answers(folder, capsys):
    (folder / "lines.csv").write_text("tram,line\na1,l1\na2,l2\n")
    (folder / "trams.jsonl").write_text(
        '{"tram": "a1", "stop": "p1", "time": 36}\n\n{"time": 40, "stop": "p2", "tram": "a2"}\n'
    )
    inputs = ("LINE(tram, line)=lines.csv", "tram(tram, stop)=trams.jsonl")
    assert run(inputs=inputs) == 0
    assert lines(capsys.readouterr().out) == ANSWERS


def test_parquet_and_facts_together(folder, capsys):
    table = pa.table({"ts": [36, 40], "tram": ["a1", "a2"], "stop": ["p1", "p2"]})
    pq.write_table(table, folder / "trams.parquet")
    (folder / "lines.facts").write_text("line(a1,l1)\nline(a2,l2)\nold(a1)\n")
    assert run("--time", "ts", inputs=("tram(tram, stop)=trams.parquet", "lines.facts")) == 0
    assert lines(capsys.readouterr().out) == ANSWERS


def test_an_order_column_tells_ties_apart(folder, capsys):
    (folder / "q.cql").write_text("REGISTER STREAM p(x string); SELECT x FROM p [ROWS 1];\n")
    (folder / "p.csv").write_text("x,time,seq\nb,3,9\na,3,10\n")
    (folder / "q.facts").write_text("p(b)@3\np(a)@3\n")
    assert run() == 0
    assert run("--order", "seq", inputs=("p=p.csv",)) == 0
    assert [a["row"] for a in lines(capsys.readouterr().out)] == [["b"], ["a"]]


@pytest.mark.parametrize(
    ("at", "times"), [("all", {36, 37, 38, 39, 40}), ("every 20", {40}), ("35,46", {46})]
)
def test_evaluation_times(at, times, capsys):
    assert run("--at", at) == 0
    assert {a["time"] for a in lines(capsys.readouterr().out)} == times


def test_csv(capsys):
    assert run("--format", "csv", "--at", "36") == 0
    assert capsys.readouterr().out == (
        'time,query,row,kind\n36,new,"[""a1""]",istream\n36,rel,"[""l1"", ""p1""]",rstream\n'
    )


def test_parquet(folder):
    assert run("--format", "parquet", "--output", "out.parquet", "--at", "36") == 0
    assert pq.read_table(folder / "out.parquet").to_pylist() == [
        {"time": 36, "query": "new", "row": '["a1"]', "kind": "istream"},
        {"time": 36, "query": "rel", "row": '["l1", "p1"]', "kind": "rstream"},
    ]


# --- exit codes


def test_queries_with_errors_are_exit_code_1(folder, capsys):
    (folder / "q.cql").write_text("SELECT x FROM nothing;\n")
    assert run() == 1
    out, err = capsys.readouterr()
    assert (out, err[:9]) == ("", "error[CQL")


def test_wrong_usage_is_exit_code_2(capsys):
    assert run("--at", "noon") == 2
    assert "--at: `noon` is no time point" in capsys.readouterr().err
    assert run("--horizon", "3") == 2
    assert (
        "--horizon is for DatalogMTL and LARS: the time up to which rules derive."
        in capsys.readouterr().err
    )


def test_wrong_input_is_exit_code_3(folder, capsys):
    (folder / "q.facts").write_text("tram(a1,p1)@1\ntram(a1,7)@2\n")
    assert run() == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[:2] == [
        "error[INP047]: `7` is no value of `X`, which is string",
        " --> q.facts:2:1",
    ]


# --- the other commands


def test_check(capsys):
    assert main(["check", "q.cql"]) == 0
    assert capsys.readouterr().out == "q.cql: no problems\n"


def test_analyze(capsys):
    assert main(["analyze", "q.cql"]) == 0
    assert "stream tram [RANGE 10]" in capsys.readouterr().out
    assert main(["analyze", "q.cql", "--format", "json"]) == 0
    assert isinstance(json.loads(capsys.readouterr().out), dict)
    assert main(["analyze", "q.cql", "--format", "dot"]) == 0
    assert capsys.readouterr().out.startswith("digraph plan {")


def test_the_translation_runs(folder, capsys):
    (folder / "q.cql").write_text(
        SPEC.replace("new: ISTREAM(SELECT ID FROM tram [RANGE 10]);\n", "")
    )
    assert main(["translate", "q.cql", "--to", "lars"]) == 0
    (folder / "q.lars").write_text(capsys.readouterr().out)
    assert main(["run", "q.lars", "--input", "q.facts", "--engine", "local"]) == 0
    found = [(a["time"], a["args"]) for a in lines(capsys.readouterr().out)]
    assert found == [(a["time"], a["row"]) for a in ANSWERS if a["query"] == "rel"]


def test_what_has_no_translation_is_exit_code_1(capsys):
    assert main(["translate", "q.cql", "--to", "lars"]) == 1
    assert "ISTREAM" in capsys.readouterr().err
    assert main(["translate", "q.cql", "--to", "normal"]) == 2
