"""`horae check`."""

from __future__ import annotations

import io
import json

import pytest

from horae.cli.main import main


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.lola").write_text("input int a\noutput int b := a + 1\n")
    (tmp_path / "bad.lola").write_text("input int a\noutput int b := c + 1\n")
    return tmp_path


def test_a_good_specification(capsys):
    assert main(["check", "good.lola"]) == 0
    assert capsys.readouterr() == ("good.lola: no problems\n", "")


def test_a_specification_with_an_error(capsys):
    assert main(["check", "good.lola", "bad.lola"]) == 1
    out, err = capsys.readouterr()
    assert out == "good.lola: no problems\nbad.lola: 1 error\n"
    assert "--> bad.lola:2:17" in err
    assert "output int b := c + 1" in err
    assert "\x1b" not in err


def test_diagnostics_as_json(capsys):
    assert main(["check", "--format", "json", "good.lola", "bad.lola"]) == 1
    out, err = capsys.readouterr()
    (found,) = json.loads(out)
    assert (found["file"], found["severity"]) == ("bad.lola", "error")
    assert err == ""


def test_from_stdin(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("output int b := 1 +\n"))
    assert main(["check", "-", "--language", "rtlola"]) == 1
    assert "--> <stdin>:1:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("lars", "hot(X) :- win[5] [] warm(X).\n"),
        ("datalogmtl", "q(X) :- Boxminus[0,1] p(X).\n"),
        ("cql", "REGISTER STREAM s(a int); SELECT a FROM s [NOW];\n"),
    ],
)
def test_the_language_of_stdin_is_said(language, text, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert main(["check", "-", "--language", language]) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    "command", ["check", "fmt", "analyze", "run --input e.csv", "translate --to lars"]
)
def test_the_language_of_stdin_is_not_guessed(command, monkeypatch, capsys):
    """Stdin is not even read: somebody might have to type it."""
    monkeypatch.setattr("sys.stdin", None)
    assert main([*command.split(), "-"]) == 2
    assert "needs --language, one of rtlola, datalogmtl, lars, cql." in capsys.readouterr().err


def test_a_file_without_an_ending_has_the_language_that_is_said(folder, capsys):
    (folder / "rules.txt").write_text("q(X) :- Boxminus[0,1] p(X).\n")
    assert main(["check", "rules.txt"]) == 2
    assert "say it with --language" in capsys.readouterr().err
    assert main(["check", "rules.txt", "good.lola", "--language", "datalogmtl"]) == 0


def test_an_ending_and_another_language(capsys):
    assert main(["check", "good.lola", "--language", "rtlola"]) == 0
    assert main(["check", "good.lola", "--language", "lars"]) == 2
    assert "`good.lola` is rtlola by its ending, not lars" in capsys.readouterr().err


def test_stdin_that_is_no_text(monkeypatch, capsys):
    """Where stdin does not refuse bytes, they come as lone surrogates."""
    monkeypatch.setattr("sys.stdin", io.StringIO("output int b := 1 -- \udcff\n"))
    assert main(["check", "-", "--language", "rtlola"]) == 2
    assert "`<stdin>` is not UTF-8 text" in capsys.readouterr().err


def test_a_file_that_is_no_text(folder, capsys):
    (folder / "binary.lola").write_bytes(b"\xff\xfe\x00")
    assert main(["check", "binary.lola"]) == 2
    assert "`binary.lola` is not UTF-8 text; save it as UTF-8." in capsys.readouterr().err


def test_a_byte_order_mark_moves_no_columns(folder, capsys):
    (folder / "marked.lola").write_bytes(b"\xef\xbb\xbfoutput int b := c\r\n")
    assert main(["check", "marked.lola"]) == 1
    assert "--> marked.lola:1:17" in capsys.readouterr().err
