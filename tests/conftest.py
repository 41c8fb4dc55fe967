"""What several folders of tests share: one Spark session, since starting it takes seconds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def spark() -> Iterator[object]:
    from horae.spark.session import session

    started = session("local[2]", shards=2, brief=True)
    started.sparkContext.setLogLevel("OFF")
    yield started
    started.stop()
