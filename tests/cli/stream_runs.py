"""Streams of the command line, run here over files that are dropped into a directory."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from horae.cli.main import main


@dataclass
class Drop:
    """A program, a directory that files are dropped into, and runs over it.

    `table` is the name of the stream that the files are a table of.
    """

    folder: Path
    capsys: pytest.CaptureFixture[str]
    spec: str
    table: str = ""
    _dropped: int = field(default=0)

    def __post_init__(self) -> None:
        (self.folder / "in").mkdir(parents=True)

    @classmethod
    def of(
        cls, folder: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, table: str = ""
    ) -> Drop:
        drop = cls(folder, capsys, str(folder / name), table)
        Path(drop.spec).write_text(text, encoding="utf-8")
        return drop

    def drop(self, name: str, content: str | bytes) -> None:
        """Older files are read first."""
        file = self.folder / "in" / name
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        self._dropped += 1
        os.utime(file, (1000 + self._dropped,) * 2)

    def run(self, *options: str) -> tuple[int, list[str], str]:
        """The exit code, the lines on stdout, and what is on stderr."""
        source = str(self.folder / "in")
        return self._run(f"{self.table}={source}" if self.table else source, *options)

    def run_beside(self, table: str, other: str, *options: str) -> tuple[int, list[str], str]:
        """The directory as a table of this name, and another input."""
        return self._run(f"{table}={self.folder / 'in'}", "--input", other, *options)

    def _run(self, source: str, *options: str) -> tuple[int, list[str], str]:
        self.capsys.readouterr()
        code = main(["run", self.spec, "--input", source, *options])
        out, err = self.capsys.readouterr()
        return code, out.splitlines(), err

    def stream(self, *options: str) -> list[str]:
        """The answers of a run that ends well, with two shards."""
        code, lines, err = self.run("--stream", "--shards", "2", *options)
        assert code == 0, err
        return lines

    def batch(self, *options: str) -> list[str]:
        code, lines, err = self.run("--engine", "local", *options)
        assert code == 0, err
        return lines

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def written(self, name: str) -> list[Any]:
        """The rows of all files in a directory of micro-batches, in their order."""
        files = sorted((self.folder / name).glob("batch-*.jsonl"))
        return [json.loads(line) for file in files for line in file.read_text().splitlines()]
