"""One cluster for all tests over HDFS."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.hdfs.cluster import Hdfs, hdfs
from tests.hdfs.runs import Runs, lay_out


@pytest.fixture(scope="session")
def jars() -> Path:
    """What `make hdfs-jars` has fetched."""
    return Path(os.environ.get("HORAE_HDFS", ".hdfs")).absolute()


@pytest.fixture(scope="session")
def running(jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hdfs]:
    with hdfs(jars, tmp_path_factory.mktemp("hdfs")) as found:
        yield found


@pytest.fixture(scope="session")
def runs(running: Hdfs, tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return lay_out(tmp_path_factory.mktemp("runs"), running)
