"""`horae run`: options, formats, and that a failed run leaves nothing behind.

The program is a double: these tests are about what stands around it.
"""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from horae import compile
from horae.cli.main import main
from horae.engine.answers import AnswerField, Answers, AnswerShape, json_field
from horae.languages import languages
from horae.source.errors import InputError

ANSWERS = [
    {"time": 1.5, "stream": "b", "params": [], "value": 2},
    {"time": 1.5, "stream": "s", "params": [7, "é"], "value": 'a "quote", b'},
    {"time": 1.5, "stream": "t", "params": [True], "value": False},
    {"time": 2.0, "trigger": 1, "message": "too much", "condition": "b > 1"},
]


TIME, STREAM = AnswerField("time"), AnswerField("stream")
SHAPES = (
    AnswerShape(TIME, STREAM, json_field("params"), json_field("value")),
    AnswerShape(
        TIME,
        AnswerField("trigger"),
        AnswerField("message"),
        AnswerField("condition"),
        when="trigger",
    ),
)


class FakeAnswers(Answers):
    """Answers, then perhaps an error: as writing that fails half-way."""

    def __init__(self, error):
        columns = {key: [answer.get(key) for answer in ANSWERS] for key in FakeProgram.fields}
        for key in ("params", "value"):
            columns[key] = [json.dumps(a[key]) if key in a else None for a in ANSWERS]
        super().__init__(pa.table(columns), SHAPES)
        self.error = error

    def json_lines(self):
        yield from super().json_lines()
        if self.error:
            raise self.error


class FakeProgram:
    record = languages()["rtlola"]
    fields = ("time", "stream", "params", "value", "trigger", "message", "condition")

    def __init__(self, error=None):
        self.error = error
        self.options = {}

    def prepare(self, given, *scopes):
        return compile("input int x", language="rtlola").prepare(given, *scopes)

    def run_parts(self, inputs, **options):
        self.options = {"inputs": inputs, **options}
        return iter([FakeAnswers(self.error)])


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def program(monkeypatch):
    fake = FakeProgram()
    monkeypatch.setattr("horae.cli.run.load_program", lambda *_: fake)
    return fake


def run(*arguments):
    return main(["run", "a.lola", "--input", "e.csv", *arguments])


def test_answers_are_json_lines_on_stdout(program, capsys):
    assert run() == 0
    out, err = capsys.readouterr()
    assert [json.loads(line) for line in out.splitlines()] == ANSWERS
    assert err == ""


def test_options_reach_the_program(program):
    assert run() == 0
    assert program.options == {
        "inputs": ["e.csv"],
        "engine": "spark",
        "master": None,
        "source": None,
    }
    more = "--time ts --order n --columns a,ts,n --no-header --emit changes --origin 2024-01-01"
    assert run(*more.split(), "--engine", "local", "--precision", "ns", "--yes") == 0
    assert program.options["yes"] is True
    assert program.options["columns"] == "a,ts,n"
    assert program.options["header"] is False
    assert program.options["engine"] == "local"
    assert program.options["origin"] == "2024-01-01"


def test_csv(program, capsys):
    assert run("--format", "csv") == 0
    assert capsys.readouterr().out == (
        "time,stream,params,value,trigger,message,condition\n"
        "1.5,b,[],2,,,\n"
        '1.5,s,"[7, ""é""]","a ""quote"", b",,,\n'
        "1.5,t,[true],false,,,\n"
        "2.0,,,,1,too much,b > 1\n"
    )


def test_parquet(program, folder):
    assert run("--format", "parquet", "--output", "out.parquet") == 0
    rows = pq.read_table(folder / "out.parquet").to_pylist()
    assert rows[1]["params"] == '[7, "é"]'
    assert rows[1]["value"] == '"a \\"quote\\", b"'
    assert (rows[3]["trigger"], rows[3]["message"], rows[3]["value"]) == (1, "too much", None)


def test_a_file_is_replaced_as_a_whole(program, folder):
    (folder / "out.jsonl").write_text("old\n")
    assert run("--output", "out.jsonl") == 0
    lines = (folder / "out.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == ANSWERS
    assert [path.name for path in folder.iterdir()] == ["out.jsonl"]


def test_a_failed_run_writes_nothing(program, folder, capsys):
    program.error = InputError("RUN001", "division by zero", row=3)
    (folder / "out.jsonl").write_text("old\n")
    assert run("--output", "out.jsonl") == 3
    assert (folder / "out.jsonl").read_text() == "old\n"
    assert [path.name for path in folder.iterdir()] == ["out.jsonl"]
    assert run() == 3
    assert capsys.readouterr().out == ""


def test_an_output_that_cannot_be_written(program, capsys):
    assert run("--output", "nowhere/out.jsonl") == 3
    assert "error[ENV003]:" in capsys.readouterr().err


def test_an_input_has_no_name(program, folder, capsys):
    (folder / "e.csv").write_text("time,a\n")
    assert main(["run", "a.lola", "--input", "a=e.csv"]) == 2
    assert "one table with a column per input stream; write `e.csv`, not `a=e.csv`." in " ".join(
        capsys.readouterr().err.split()
    )
    (folder / "a=e.csv").write_text("time,a\n")
    assert main(["run", "a.lola", "--input", "a=e.csv"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--origin", "noon"], "`noon` is neither a number of seconds nor a date."),
        (["--no-header"], "--no-header: `columns` must be given too, all names in order."),
        (["--format", "parquet"], "--format parquet needs --output"),
        (["--output", "."], "--output . is a directory: --format parquet writes a table per"),
        (["--emit", "some"], "--emit: `some` is not one of all, changes, triggers."),
        (["--shards", "0"], "Invalid value for '--shards'"),
    ],
)
def test_wrong_options(program, arguments, message, capsys):
    assert run(*arguments) == 2
    assert message in capsys.readouterr().err
