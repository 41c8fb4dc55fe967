"""What a checkpoint of the command line remembers beside what Spark does.

    horae/start.json      the layout, the program and its options, the files that were there at the
                          start, the topics with their columns, and a name for the stream
    horae/given.arrow     the facts without a time in those files
    horae/control/        where the end of the stream is told

So a restart knows at once whether it may go on, also without new rows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from horae.data.fact_columns import to_columns, to_facts
from horae.data.ground_facts import GroundFact
from horae.spark.streaming.checkpoint_logs import check_logs
from horae.spark.streaming.damage import damaged
from horae.spark.streaming.processor import LAYOUT, another_program

Topics = Mapping[str, Sequence[str]]
"""The columns of each topic, by its name, after that of its predicate or stream."""

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
        """A directory with something else in it is not taken, nor one that has lost something.

        A run that ended before its first micro-batch may have left a part of `horae/`.
        """
        found = {path.name for path in self.path.iterdir()} if self.path.exists() else set()
        if self.is_new and found - {"horae"}:
            raise damaged("it was not written by `horae run --stream`, or a part of it is missing")
        if not self.is_new:
            self._check_layout()
            check_logs(self.path)

    def _check_layout(self) -> None:
        if self._read("layout", 0) != LAYOUT:
            raise another_program(True)

    @property
    def stream(self) -> str:
        """The name of the stream, which no other one has."""
        return str(self._read("stream"))

    # --- the start

    def remember(
        self,
        fingerprint: str,
        files: Sequence[Path],
        given: Sequence[GroundFact],
        topics: Topics | None = None,
    ) -> None:
        """Of the first run; a later one must have the same program, options and topics."""
        found = {name: list(columns) for name, columns in (topics or {}).items()}
        if not self.is_new:
            if self._read("fingerprint") != fingerprint or self.topics() != found:
                raise another_program(False)
            return
        self._control.mkdir(parents=True, exist_ok=True)
        with pa.OSFile(str(self._given), "wb") as sink:
            columns = to_columns(list(given))
            with pa.ipc.new_file(sink, columns.schema) as writer:
                writer.write_batch(columns)
        written = {
            "layout": LAYOUT,
            "stream": uuid4().hex,
            "fingerprint": fingerprint,
            "files": [file_name(file) for file in files],
            "topics": found,
        }
        self._put(self._start, json.dumps(written))

    def topics(self) -> dict[str, list[str]]:
        return {} if self.is_new else dict(self._read("topics", {}))

    def files(self) -> list[str]:
        return [str(name) for name in self._read("files")]

    def given(self) -> list[GroundFact]:
        try:
            with pa.OSFile(str(self._given), "rb") as file:
                table = pa.ipc.open_file(file).read_all()
        except (OSError, pa.ArrowException) as error:
            raise damaged(f"`horae/{self._given.name}` cannot be read") from error
        return [fact for batch in table.to_batches() for fact in to_facts(batch)]

    def _read(self, name: str, default: object = None) -> Any:
        try:
            found = json.loads(self._start.read_text(encoding="utf-8")).get(name, default)
        except (OSError, ValueError, AttributeError) as error:
            raise damaged(f"`horae/{self._start.name}` cannot be read") from error
        if found is None:
            raise damaged(f"`horae/{self._start.name}` has no `{name}`")
        return found

    # --- the end

    def control(self, spark: SparkSession) -> DataFrame:
        self._control.mkdir(parents=True, exist_ok=True)
        return spark.readStream.schema("kind string, payload binary").json(str(self._control))

    def finish(self) -> None:
        self._put(self._finish, _FINISH)

    def _put(self, file: Path, text: str) -> None:
        """As a whole or not at all, and beside the directory that Spark reads."""
        draft = self.path / "horae" / f"{file.name}.draft"
        draft.write_text(text, encoding="utf-8")
        draft.replace(file)

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
