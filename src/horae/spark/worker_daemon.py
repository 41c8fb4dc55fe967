"""The parent of Spark's Python workers on this machine: it loads what they need before it forks them.

Spark's own daemon forks first, and every worker loads NumPy, Arrow, PySpark and Horae by itself. That is
so for the sake of libraries with threads; those that are loaded here know how to be forked.

Spark runs this module where `spark.python.daemon.module` names it, with `python -m`.
"""

from __future__ import annotations

import importlib
import os

from pyspark import daemon

from horae.data.arrow_alone import leave_pandas_out

LOADS = "HORAE_WORKERS_LOAD"
"""The variable of the environment that names further modules."""

_ALWAYS = ("pyspark.worker", "horae.spark.batch")


def load() -> None:
    """What cannot be loaded is told by the worker that needs it."""
    wanted = [name for name in os.environ.get(LOADS, "").split(",") if name]
    if "pandas" not in wanted:
        leave_pandas_out()  # workers of a batch never use it
    for name in (*_ALWAYS, *wanted):
        try:
            importlib.import_module(name)
        except ImportError:
            continue


if __name__ == "__main__":
    load()
    daemon.manager()
