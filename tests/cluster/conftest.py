from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.cluster.cluster import Cluster, cluster


@pytest.fixture(scope="session")
def _started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture
def two_workers(_started: Cluster) -> Cluster:
    """The one cluster of the tests, with new workers for those that an earlier test has killed."""
    _started.grow(2)
    return _started
