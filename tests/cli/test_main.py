"""The command as a whole: exit codes, and that nothing but a clear sentence reaches the user."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import horae
from horae.cli import terminal
from horae.cli.main import main
from horae.source.errors import InputError


@pytest.fixture
def failing(monkeypatch):
    """A command that raises what the test wants."""

    def install(error):
        def fail(*_args, **_options):
            raise error

        monkeypatch.setattr("horae.cli.check.read_specs", fail)

    return install


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "a.lola"
    path.write_text("input int a\noutput int b := a + 1\n")
    return str(path)


def test_the_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"horae {horae.__version__}\n"


@pytest.mark.parametrize("command", ["check", "fmt", "analyze", "run", "demo", "bench"])
def test_every_command_has_help(command, capsys):
    assert main(["-h"]) == 0
    assert f"  {command} " in capsys.readouterr().out
    assert main([command, "--help"]) == 0
    assert f"Usage: horae {command}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chekc", "x"], "No such command 'chekc'"),
        (["check"], "Missing argument 'SPEC'"),
        (["check", "nowhere.lola"], "Error: there is no file `nowhere.lola`."),
        (["check", "."], "Error: `.` is a directory, not a specification."),
        (
            ["fmt", "pyproject.toml"],
            "the ending of `pyproject.toml` names no language; known: .lola, .dmtl, .lars, .cql.",
        ),
        (["check", "--format", "xml", "a.lola"], "'xml' is not one of 'text', 'json'"),
        (["run", "a.lola"], "Missing option '--input'"),
    ],
)
def test_wrong_usage_is_exit_code_2(arguments, message, capsys):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_bad_input_is_exit_code_3(failing, spec, capsys):
    failing(InputError("INP009", "bad `x`", place="e.csv", row=3, help="use y"))
    assert main(["check", spec]) == 3
    assert capsys.readouterr().err == (
        "error[INP009]: bad `x`\n --> e.csv, row 3\n  = help: use y\n"
    )


def test_a_mistake_in_horae_is_one_sentence(failing, spec, capsys, monkeypatch):
    monkeypatch.delenv("HORAE_DEBUG", raising=False)
    failing(ZeroDivisionError("division by zero\nand more"))
    assert main(["check", spec]) == 3
    assert capsys.readouterr().err == (
        "error[BUG001]: the run failed unexpectedly (ZeroDivisionError: division by zero)\n"
        "  = help: this is a mistake in Horae, please report it; "
        "HORAE_DEBUG=1 shows where it happened\n"
    )


def test_the_traceback_is_there_for_those_who_ask(failing, spec, capsys, monkeypatch):
    monkeypatch.setenv("HORAE_DEBUG", "1")
    failing(ZeroDivisionError("division by zero"))
    assert main(["check", spec]) == 3
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_an_interrupt_is_silent(failing, spec, capsys):
    failing(KeyboardInterrupt())
    assert main(["check", spec]) == 130
    assert capsys.readouterr() == ("", "")


class _Terminal:
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("variables", "expected"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colours_can_be_turned_off(monkeypatch, variables, expected):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert terminal.has_color(_Terminal()) is expected  # type: ignore[arg-type]


_CHECK = "import sys; from horae.cli.main import main; sys.exit(main(['check', sys.argv[1]]))"


def test_a_reader_that_has_seen_enough_is_no_problem(spec):
    reading, writing = os.pipe()
    os.close(reading)
    run = subprocess.run(
        [sys.executable, "-c", _CHECK, spec], stdout=writing, stderr=subprocess.PIPE, text=True
    )
    os.close(writing)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_is_told(spec):
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [sys.executable, "-c", _CHECK, spec], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert run.returncode == 3
    assert run.stderr.startswith("error[ENV003]: the output cannot be written: ")


def test_checking_does_not_load_spark_or_numba(spec):
    code = (
        "import sys; from horae.cli.main import main; code = main(['check', sys.argv[1]]); "
        "heavy = {'pyspark', 'numba', 'pandas'} & set(sys.modules); sys.exit(code or len(heavy))"
    )
    run = subprocess.run([sys.executable, "-c", code, spec], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
