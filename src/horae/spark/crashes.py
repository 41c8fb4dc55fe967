"""When a part of Spark ends that should not have, or cannot work for want of something."""

from __future__ import annotations

import logging
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkContext
from pyspark.sql import SparkSession

from horae.source.errors import InputError
from horae.spark import catalogue

_CRASHED = ("Python worker exited unexpectedly", "Python worker failed to connect back")
_SHORTAGES = (
    "No space left on device",
    "Disk quota exceeded",
    "Too many open files",
    "Read-only file system",
    "Permission denied",
    "java.lang.OutOfMemoryError",
)
_PATIENCE = 2  # seconds until a process that closed its sockets is gone


@contextmanager
def noticing_losses() -> Iterator[None]:
    """What fails since the JVM is gone says so, and not in which call."""
    try:
        yield
    except (Py4JError, OSError, EOFError) as error:
        if isinstance(error, Py4JJavaError) or not _is_gone():
            raise
        raise _jvm_gone() from error


def hushed(spark: SparkSession) -> SparkSession:
    """Threads of Spark in this process do not print their tracebacks when the JVM is gone."""
    root = logging.getLogger()
    if not root.handlers:  # Spark would add one that writes to stderr
        root.addHandler(logging.NullHandler())
    server = spark.sparkContext._accumulatorServer
    setattr(server, "handle_error", _say_nothing)  # noqa: B010 (a method, for this server alone)
    return spark


def _say_nothing(*_: object) -> None:
    """Whoever waits for the JVM notices, and says so."""


def _is_gone() -> bool:
    """Whether the JVM that this process started has ended."""
    process: subprocess.Popen[bytes] | None = getattr(SparkContext._gateway, "proc", None)
    try:
        return process is not None and process.wait(_PATIENCE) is not None
    except subprocess.TimeoutExpired:
        return False


def _jvm_gone() -> InputError:
    return catalogue.JVM_GONE()


def crashed_worker(text: str) -> InputError | None:
    """Spark's report of a Python worker that ended as often as Spark tries."""
    if not any(words in text for words in _CRASHED):
        return None
    return catalogue.WORKER_CRASHED()


def shortage(text: str) -> InputError | None:
    """What the machine does not give to Spark."""
    found = next((words for words in _SHORTAGES if words in text), None)
    if found is None:
        return None
    return catalogue.SHORTAGE(what=found.removeprefix("java.lang."))
