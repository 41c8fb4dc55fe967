"""Brokers that do not answer, and what Spark tells of those that do."""

from __future__ import annotations

import socket
import time

import pytest

from horae.source.errors import InputError
from horae.spark.brokers import broker_failure, check_broker


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def test_nobody_answers():
    begin = time.monotonic()
    with pytest.raises(InputError, match="ENV013: no broker of Kafka answers at 127") as found:
        check_broker(f"127.0.0.1:{_free_port()}")
    assert "Connection refused" in found.value.message
    assert time.monotonic() - begin < 5


@pytest.mark.parametrize("servers", ["127.0.0.1:99999", "no such host:9092"])
def test_addresses_that_cannot_be(servers: str):
    with pytest.raises(InputError, match="ENV013"):
        check_broker(servers)


def test_one_of_several_is_enough():
    with socket.create_server(("127.0.0.1", 0)) as server:
        check_broker(f"127.0.0.1:{_free_port()},127.0.0.1:{server.getsockname()[1]}")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            "java.util.concurrent.ExecutionException: org.apache.kafka.common.errors."
            "UnknownTopicOrPartitionException: This server does not host this topic-partition.",
            "INP076",
        ),
        (
            "Partition beats-0's offset was changed from 80 to 0. Some data may have been lost "
            "because they are not available in Kafka any more",
            "INP077",
        ),
        (
            "Caused by: org.apache.kafka.common.errors.TimeoutException: Timed out waiting\n\tat x",
            "ENV013",
        ),
    ],
)
def test_what_spark_tells_of_a_broker(text: str, code: str):
    found = broker_failure(text)
    assert found is not None
    assert found.code == code


def test_other_failures_are_not_the_broker_s():
    assert broker_failure("java.lang.ArithmeticException: / by zero") is None
