"""The session of the command line: its settings, and that it starts quietly, also without a Java."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from horae.spark.session import reason_of, settings

_COUNT = """
from horae.spark.session import session
spark = session("local[1]")
print(spark.range(10).mapInArrow(lambda batches: batches, "id long").count())
spark.stop()
"""


def test_a_local_run_listens_to_this_machine_alone():
    local = settings("local[*]", shards=6)
    assert local["spark.driver.bindAddress"] == local["spark.driver.host"] == "127.0.0.1"
    assert local["spark.sql.shuffle.partitions"] == "6"
    assert local["spark.sql.session.timeZone"] == "UTC"
    assert local["spark.ui.enabled"] == "false"


def test_a_cluster_chooses_its_own_addresses_and_memory():
    assert not [
        key
        for key in settings("spark://host:7077", None)
        if key.startswith("spark.driver.") and "Java" not in key
    ]


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ("Java gateway process exited", "Java gateway process exited"),
        (
            "An error occurred while calling None.org.apache.spark.api.java.JavaSparkContext.\n"
            ": org.apache.spark.SparkException: Could not parse Master URL: 'local[x]'\n\tat org",
            "Could not parse Master URL: 'local[x]'",
        ),
        (
            "An error occurred while calling None.org.apache.spark.sql.classic.SparkSession.\n"
            ": java.lang.IllegalStateException: Cannot call methods on a stopped SparkContext.",
            "the master did not take the run, or ended it at once",
        ),
    ],
)
def test_why_it_did_not_start(told, reason):
    assert reason_of(RuntimeError(told)) == reason


@pytest.mark.spark
def test_it_starts_without_a_word_where_the_machine_has_no_java(tmp_path):
    """The tools that Spark's scripts call are there, a Java is not."""
    for tool in ("bash", "sh", "dirname", "basename", "ps", "uname"):
        for folder in ("/bin", "/usr/bin"):
            if Path(folder, tool).exists() and not (tmp_path / tool).exists():
                (tmp_path / tool).symlink_to(Path(folder, tool))
    bare = {k: v for k, v in os.environ.items() if k not in ("JAVA_HOME", "HORAE_DEBUG")}
    bare |= {"PATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    run = subprocess.run([sys.executable, "-c", _COUNT], capture_output=True, text=True, env=bare)
    assert (run.returncode, run.stdout, run.stderr) == (0, "10\n", "")
