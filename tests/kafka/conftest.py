"""One broker for all tests over Kafka."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.kafka.broker import Broker, broker


@pytest.fixture(scope="session")
def jars() -> Path:
    """What `make kafka-jars` has fetched."""
    return Path(os.environ.get("HORAE_KAFKA", ".kafka")).absolute()


@pytest.fixture(scope="session")
def running(jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with broker(jars / "broker", tmp_path_factory.mktemp("broker")) as found:
        yield found
