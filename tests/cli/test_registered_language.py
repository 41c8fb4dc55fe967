"""The command line with a language of somebody else's: what it says of itself is all that is needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from horae.cli.main import main
from horae.engine.language import Language
from horae.engine.options import RunOptions, Scope, flag, option, order, read_name
from horae.engine.run import Run
from horae.languages import register, unregister


@dataclass(frozen=True, kw_only=True)
class EchoOptions(RunOptions):
    order: str | None = order()
    voice: str = option("low", "how it sounds", read_name, metavar="VOICE", shown="low")
    twice: bool = flag(False, "saying it again", scope=Scope.STREAMS)


def _report(_: object) -> object:
    raise AssertionError("nobody asks for it here")


def _run(_: object, __: object) -> Run:
    raise AssertionError("nothing runs here")


ECHO = Language(
    name="echo",
    title="Echo",
    ending=".echo",
    check=lambda source: (source, []),
    format=lambda source: source.text.strip() + "\n",
    report=_report,  # type: ignore[arg-type]
    inputs=lambda _: (),
    outputs=lambda _: (),
    options=lambda: EchoOptions,
    fields=("time",),
    run=_run,
    translations={"loud": lambda source: source.text.upper()},
)


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path: Path) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.echo").write_text("hello\n")
    (tmp_path / "a.lola").write_text("input int a\n")
    register(ECHO)
    yield tmp_path
    unregister("echo")


def error(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().err.split())


def test_it_is_checked_formatted_and_translated(capsys):
    assert main(["check", "a.echo"]) == 0
    assert main(["fmt", "--check", "a.echo"]) == 0
    assert main(["translate", "a.echo", "--to", "loud"]) == 0
    assert capsys.readouterr().out.endswith("HELLO\n")
    assert main(["translate", "a.lola", "--to", "loud"]) == 2
    assert "CQL to lars, Echo to loud." in error(capsys)


def test_its_options_are_in_the_help(capsys):
    assert main(["run", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "--voice VOICE Echo: how it sounds [low]." in text
    assert "--twice Echo: saying it again." in text
    assert "--order COL RTLola, LARS, CQL and Echo: the column that orders" in text
    assert "--language rtlola|datalogmtl|lars|cql|echo" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("a.lola --voice high", "--voice is for Echo: how it sounds."),
        ("a.echo --voice high --emit all", "--emit is for RTLola: which values of streams"),
        ("a.echo --twice", "--twice is for streams: it needs --stream."),
        ("a.echo --shards 0", "Invalid value for '--shards'"),
        ("a.echo --language lars", "`a.echo` is echo by its ending, not lars"),
        ("- --language eko", "`eko` is not one of rtlola, datalogmtl, lars, cql, echo"),
    ],
)
def test_options_that_cannot_be(arguments, message, capsys):
    assert main(["run", *arguments.split(), "--input", "e.csv", "--engine", "local"]) == 2
    assert message in error(capsys)


def test_without_it_nobody_knows_its_options(capsys):
    unregister("echo")
    assert main(["run", "a.lola", "--voice", "high", "--input", "e.csv"]) == 2
    assert "No such option" in error(capsys)
    register(ECHO)
