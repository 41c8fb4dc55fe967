"""A stream of files and topics as the command line runs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from horae.spark.streaming.settings import settings_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from horae.data.given_source import SourceFormat
    from horae.engine.options import RunOptions
    from horae.spark.session import Starting
    from horae.spark.streaming.checkpoint_folder import Folder
    from horae.spark.streaming.open_stream import OpenStream


@dataclass(frozen=True)
class FileStream:
    """Where the events are, where the run keeps its place, and the options of all languages.

    `is_passing`: it takes what is there, and its checkpoint goes with it. `has_tables`: answers are
    wanted as typed tables.
    """

    inputs: Sequence[str]
    checkpoint: Folder
    lateness: str = "0"
    idle: str | None = None
    master: str | None = None
    shards: int | None = None
    files_per_batch: int | None = None
    bad_rows: str = "fail"
    is_passing: bool = False
    source: SourceFormat | None = None
    has_tables: bool = False

    @property
    def options(self) -> dict[str, object]:
        """Those that a program has too."""
        names = ("lateness", "idle", "shards", "bad_rows")
        return {name: getattr(self, name) for name in names}

    def open(self, options: RunOptions, *, has_names: bool) -> OpenStream:
        """`options` are those of the run, which has read them; `has_names`: its inputs may."""
        from horae.spark.brief import Kind, brief_run, bytes_of
        from horae.spark.session import starting
        from horae.spark.streaming.state_store import STORE

        is_known = self.is_passing and self.source is None
        size = bytes_of(self.inputs, has_names=has_names) if is_known else None
        brief = brief_run(Kind.STREAM, size)
        return self._opened(starting(self.master, self.shards, brief=brief, more=STORE), options)

    def _opened(self, on_its_way: Starting, options: RunOptions) -> OpenStream:
        """What is loaded here takes as long as a JVM."""
        from horae.spark.bad_rows import gate_for
        from horae.spark.streaming.checkpoint import Checkpoint
        from horae.spark.streaming.open_stream import OpenStream

        checkpoint, gate = Checkpoint(self.checkpoint), gate_for(self.bad_rows)
        spark = on_its_way.session()
        control = checkpoint.control(spark)
        settings = settings_of(spark, options, control, on_its_way.brief)
        at_once = on_its_way.brief is not None and self.files_per_batch is None
        per_batch = self.files_per_batch
        return OpenStream(spark, self.inputs, checkpoint, settings, gate, per_batch, at_once)


def stream_session(master: str | None, shards: int | None) -> SparkSession:
    from horae.spark.session import starting
    from horae.spark.streaming.state_store import STORE

    return starting(master, shards, brief=None, more=STORE).session()
