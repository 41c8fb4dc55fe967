"""The commands on a LARS program, over files and in process."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
import pytest

from horae.cli.main import main

SPEC = """% A machine is steady if it was up at all of the last three time points.
steady(M) :- win[2] [] up(M).
@T due(M) :- paused(M, N), win[0] @T1 paused(M, N), T = T1 + N.
"""
FACTS = "up(a)@[0,4]\npaused(a,2)@5.\n"


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "m.lars").write_text(SPEC)
    (tmp_path / "m.facts").write_text(FACTS)
    return tmp_path


def run(*arguments, inputs=("m.facts",)):
    named = [word for path in inputs for word in ("--input", path)]
    return main(["run", "m.lars", *named, "--engine", "local", *arguments])


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def steady(time):
    return {"time": time, "at": time, "answer": 1, "predicate": "steady", "args": ["a"]}


DUE = {"time": 5, "at": 7, "answer": 1, "predicate": "due", "args": ["a"]}


# --- run


def test_answers_at_each_time_point_with_a_fact(capsys):
    """A window that reaches before 0 begins at 0, so 0 and 1 are steady too."""
    assert run() == 0
    assert lines(capsys.readouterr().out) == [*map(steady, range(5)), DUE]


def test_tables_give_the_same_answers(folder, capsys):
    (folder / "up.csv").write_text("machine,from,to\na,0,4\n")
    (folder / "paused.jsonl").write_text('{"machine": "a", "minutes": 2, "time": 5}\n')
    assert run(inputs=("up=up.csv", "paused=paused.jsonl")) == 0
    assert lines(capsys.readouterr().out) == [*map(steady, range(5)), DUE]


def test_the_time_column_has_any_name(folder, capsys):
    (folder / "paused.csv").write_text("machine,minutes,ts\na,2,5\n")
    assert run("--time", "ts", inputs=("paused=paused.csv",)) == 0
    assert lines(capsys.readouterr().out) == [DUE]


def test_an_order_column_tells_ties_apart(folder, capsys):
    (folder / "m.lars").write_text("last(X) :- win[#1] <> p(X).\n")
    (folder / "p.csv").write_text("x,time,seq\nb,3,1\na,3,2\n")
    assert run("--order", "seq", inputs=("p=p.csv",)) == 0
    assert [answer["args"] for answer in lines(capsys.readouterr().out)] == [["a"]]


@pytest.mark.parametrize(
    ("at", "times"),
    [("events", [0, 1, 2, 3, 4, 5]), ("every 2", [0, 2, 4]), ("3,5,9", [3, 5]), ("all", range(6))],
)
def test_evaluation_times(at, times, capsys):
    assert run("--at", at) == 0
    assert [answer["time"] for answer in lines(capsys.readouterr().out)] == list(times)


def test_csv(capsys):
    assert run("--format", "csv", "--at", "4,5") == 0
    assert capsys.readouterr().out == (
        "time,at,answer,predicate,args,inconsistent\n"
        '4,4,1,steady,"[""a""]",\n'
        '5,7,1,due,"[""a""]",\n'
    )


def test_parquet(folder):
    assert run("--format", "parquet", "--output", "out.parquet", "--at", "5") == 0
    assert pq.read_table(folder / "out.parquet").to_pylist() == [
        {"time": 5, "at": 7, "answer": 1, "predicate": "due", "args": '["a"]', "inconsistent": None}
    ]


def test_several_answers_and_none(folder, capsys):
    (folder / "m.lars").write_text("a :- p, not b.\nb :- p, not a.\n:- r.\n")
    (folder / "m.facts").write_text("p@1\nr@2\nr@3\n")
    assert run() == 0
    out, err = capsys.readouterr()
    assert lines(out) == [
        {"time": 1, "at": 1, "answer": 1, "predicate": "a", "args": []},
        {"time": 1, "at": 1, "answer": 2, "predicate": "b", "args": []},
        {"time": 2, "inconsistent": True},
        {"time": 3, "inconsistent": True},
    ]
    assert err.startswith("inconsistent at 2, 3")
    assert run("--consequences", "brave") == 0
    assert [a["predicate"] for a in lines(capsys.readouterr().out)[:2]] == ["a", "b"]


@pytest.mark.parametrize(
    ("count", "expected"), [("1", ["a"]), ("2", ["a", "b"]), ("all", ["a", "b"])]
)
def test_the_first_answers(folder, capsys, count, expected):
    (folder / "m.lars").write_text("a :- p, not b.\nb :- p, not a.\n")
    (folder / "m.facts").write_text("p@1\n")
    assert run("--answers", count) == 0
    assert [answer["predicate"] for answer in lines(capsys.readouterr().out)] == expected


def test_at_most_ten_times_are_told(folder, capsys):
    (folder / "m.lars").write_text("q :- p.\n:- p.\n")
    (folder / "m.facts").write_text("p@[1,12]\n")
    assert run() == 0
    out, err = capsys.readouterr()
    assert len(lines(out)) == 12
    assert err.startswith("inconsistent at 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more")


def test_history(folder, capsys):
    (folder / "m.lars").write_text("d :- p.\nq :- win[3] <> d.\n?- q.\n")
    (folder / "m.facts").write_text("p@1\n")
    assert run("--mode", "history", "--at", "1,4,5") == 0
    assert [answer["time"] for answer in lines(capsys.readouterr().out)] == [1, 4]


# --- exit codes


def test_a_program_with_errors_is_exit_code_1(folder, capsys):
    (folder / "m.lars").write_text("p(X,Y) :- q(X).\n")
    assert run() == 1
    out, err = capsys.readouterr()
    assert (out, err[:9]) == ("", "error[LRS")


@pytest.mark.parametrize(
    "options",
    [
        ["--at", "noon"],
        ["--horizon", "1/0"],
        ["--mode", "memory"],
        ["--consequences", "some"],
        ["--answers", "0"],
        ["--answers", "1", "--consequences", "brave"],
    ],
)
def test_wrong_usage_is_exit_code_2(options, capsys):
    assert run(*options) == 2
    assert capsys.readouterr().out == ""


def test_wrong_input_is_exit_code_3(folder, capsys):
    (folder / "m.facts").write_text("up(a)@1\nsteady(a)@2\n")
    assert run() == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[:2] == [
        "error[INP041]: `steady` is derived by rules, so facts at time points cannot be about it",
        " --> m.facts:2:1",
    ]


# --- the other commands


def test_check(capsys):
    assert main(["check", "m.lars"]) == 0
    assert capsys.readouterr().out == "m.lars: no problems\n"


def test_analyze(capsys):
    assert main(["analyze", "m.lars"]) == 0
    text = capsys.readouterr().out
    assert "steady(M)" in text
    assert "Plan" in text
    assert main(["analyze", "m.lars", "--format", "json"]) == 0
    assert isinstance(json.loads(capsys.readouterr().out), dict)
    assert main(["analyze", "m.lars", "--format", "svg"]) == 0
    assert capsys.readouterr().out.startswith("<svg")


def test_rules_are_not_translated(capsys):
    assert main(["translate", "m.lars", "--to", "lars"]) == 2
    assert (
        "--to: LARS is not translated to other forms. There is DatalogMTL to normal, CQL to lars."
        in capsys.readouterr().err
    )
