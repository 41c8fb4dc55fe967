"""docs/cluster.md, followed: workers have a bare Python, and everything else comes in an archive."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.cluster.cluster import SPARK_HOME, cluster
from tests.cluster.commands import (
    HORAE,
    answers_without_spark,
    driver_environment,
    running,
    written,
)
from tests.cluster.environment import ARCHIVE, NAME, PYTHON, make_environment
from tests.cluster.inputs import ratings, signals

from horae.spark.java import java_home

pytestmark = pytest.mark.cluster

_SCRIPT = """\
import sys

from pyspark.sql import SparkSession

import horae

spec, facts, out = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
program = horae.load(spec)
signal = spark.read.csv(facts, schema="Z string, time double")
answers = program.answers({"signal": signal})
answers.coalesce(1).write.json(out)
"""

_PROGRAM = "often(Z) :- Boxminus[0,5] Diamondminus[0,2] signal(Z).\n"


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """A folder with an environment and its archive."""
    folder = tmp_path_factory.mktemp("packed")
    make_environment(folder)
    return folder


@pytest.fixture(scope="module")
def bare_cluster(tmp_path_factory):
    """Its workers have another home: no cache and no package of the user of the tests."""
    folder = tmp_path_factory.mktemp("bare")
    home = folder / "home"
    home.mkdir()
    with cluster(folder, HOME=str(home), XDG_CACHE_HOME=str(home), HORAE_CACHE="") as started:
        yield started


def _driver() -> dict[str, str]:
    kept = {k: v for k, v in driver_environment().items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return kept | {"JAVA_HOME": str(java_home()), "PYSPARK_PYTHON": PYTHON}


def test_horae_run(packed, bare_cluster, tmp_path):
    case = ratings()
    folder, out = case.write(tmp_path / "in"), tmp_path / "out"
    command = [PYTHON, "-c", HORAE, "run", case.spec, "--input", str(folder)]
    command += ["--stream", "--finish", "--output", str(out), "--shards", "2"]
    command += ["--master", bare_cluster.url, "--spark-conf", f"spark.archives={ARCHIVE}#{NAME}"]
    with running(command, packed, bare_cluster, _driver()) as run:
        assert run.finish() == ()
    assert written(out) == Counter(answers_without_spark(case))


def test_spark_submit_of_horae_run(packed, bare_cluster, tmp_path):
    """The master, the archive and the Python are said to spark-submit alone."""
    case = signals()
    folder, out = case.write(tmp_path / "in"), tmp_path / "answers.jsonl"
    (tmp_path / "run_horae.py").write_text(HORAE)
    command = [*_submit(bare_cluster.url), str(tmp_path / "run_horae.py"), "run", case.spec]
    command += ["--input", str(folder), "--output", str(out)]
    with running(command, packed, bare_cluster, _driver()) as run:
        run.process.wait(240)
        assert run.process.returncode == 0, (packed / "stderr").read_text()[-3000:]
    assert tuple(out.read_text().splitlines()) == answers_without_spark(case)


def test_spark_submit_of_a_script(packed, bare_cluster, tmp_path):
    (tmp_path / "script.py").write_text(_SCRIPT)
    (tmp_path / "often.dmtl").write_text(_PROGRAM)
    (tmp_path / "signal.csv").write_text("".join(f"smoke,{time}\n" for time in range(0, 12, 2)))
    names = ("script.py", "often.dmtl", "signal.csv", "out")
    command = [*_submit(bare_cluster.url), *(str(tmp_path / name) for name in names)]
    with running(command, packed, bare_cluster, _driver()) as run:
        run.process.wait(240)
        assert run.process.returncode == 0, (packed / "stderr").read_text()[-3000:]
    answers = [file.read_text() for file in Path(tmp_path / "out").glob("part-*")]
    assert "often" in "".join(answers)
    assert "smoke" in "".join(answers)


def _submit(url: str) -> list[str]:
    settings = ["--archives", f"{ARCHIVE}#{NAME}", "--conf", f"spark.pyspark.python={PYTHON}"]
    return [str(SPARK_HOME / "bin" / "spark-submit"), "--master", url, *settings]


def test_a_worker_without_the_environment(packed, bare_cluster, tmp_path):
    """An error that says what is missing, instead of one that blames the program."""
    case = signals()
    folder = case.write(tmp_path / "in")
    command = [PYTHON, "-c", HORAE, "run", case.spec, "--input", str(folder)]
    with running([*command, "--master", bare_cluster.url], packed, bare_cluster, _driver()) as run:
        run.process.wait(240)
        said = (packed / "stderr").read_text()
    assert run.process.returncode == 3
    assert "error[ENV005]: " in said
    assert PYTHON in said
