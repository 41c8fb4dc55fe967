"""Typed tables of answers that were computed in this process: a directory per output."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from horae.cli.usage import WrongUsage
from horae.data import catalogue
from horae.data.targets import Directory

if TYPE_CHECKING:
    import pyarrow as pa

    from horae.engine.answers import Answers


def write_local_tables(
    answers: Answers, outputs: Iterable[str], target: Directory, *, overwrite: bool
) -> dict[str, int]:
    """How many answers each output has. The directory is there as a whole, or not at all."""
    write = _writer(target.format)
    place = Path(target.path).absolute()
    if place.is_file():
        raise catalogue.OUTPUT_IS_FILE(path=target.path)
    if place.is_dir() and any(place.iterdir()) and not overwrite:
        raise catalogue.OUTPUT_NOT_EMPTY(path=target.path)
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    try:
        draft.chmod(0o755)
        counts = {name: _write(answers, name, draft, target.format, write) for name in outputs}
        shutil.rmtree(place, ignore_errors=True)
        draft.rename(place)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return counts


_TOGETHER = 1 << 16  # rows
_Write = Callable[["pa.Table", Path], object]


def _write(answers: Answers, name: str, draft: Path, format: str, write: _Write) -> int:
    table = answers.to_arrow(name)
    folder = draft / name
    folder.mkdir()
    write(table, folder / f"part-00000.{format}")
    return len(table)


def _writer(format: str) -> _Write:
    match format:
        case "parquet":
            from pyarrow import parquet

            return parquet.write_table
        case "orc":
            from pyarrow import orc

            return orc.write_table
        case "csv":
            from pyarrow import csv

            return csv.write_csv
        case "jsonl":
            return _write_lines
        case _:
            raise WrongUsage(f"--format {format} is written by Spark: leave --engine local out.")


def _write_lines(table: pa.Table, path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        for batch in table.to_batches(max_chunksize=_TOGETHER):
            for row in batch.to_pylist():
                file.write(json.dumps(row, ensure_ascii=False, default=_text) + "\n")


def _text(moment: date) -> str:
    return moment.isoformat()
