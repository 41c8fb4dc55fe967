"""The Spark session of the command line.

The Python API never comes here: it uses its caller's session and changes nothing in it.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files

from pyspark.sql import SparkSession

from horae.source.errors import InputError
from horae.spark.java import java_home

LOCAL = "local[*]"


def session(
    master: str | None = None,
    shards: int | None = None,
    *,
    brief: bool = False,
    more: Mapping[str, str] | None = None,
) -> SparkSession:
    """Start Spark, quietly; by default on all cores of this machine. `brief`: for little input.

    `more`: further settings.
    """
    where = master or LOCAL
    _prepare_environment(where)
    # Spark says so of its pandas functions; it runs Horae's kernels on Arrow alone.
    warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
    builder = SparkSession.builder.appName("horae").master(where)
    for key, value in (settings(where, shards, brief=brief) | dict(more or {})).items():
        builder = builder.config(key, value)
    try:
        with _quiet():
            return builder.getOrCreate()
    except Exception as error:  # Spark raises anything from RuntimeError to py4j's own
        raise _cannot_start(where, error) from error


@contextmanager
def _quiet() -> Iterator[None]:
    """The JVM and its Python workers inherit stderr: nothing of theirs is seen, unless one looks for it.

    Spark's stateful workers tell there of every start and end.
    """
    if os.environ.get("HORAE_DEBUG"):
        yield
        return
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def settings(master: str, shards: int | None, *, brief: bool = False) -> dict[str, str]:
    """All that a run needs of Spark, as configuration."""
    common = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
        "spark.sql.shuffle.partitions": str(shards or 2 * (os.cpu_count() or 1)),
        "spark.driver.extraJavaOptions": _java_options(brief=brief and master.startswith("local")),
    }
    return common | (_on_this_machine() if master.startswith("local") else {})


def _on_this_machine() -> dict[str, str]:
    """Nothing listens on the network, and the one JVM may use half of the memory, up to 8 GB."""
    return {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": f"{min(8192, max(1024, _memory_mb() // 2))}m",
    }


def _memory_mb() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    except (ValueError, OSError, AttributeError):
        return 2048


def _java_options(*, brief: bool) -> str:
    """A brief run is over before the second compiler of the JVM has paid for itself."""
    log = files("horae.spark") / "log4j2.properties"
    level = "warn" if os.environ.get("HORAE_DEBUG") else "off"
    compilers = " -XX:TieredStopAtLevel=1" if brief else ""
    return f"-Dlog4j2.configurationFile=file:{log} -Dhorae.log={level}{compilers}"


def _prepare_environment(master: str) -> None:
    """Spark reads these when it starts its JVM and its Python workers."""
    os.environ["JAVA_HOME"] = str(java_home())
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    if master.startswith("local"):
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"


def _cannot_start(master: str, error: Exception) -> InputError:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return InputError(
        "ENV002",
        f"Spark did not start on {master}: {lines[0]}",
        help="check --master; HORAE_DEBUG=1 shows what Spark logs; `--engine local` needs no Spark",
    )
