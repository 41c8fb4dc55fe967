"""What several folders of tests share: one Spark session, since starting it takes seconds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile(
    "unhurried", deadline=None
)  # how fast a machine is, is no matter of tests
settings.load_profile("unhurried")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What uses the session is marked, and runs in one process where there are several."""
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.spark)
        if item.get_closest_marker("spark") is not None:
            item.add_marker(pytest.mark.xdist_group("spark"))


@pytest.fixture(scope="session")
def spark() -> Iterator[object]:
    from horae.spark.session import JAVA_OPTIONS, java_options, session

    started = session("local[2]", shards=2, more={JAVA_OPTIONS: java_options(brief=True)})
    started.sparkContext.setLogLevel("OFF")
    yield started
    started.stop()
