"""`horae run --stream`: options that do not go together."""

from __future__ import annotations

import pytest

from horae.cli.main import main

WRONG = [
    ("--finish", "needs --stream"),
    ("--checkpoint cp", "needs --stream"),
    ("--lateness 5s", "needs --stream"),
    ("--trigger available", "needs --stream"),
    ("--dead-letters late", "needs --stream"),
    ("--files-per-batch 1", "needs --stream"),
    ("--metrics-port 0", "--metrics-port is for streams: it needs --stream."),
    ("--stream --engine local", "runs on Spark"),
    ("--stream --format csv", "it needs --output"),
    ("--stream --lateness soon", "not a duration"),
    ("--stream --trigger often", "5 seconds"),
    ("--stream --finish --trigger", "--finish ends"),
]


def test_files_of_topics(capsys):
    topic = "kafka://localhost:9092/events"
    assert main(["run", "a.lola", "--stream", "--input", topic, "--files-per-batch", "1"]) == 2
    assert "--files-per-batch is for files" in capsys.readouterr().err


@pytest.mark.parametrize(("options", "words"), WRONG)
def test_wrong_usage(options, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.lola").write_text("input int a\n")
    arguments = options.split()
    if arguments[-1] == "--trigger":
        arguments.append("5 seconds")
    assert main(["run", "a.lola", "--input", "e.csv", *arguments]) == 2
    assert words in " ".join(capsys.readouterr().err.split())


def test_answers_of_a_stream_go_to_a_directory(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").write_text("")
    assert main(["run", "a.lola", "--input", "e.csv", "--stream", "--output", "out"]) == 2
    assert "is a file" in capsys.readouterr().err
