"""The Spark session of the command line.

The Python API never comes here: it uses its caller's session and changes nothing in it.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from subprocess import DEVNULL
from threading import Thread

from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from horae.data import own_process
from horae.source.errors import InputError
from horae.spark import catalogue
from horae.spark.brief import Brief, wake_workers
from horae.spark.class_data import class_data_options
from horae.spark.crashes import hushed
from horae.spark.given_settings import given_settings
from horae.spark.java import java_home
from horae.spark.masters import check_master, is_here

LOCAL = "local[*]"
JAVA_OPTIONS = "spark.driver.extraJavaOptions"


def session(
    master: str | None = None,
    shards: int | None = None,
    *,
    brief: Brief | None = None,
    more: Mapping[str, str] | None = None,
) -> SparkSession:
    """Start Spark, quietly; by default on all cores of this machine. `brief`: for little input.

    `more`: further settings. Those of `--spark-conf` and of spark-submit come before all others.
    """
    return starting(master, shards, brief=brief, more=more).session()


def starting(
    master: str | None = None,
    shards: int | None = None,
    *,
    brief: Brief | None = None,
    more: Mapping[str, str] | None = None,
) -> Starting:
    """As `session`, whose JVM starts while the caller goes on."""
    given = submitted_settings() | dict(given_settings())
    where = master or given.get("spark.master") or LOCAL
    check_master(where)
    _prepare_environment(where, given)
    # Spark says so of its pandas functions; it runs Horae's kernels on Arrow alone.
    warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
    own = brief if where.startswith("local") and _is_for_this_alone() else None
    ours = settings(where, shards, brief=own) | dict(more or {})
    if own is not None and SparkContext._gateway is None and JAVA_OPTIONS not in given:
        ours[JAVA_OPTIONS] += class_data_options(Path(os.environ["JAVA_HOME"]), own.kind.value)
    return Starting(ours | given | {"spark.master": where}, own)


def _is_for_this_alone() -> bool:
    """A program that calls Horae may go on with the session, or has one: it is none for brief runs."""
    return own_process.is_claimed() and SparkContext._active_spark_context is None


class Starting:
    """A session with these settings whose JVM is on its way; `brief` if the run is, and is here."""

    def __init__(self, given: Mapping[str, str], brief: Brief | None) -> None:
        self._given, self.brief = given, brief
        self._error: Exception | None = None
        self._jvm = Thread(target=self._launch, daemon=True)
        if SparkContext._gateway is None:
            self._jvm.start()

    def session(self) -> SparkSession:
        try:
            self._wait()
            started = self._built()
        except Exception as error:  # Spark raises anything from RuntimeError to py4j's own
            raise _cannot_start(self._given["spark.master"], error) from error
        if self.brief is not None:
            wake_workers(started)
        return started if os.environ.get("HORAE_DEBUG") else hushed(started)

    def _launch(self) -> None:
        """The JVM and its Python workers are not heard, unless one looks for it.

        Spark's stateful workers tell of every start and end, and what a JVM writes when the command
        is over would keep those waiting who read its answers.
        """
        conf = SparkConf(loadDefaults=False).setAll(list(self._given.items()))
        quiet = {} if os.environ.get("HORAE_DEBUG") else {"stdout": DEVNULL, "stderr": DEVNULL}
        try:
            self._gateway = launch_gateway(conf, quiet)  # type: ignore[no-untyped-call]
        except Exception as error:  # noqa: BLE001
            self._error = error

    def _wait(self) -> None:
        if self._jvm.ident is None:
            return
        self._jvm.join()
        if self._error is not None:
            raise self._error
        SparkContext._ensure_initialized(gateway=self._gateway)

    def _built(self) -> SparkSession:
        builder = SparkSession.builder
        for key, value in self._given.items():
            builder = builder.config(key, value)
        return builder.getOrCreate()


def submitted_settings() -> dict[str, str]:
    """What spark-submit was told; its JVM is there before this process."""
    if "PYSPARK_GATEWAY_PORT" not in os.environ:
        return {}
    SparkContext._ensure_initialized()
    return dict(SparkConf().getAll())


def settings(master: str, shards: int | None, *, brief: Brief | None = None) -> dict[str, str]:
    """All that a run needs of Spark, as configuration."""
    common = {
        "spark.app.name": "horae",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
        "spark.sql.shuffle.partitions": str(shards or _shards(brief)),
        JAVA_OPTIONS: java_options(brief=brief is not None),
    }
    here = _on_this_machine() if is_here(master) else {}
    in_one = _in_one_jvm() if master.startswith("local") else {}
    return common | here | in_one | (brief.settings if brief else {})


def _shards(brief: Brief | None) -> int:
    return (brief and brief.shards) or 2 * (os.cpu_count() or 1)


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


def java_options(*, brief: bool) -> str:
    """A brief run is over before the second compiler of the JVM, or its threads for garbage, pay."""
    log = files("horae.spark") / "log4j2.properties"
    level = "warn" if os.environ.get("HORAE_DEBUG") else "off"
    compilers = " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC" if brief else ""
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
