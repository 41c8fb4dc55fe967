"""What a run over little input asks of Spark, on this machine: to be done soon after it started."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from threading import Thread
from typing import TYPE_CHECKING

from horae.data.endings import EVENTS, FACTS_TEXT
from horae.data.facts import named_path
from horae.data.files import find_files
from horae.data.topics import has_topic
from horae.source.errors import InputError
from horae.spark import worker_daemon

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

_LITTLE = 1 << 26
"""So many bytes take less time than the start of Spark."""
_LEAST = 1 << 20
"""So many are soon done in one shard, sooner than others are started."""


class Kind(Enum):
    """Runs of one kind load the same parts of Spark."""

    BATCH = "batch"
    STREAM = "stream"


@dataclass(frozen=True, slots=True)
class Brief:
    """A run over so many bytes."""

    kind: Kind
    size: int

    @property
    def shards(self) -> int | None:
        """One, where that is enough."""
        return 1 if self.size <= _LEAST else None

    @property
    def settings(self) -> dict[str, str]:
        """Plans are evaluated as they are: to compile them takes longer than to run them."""
        return {
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.codegen.factoryMode": "NO_CODEGEN",
            "spark.sql.adaptive.enabled": "false",
            "spark.python.daemon.module": worker_daemon.__name__,
            f"spark.executorEnv.{worker_daemon.LOADS}": _LOADED[self.kind],
        }


def brief_run(kind: Kind, size: int | None) -> Brief | None:
    """None: it is not brief, or nobody knows."""
    return Brief(kind, size) if size is not None and is_little(size) else None


def is_little(size: int) -> bool:
    return size <= _LITTLE


def bytes_of(inputs: Sequence[str], *, has_names: bool) -> int | None:
    """Of files of this machine; None: they are elsewhere, or topics, or whoever opens them complains."""
    if has_topic(inputs):
        return None
    paths = [named_path(text)[1] if has_names else text for text in inputs]
    try:
        files = [file for path in paths for file in find_files(path, (*EVENTS, FACTS_TEXT))]
        return sum(file.stat().st_size for file in files)
    except (InputError, OSError):
        return None


def wake_workers(spark: SparkSession) -> None:
    """Let Spark start its Python workers while the driver still makes the plan."""
    Thread(target=_wake, args=(spark,), daemon=True).start()


def _wake(spark: SparkSession) -> None:
    with suppress(Exception):  # the run itself tells what is wrong
        spark.range(0, 1, 1, 1).mapInArrow(_as_they_are, "id long").collect()


def _as_they_are(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    return batches


_STATEFUL = "pyspark.sql.streaming.stateful_processor"
_LOADED = {
    Kind.BATCH: "horae.spark.doors",
    Kind.STREAM: f"pandas,horae.spark.streaming.processor,{_STATEFUL}",
}
"""What workers of such a run need, whatever the program."""
