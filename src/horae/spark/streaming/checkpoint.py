"""What a checkpoint of the command line remembers beside what Spark does.

    horae/start.json      the layout, the program and its options, the files that were there at the
                          start, the topics with their columns, and a name for the stream
    horae/given.arrow     the facts without a time in those files
    horae/control/        where the end of the stream is told

So a restart knows at once whether it may go on, also without new rows.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from horae.data.fact_columns import to_columns, to_facts
from horae.data.ground_facts import GroundFact
from horae.spark.file_system import StoredFile
from horae.spark.streaming.checkpoint_folder import Folder
from horae.spark.streaming.checkpoint_logs import check_logs
from horae.spark.streaming.damage import damaged
from horae.spark.streaming.processor import LAYOUT, another_program

Topics = Mapping[str, Sequence[str]]
"""The columns of each topic, by its name, after that of its predicate or stream."""

_START = "horae/start.json"
_GIVEN = "horae/given.arrow"
_CONTROL = "horae/control"
_FINISH = f"{_CONTROL}/finish.json"
_END = b'{"kind": "finish"}\n'


@dataclass(frozen=True)
class Checkpoint:
    folder: Folder

    @property
    def location(self) -> str:
        """As Spark takes it."""
        return self.folder.location

    @property
    def is_new(self) -> bool:
        return not self.folder.exists(_START)

    @property
    def is_finished(self) -> bool:
        return self.folder.exists(_FINISH)

    def check(self) -> None:
        """A directory with something else in it is not taken, nor one that has lost something.

        A run that ended before its first micro-batch may have left a part of `horae/`.
        """
        if not self.is_new:
            self._check_layout()
            check_logs(self.folder)
        elif set(self.folder.names()) - {"horae"}:
            raise damaged("it was not written by `horae run --stream`, or a part of it is missing")

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
        files: Sequence[StoredFile],
        given: Sequence[GroundFact],
        topics: Topics | None = None,
    ) -> None:
        """Of the first run; a later one must have the same program, options and topics."""
        found = {name: list(columns) for name, columns in (topics or {}).items()}
        if not self.is_new:
            if self._read("fingerprint") != fingerprint or self.topics() != found:
                raise another_program(False)
            return
        self.folder.make(_CONTROL)
        self.folder.write(_GIVEN, _packed(given))
        written = {
            "layout": LAYOUT,
            "stream": uuid4().hex,
            "fingerprint": fingerprint,
            "files": [file_name(file) for file in files],
            "topics": found,
        }
        self.folder.write(_START, json.dumps(written).encode())

    def topics(self) -> dict[str, list[str]]:
        return {} if self.is_new else dict(self._read("topics", {}))

    def files(self) -> list[str]:
        return [str(name) for name in self._read("files")]

    def given(self) -> list[GroundFact]:
        try:
            table = pa.ipc.open_file(self.folder.read(_GIVEN)).read_all()
        except (OSError, pa.ArrowException) as error:
            raise damaged(f"`{_GIVEN}` cannot be read") from error
        return [fact for batch in table.to_batches() for fact in to_facts(batch)]

    def _read(self, name: str, default: object = None) -> Any:
        try:
            found = json.loads(self.folder.read(_START)).get(name, default)
        except (OSError, ValueError, AttributeError) as error:
            raise damaged(f"`{_START}` cannot be read") from error
        if found is None:
            raise damaged(f"`{_START}` has no `{name}`")
        return found

    # --- the end

    def control(self, spark: SparkSession) -> DataFrame:
        self.folder.make(_CONTROL)
        place = f"{self.location}/{_CONTROL}"
        return spark.readStream.schema("kind string, payload binary").json(place)

    def finish(self) -> None:
        self.folder.write(_FINISH, _END)


def _packed(facts: Sequence[GroundFact]) -> bytes:
    columns, sink = to_columns(list(facts)), io.BytesIO()
    with pa.ipc.new_file(sink, columns.schema) as writer:
        writer.write_batch(columns)
    return sink.getvalue()


def file_name(file: StoredFile) -> str:
    """As workers have it of the rows of a stream."""
    return file.system.qualified(file.path).removeprefix("file:")
