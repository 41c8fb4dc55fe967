"""`horae run`: options that have no effect in a language, with an engine or outside of a stream."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from horae.cli.main import main

SPECS = {
    "m.lola": "input int a\noutput int b := a\n",
    "m.dmtl": "q(X) :- Boxminus[0,1] p(X).\n",
    "m.lars": "q(X) :- win[1] [] p(X).\n",
    "m.cql": "REGISTER STREAM p(x int); SELECT x FROM p [NOW];\n",
}
USELESS = {
    "m.lola": ["--at 3", "--horizon 3", "--mode history", "--consequences brave", "--answers 1"],
    "m.dmtl": [
        "--order x",
        "--columns a,b",
        "--no-header",
        "--emit all",
        "--origin 0",
        "--precision us",
        "--mode stateless",
        "--consequences all",
        "--answers 1",
    ],
    "m.lars": [
        "--columns a,b",
        "--no-header",
        "--emit all",
        "--origin 0",
    ],
    "m.cql": [
        "--columns a,b",
        "--no-header",
        "--emit all",
        "--origin 0",
        "--horizon 3",
        "--mode stateless",
        "--consequences all",
        "--answers 1",
    ],
}


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name, text in SPECS.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "e.csv").write_text("time,a\n1,2\n")
    (tmp_path / "e.jsonl").write_text('{"time": 1, "a": 2}\n')
    (tmp_path / "f.facts").write_text("p(1)@1\n")
    return tmp_path


def run(spec: str, *options: str) -> int:
    data = "e.csv" if spec == "m.lola" else "f.facts"
    return main(["run", spec, "--input", data, "--engine", "local", *options])


@pytest.mark.parametrize("spec", SPECS)
def test_without_options(spec, capsys):
    assert run(spec) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    ("spec", "option"), [(s, o) for s, found in USELESS.items() for o in found]
)
def test_an_option_without_effect_in_this_language(spec, option, capsys):
    """Also where its value is what it would be without it."""
    assert run(spec, *option.split()) == 2
    out, err = capsys.readouterr()
    assert (out, f"Error: {option.split()[0]} is for" in err) == ("", True)


def test_only_a_stream_of_datalogmtl_has_a_precision(capsys):
    arguments = ["run", "m.dmtl", "--input", "f.facts", "--stream", "--precision", "0"]
    assert main(arguments) == 2
    assert "--precision: `0` must be greater than 0" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--master local[1]", "--shards 2", "--spark-conf spark.a=1"])
def test_an_option_of_spark_without_spark(option, capsys):
    assert run("m.lola", *option.split()) == 2
    assert "is for Spark: leave --engine local out." in capsys.readouterr().err


@pytest.mark.parametrize("options", [["--columns", "time,a"], ["--no-header", "--columns", "a"]])
def test_columns_of_what_is_no_csv(options, capsys):
    assert main(["run", "m.lola", "--input", "e.jsonl", "--engine", "local", *options]) == 2
    assert (
        "--columns: it is for CSV files, and none is given; leave it out."
        in capsys.readouterr().err
    )


# --- the ending of the output


def test_the_ending_of_the_output_is_its_format():
    assert run("m.lola", "--output", "out.csv") == 0
    assert Path("out.csv").read_text() == (
        "time,stream,params,value,trigger,message,condition\n1,b,[],2,,,\n"
    )
    assert run("m.lola", "--output", "out.PARQUET") == 0
    assert pq.read_table("out.PARQUET").column("stream").to_pylist() == ["b"]
    for name in ("out.jsonl", "out.txt", "out"):
        assert run("m.lola", "--output", name) == 0
        assert json.loads(Path(name).read_text())["value"] == 2


def test_a_format_that_is_said_is_the_format():
    assert run("m.lola", "--output", "out.csv", "--format", "jsonl") == 0
    assert json.loads(Path("out.csv").read_text())["value"] == 2


def test_an_output_that_the_specification_does_not_have(capsys):
    assert run("m.lola", "--only", "nothing") == 2
    assert "--only: `nothing` is not an output of the program; they are" in capsys.readouterr().err


@pytest.mark.parametrize("options", [["--only", "x,y"], ["--only", "x", "--only", "y"]])
def test_names_in_one_text_or_in_several(options, folder, capsys):
    (folder / "m.lola").write_text(
        "input int a\n" + "".join(f"output int {n} := a\n" for n in "xyz")
    )
    assert run("m.lola", *options) == 0
    out, _ = capsys.readouterr()
    assert [json.loads(line)["stream"] for line in out.splitlines()] == ["x", "y"]


@pytest.mark.parametrize("spec", ["m.dmtl", "m.lars", "m.cql"])
def test_outputs_of_all_languages_can_be_hidden(spec, folder, capsys):
    output = "q1" if spec == "m.cql" else "q"
    assert run(spec, "--only", output) == 0
    assert run(spec, "--only", "nothing") == 2
    assert (
        f"`nothing` is not an output of the program; they are {output}" in capsys.readouterr().err
    )


def test_rows_as_objects(capsys):
    assert run("m.cql", "--named-rows") == 0
    assert json.loads(capsys.readouterr().out)["row"] == {"x": 1}
    assert run("m.lola", "--named-rows") == 2
    assert "--named-rows is for CQL" in capsys.readouterr().err
