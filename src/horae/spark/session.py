"""The Spark session of the command line.

The Python API never comes here: it uses its caller's session and changes nothing in it.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files

from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

from horae.source.errors import InputError
from horae.spark import catalogue
from horae.spark.crashes import hushed
from horae.spark.given_settings import given_settings
from horae.spark.java import java_home
from horae.spark.masters import check_master, is_here

LOCAL = "local[*]"


def session(
    master: str | None = None,
    shards: int | None = None,
    *,
    brief: bool = False,
    more: Mapping[str, str] | None = None,
) -> SparkSession:
    """Start Spark, quietly; by default on all cores of this machine. `brief`: for little input.

    `more`: further settings. Those of `--spark-conf` and of spark-submit come before all others.
    """
    given = submitted_settings() | dict(given_settings())
    where = master or given.get("spark.master") or LOCAL
    check_master(where)
    _prepare_environment(where, given)
    # Spark says so of its pandas functions; it runs Horae's kernels on Arrow alone.
    warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
    ours = settings(where, shards, brief=brief) | dict(more or {})
    builder = SparkSession.builder
    for key, value in (ours | given | {"spark.master": where}).items():
        builder = builder.config(key, value)
    try:
        with _quiet():
            started = builder.getOrCreate()
    except Exception as error:  # Spark raises anything from RuntimeError to py4j's own
        raise _cannot_start(where, error) from error
    return started if os.environ.get("HORAE_DEBUG") else hushed(started)


def submitted_settings() -> dict[str, str]:
    """What spark-submit was told; its JVM is there before this process."""
    if "PYSPARK_GATEWAY_PORT" not in os.environ:
        return {}
    SparkContext._ensure_initialized()
    return dict(SparkConf().getAll())


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
        "spark.app.name": "horae",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
        "spark.sql.shuffle.partitions": str(shards or 2 * (os.cpu_count() or 1)),
        "spark.driver.extraJavaOptions": _java_options(brief=brief and master.startswith("local")),
    }
    here = _on_this_machine() if is_here(master) else {}
    return common | here | (_in_one_jvm() if master.startswith("local") else {})


def _on_this_machine() -> dict[str, str]:
    """Nothing listens on the network."""
    return {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}


def _in_one_jvm() -> dict[str, str]:
    """It may use half of the memory, up to 8 GB."""
    return {"spark.driver.memory": f"{min(8192, max(1024, _memory_mb() // 2))}m"}


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


def _prepare_environment(master: str, given: Mapping[str, str]) -> None:
    """Spark reads these when it starts its JVM and its Python workers."""
    os.environ["JAVA_HOME"] = str(java_home())
    os.environ["PYSPARK_PYTHON"] = _workers_python(master, given)
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    if is_here(master):
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"


def _workers_python(master: str, given: Mapping[str, str]) -> str:
    """On a cluster the one that was shipped there, as its user says; else that of this process."""
    if master.startswith("local"):
        return sys.executable
    shipped = given.get("spark.pyspark.python") or os.environ.get("PYSPARK_PYTHON")
    return shipped or sys.executable


def _cannot_start(master: str, error: Exception) -> InputError:
    return catalogue.SPARK_DID_NOT_START(master=master, reason=reason_of(error))


def reason_of(error: Exception) -> str:
    """The JVM's own words come after a line about the call; an end before the beginning has none."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    told = [line.removeprefix(": ") for line in lines if line.startswith(": ")]
    reason = re.sub(r"^(?:[\w$]+\.)+[\w$]+: ", "", (told or lines)[0])
    if "stopped SparkContext" in reason:
        return "the master did not take the run, or ended it at once"
    return reason
