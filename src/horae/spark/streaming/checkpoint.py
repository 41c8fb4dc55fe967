"""What a checkpoint of the command line remembers beside what Spark does.

    horae/start.json      the program and its options, and the files that were there at the start
    horae/given.arrow     the facts without a time in those files
    horae/control/        where the end of the stream is told

So a restart knows at once whether it may go on, also without new rows.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from horae.inputs.fact_columns import to_columns, to_facts
from horae.kernels.datalogmtl.facts import GroundFact
from horae.source.errors import InputError
from horae.spark.streaming.processor import another_program

_FINISH = '{"kind": "finish"}\n'


@dataclass(frozen=True)
class Checkpoint:
    path: Path

    @property
    def is_new(self) -> bool:
        return not self._start.exists()

    @property
    def is_finished(self) -> bool:
        return self._finish.exists()

    def check(self) -> None:
        """A directory with something else in it is not taken."""
        if self.is_new and self.path.exists() and any(self.path.iterdir()):
            raise damaged("it was not written by `horae run --stream`, or a part of it is missing")

    # --- the start

    def remember(
        self, fingerprint: str, files: Sequence[Path], given: Sequence[GroundFact]
    ) -> None:
        """Of the first run; a later one must have the same program and options."""
        if not self.is_new:
            if self._read()["fingerprint"] != fingerprint:
                raise another_program(False)
            return
        self._control.mkdir(parents=True, exist_ok=True)
        with pa.OSFile(str(self._given), "wb") as sink:
            columns = to_columns(list(given))
            with pa.ipc.new_file(sink, columns.schema) as writer:
                writer.write_batch(columns)
        written = {"fingerprint": fingerprint, "files": [file_name(file) for file in files]}
        draft = self._start.with_suffix(".draft")
        draft.write_text(json.dumps(written), encoding="utf-8")
        draft.replace(self._start)

    def files(self) -> list[str]:
        return [str(name) for name in self._read()["files"]]

    def given(self) -> list[GroundFact]:
        try:
            with pa.OSFile(str(self._given), "rb") as file:
                table = pa.ipc.open_file(file).read_all()
        except (OSError, pa.ArrowException) as error:
            raise damaged(f"`{self._given.name}` cannot be read") from error
        return [fact for batch in table.to_batches() for fact in to_facts(batch)]

    def _read(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = json.loads(self._start.read_text(encoding="utf-8"))
            return {"fingerprint": found["fingerprint"], "files": list(found["files"])}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise damaged(f"`{self._start.name}` cannot be read") from error

    # --- the end

    def control(self, spark: SparkSession) -> DataFrame:
        self._control.mkdir(parents=True, exist_ok=True)
        return spark.readStream.schema("kind string, payload binary").json(str(self._control))

    def finish(self) -> None:
        self._finish.write_text(_FINISH, encoding="utf-8")

    # --- places

    @property
    def _start(self) -> Path:
        return self.path / "horae" / "start.json"

    @property
    def _given(self) -> Path:
        return self.path / "horae" / "given.arrow"

    @property
    def _control(self) -> Path:
        return self.path / "horae" / "control"

    @property
    def _finish(self) -> Path:
        return self._control / "finish.json"


def file_name(file: Path) -> str:
    return str(file.resolve())


def damaged(reason: str) -> InputError:
    return InputError(
        "CHK004",
        f"the stream cannot go on from the checkpoint: {reason}",
        help="start with an empty checkpoint",
    )
