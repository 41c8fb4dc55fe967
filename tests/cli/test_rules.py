"""The commands on a DatalogMTL program, over files and in process."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
import pytest

from horae.cli.main import main

SPEC = """% A machine is steady if it has been up for two seconds.
steady(M) :- Boxminus[0,2] up(M).
Boxplus[0,1] rest(M) :- paused(M, _), not steady(M).
"""
FACTS = "up(a)@[0,4]\npaused(a,1)@5.\npaused(b,2)@[1,3/2)\n"
STEADY = {"predicate": "steady", "args": ["a"], "interval": "[2,4]"}
REST_A = {"predicate": "rest", "args": ["a"], "interval": "[5,6]"}
REST_B = {"predicate": "rest", "args": ["b"], "interval": "[1,5/2)"}


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "m.dmtl").write_text(SPEC)
    (tmp_path / "m.facts").write_text(FACTS)
    return tmp_path


def run(*arguments, inputs=("m.facts",)):
    named = [word for path in inputs for word in ("--input", path)]
    return main(["run", "m.dmtl", *named, "--engine", "local", *arguments])


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


# --- run


def test_answers_are_intervals_in_order_of_time(capsys):
    assert run() == 0
    assert lines(capsys.readouterr().out) == [REST_B, STEADY, REST_A]


def test_tables_give_the_same_answers(folder, capsys):
    (folder / "up.csv").write_text("machine,from,to\na,0,4\n")
    (folder / "paused.jsonl").write_text(
        '{"machine": "a", "why": 1, "from": 5, "to": 5, "to_open": false}\n'
        '{"machine": "b", "why": 2, "from": 1, "to": "3/2", "to_open": true}\n'
    )
    assert run(inputs=("up=up.csv", "paused=paused.jsonl")) == 0
    assert lines(capsys.readouterr().out) == [REST_B, STEADY, REST_A]


def test_the_time_column_has_any_name(folder, capsys):
    (folder / "paused.csv").write_text("machine,why,ts\na,1,5\n")
    assert run("--time", "ts", inputs=("paused=paused.csv",)) == 0
    assert lines(capsys.readouterr().out) == [REST_A]


def test_csv(capsys):
    assert run("--format", "csv") == 0
    assert capsys.readouterr().out == (
        "time,predicate,args,interval\n"
        ',rest,"[""b""]","[1,5/2)"\n'
        ',steady,"[""a""]","[2,4]"\n'
        ',rest,"[""a""]","[5,6]"\n'
    )


def test_parquet(folder):
    assert run("--format", "parquet", "--output", "out.parquet", "--at", "5/2,6") == 0
    assert pq.read_table(folder / "out.parquet").to_pylist() == [
        {"time": "5/2", "predicate": "steady", "args": '["a"]', "interval": None},
        {"time": "6", "predicate": "rest", "args": '["a"]', "interval": None},
    ]


@pytest.mark.parametrize(
    ("options", "times"),
    [
        (["--at", "events"], ["1 rest", "3/2 rest", "4 steady", "5 rest"]),
        (["--at", "every 1"], ["1 rest", "2 rest", "2 steady", "3 steady", "4 steady", "5 rest"]),
        (["--at", "every 2", "--horizon", "6"], ["2 rest", "2 steady", "4 steady", "6 rest"]),
        (["--at", "9/4"], ["9/4 rest", "9/4 steady"]),
    ],
)
def test_answers_at_times(options, times, capsys):
    assert run(*options) == 0
    found = lines(capsys.readouterr().out)
    assert [f"{answer['time']} {answer['predicate']}" for answer in found] == times


def test_a_horizon_ends_what_has_no_end(folder, capsys):
    (folder / "m.dmtl").write_text("up(M) :- Diamondminus[2] up(M).\n")
    (folder / "m.facts").write_text("up(a)@0\n")
    assert run() == 3
    assert "error[RUN011]" in capsys.readouterr().err
    assert run("--horizon", "5") == 0
    assert [answer["interval"] for answer in lines(capsys.readouterr().out)] == [
        "[0,0]",
        "[2,2]",
        "[4,4]",
    ]


def test_programs_for_meteor_run_unchanged(folder, capsys):
    (folder / "m.dmtl").write_text("B(X):-Boxminus[0,1]C(X)\nC(X):-Diamondminus[0,2]A(X)")
    (folder / "m.facts").write_text("A(a)@0\nA(a)@[3,4]")
    assert run() == 0
    found = lines(capsys.readouterr().out)
    assert [(answer["predicate"], answer["interval"]) for answer in found] == [
        ("C", "[0,2]"),
        ("B", "[1,2]"),
        ("C", "[3,6]"),
        ("B", "[4,6]"),
    ]


def test_a_program_with_errors_is_exit_code_1(folder, capsys):
    (folder / "m.dmtl").write_text("p(X,Y) :- q(X).\n")
    assert run() == 1
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[0][:13]) == ("", "error[DMT020]")


@pytest.mark.parametrize(
    ("ending", "options", "words"),
    [
        ("dmtl", ["--at", "noon"], "--at: `noon` is not a time"),
        ("dmtl", ["--horizon", "1/0"], "--horizon: `1/0` is not a time"),
        ("lola", ["--at", "events"], "--at is for DatalogMTL, LARS and CQL"),
        ("lola", ["--horizon", "3"], "--horizon is for DatalogMTL and LARS"),
    ],
)
def test_wrong_usage(ending, options, words, folder, capsys):
    (folder / "m.lola").write_text("input int a\noutput int b := a\n")
    assert main(["run", f"m.{ending}", "--input", "m.facts", "--engine", "local", *options]) == 2
    assert words in capsys.readouterr().err


# --- the other commands


def test_check(folder, capsys):
    assert main(["check", "m.dmtl"]) == 0
    assert capsys.readouterr().out == "m.dmtl: no problems\n"
    (folder / "m.dmtl").write_text("p(X) :- q(X,Y).\n?- r.\n")
    assert main(["check", "--format", "json", "m.dmtl"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [(row["code"], row["severity"]) for row in found] == [
        ("DMT090", "warning"),
        ("DMT026", "error"),
    ]


def test_fmt(folder, capsys):
    assert main(["fmt", "--check", "m.dmtl"]) == 1
    assert (folder / "m.dmtl").read_text() == SPEC
    assert main(["fmt", "m.dmtl"]) == 0
    assert (folder / "m.dmtl").read_text() == SPEC.replace("(M, _)", "(M,_)")
    assert main(["fmt", "--check", "m.dmtl"]) == 0


def test_analyze(capsys):
    assert main(["analyze", "m.dmtl"]) == 0
    text = capsys.readouterr().out
    assert "Boxminus[0,2]" in text
    assert "Plan" in text
    assert main(["analyze", "m.dmtl", "--format", "json"]) == 0
    assert isinstance(json.loads(capsys.readouterr().out), dict)


def test_the_picture_of_rules_is_that_of_their_plan(capsys):
    assert main(["analyze", "m.dmtl", "--format", "svg"]) == 0
    assert capsys.readouterr().out.startswith("<svg")


def test_translate(folder, capsys):
    assert main(["translate", "m.dmtl", "--to", "normal"]) == 0
    (folder / "m.dmtl").write_text(capsys.readouterr().out)
    assert "rest(M) :- Diamondminus[0,1] " in (folder / "m.dmtl").read_text()
    assert run() == 0
    assert lines(capsys.readouterr().out) == [REST_B, STEADY, REST_A]


def test_only_rules_have_a_normal_form(folder, capsys):
    (folder / "m.lola").write_text("input int a\noutput int b := a\n")
    assert main(["translate", "m.lola", "--to", "normal"]) == 2
    assert "There is DatalogMTL to normal, CQL to lars." in capsys.readouterr().err
