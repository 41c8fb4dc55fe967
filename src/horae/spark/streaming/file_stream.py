"""A stream of files and topics as the command line runs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from horae.spark.streaming.settings import settings_of

if TYPE_CHECKING:
    from horae.engine.options import RunOptions
    from horae.spark.streaming.open_stream import OpenStream


@dataclass(frozen=True)
class FileStream:
    """Where the events are, where the run keeps its place, and the options of all languages."""

    inputs: Sequence[str]
    checkpoint: Path
    lateness: str = "0"
    idle: str | None = None
    master: str | None = None
    shards: int | None = None
    files_per_batch: int | None = None
    bad_rows: str = "fail"

    @property
    def options(self) -> dict[str, object]:
        """Those that a program has too."""
        names = ("lateness", "idle", "shards", "bad_rows")
        return {name: getattr(self, name) for name in names}

    def open(self, options: RunOptions) -> OpenStream:
        """`options` are those of the run, which has read them."""
        from horae.spark.bad_rows import gate_for
        from horae.spark.session import session
        from horae.spark.streaming.checkpoint import Checkpoint
        from horae.spark.streaming.open_stream import OpenStream
        from horae.spark.streaming.stream import STORE

        checkpoint, gate = Checkpoint(self.checkpoint), gate_for(self.bad_rows)
        spark = session(self.master, self.shards, more=STORE)
        settings = settings_of(spark, options, checkpoint.control(spark))
        return OpenStream(spark, self.inputs, checkpoint, settings, gate, self.files_per_batch)
