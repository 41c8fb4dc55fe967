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
    assert main(["check", "-"]) == 1
    assert "--> <stdin>:1:" in capsys.readouterr().err


def test_a_file_that_is_no_text(folder, capsys):
    (folder / "binary.lola").write_bytes(b"\xff\xfe\x00")
    assert main(["check", "binary.lola"]) == 2
    assert "`binary.lola` is not UTF-8 text; save it as UTF-8." in capsys.readouterr().err


def test_a_byte_order_mark_moves_no_columns(folder, capsys):
    (folder / "marked.lola").write_bytes(b"\xef\xbb\xbfoutput int b := c\r\n")
    assert main(["check", "marked.lola"]) == 1
    assert "--> marked.lola:1:17" in capsys.readouterr().err
