"""`horae fmt`."""

from __future__ import annotations

import io

import pytest

from horae.cli.main import main

UGLY = "input  int a\noutput int b:=a+1\n"
NEAT = "input int a\noutput int b := a + 1\n"


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ugly.lola").write_text(UGLY)
    (tmp_path / "bad.lola").write_text("output int b := +\n")
    return tmp_path


def test_a_file_is_rewritten_in_place(folder, capsys):
    assert main(["fmt", "ugly.lola"]) == 0
    assert (folder / "ugly.lola").read_text() == NEAT
    assert capsys.readouterr().out == "ugly.lola: reformatted\n"
    assert main(["fmt", "ugly.lola"]) == 0
    assert (folder / "ugly.lola").read_text() == NEAT
    assert capsys.readouterr().out == ""


def test_check_changes_nothing(folder, capsys):
    assert main(["fmt", "--check", "ugly.lola"]) == 1
    assert (folder / "ugly.lola").read_text() == UGLY
    assert capsys.readouterr().out == "ugly.lola: would be reformatted\n"


def test_a_file_with_errors_stays_as_it_is_and_the_others_do_not(folder, capsys):
    assert main(["fmt", "bad.lola", "ugly.lola"]) == 1
    assert (folder / "bad.lola").read_text() == "output int b := +\n"
    assert (folder / "ugly.lola").read_text() == NEAT
    assert "--> bad.lola:1:" in capsys.readouterr().err


def test_stdin_to_stdout(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO(UGLY))
    assert main(["fmt", "-", "--language", "rtlola"]) == 0
    assert capsys.readouterr().out == NEAT


def test_permissions_and_links_survive(folder):
    (folder / "ugly.lola").chmod(0o640)
    (folder / "link.lola").symlink_to("ugly.lola")
    assert main(["fmt", "link.lola"]) == 0
    assert (folder / "link.lola").is_symlink()
    assert (folder / "ugly.lola").stat().st_mode & 0o777 == 0o640
