"""Whether a broker of Kafka can be talked to, and what its refusals mean."""

from __future__ import annotations

import re
import socket

from horae.source.errors import InputError
from horae.spark import catalogue

_PATIENCE = 5  # seconds
_KAFKA = re.compile(r"org\.apache\.kafka\.common\.\S*?(\w+Exception): ([^\n]+)")


def check_broker(servers: str) -> None:
    """Spark would wait for minutes. One of several brokers is enough: it knows the others."""
    reasons = [_unreachable(server) for server in servers.split(",")]
    if all(reason is not None for reason in reasons):
        raise catalogue.NO_BROKER_ANSWERS(servers=servers, reason=reasons[0])


def _unreachable(server: str) -> str | None:
    host, _, port = server.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except (OSError, OverflowError) as error:
        return getattr(error, "strerror", None) or str(error)
    return None


def broker_failure(text: str) -> InputError | None:
    """What Spark tells of a broker, understood."""
    if "UnknownTopicOrPartitionException" in text:
        return catalogue.NO_SUCH_TOPIC()
    if "Some data may have been lost" in text:
        return _lost()
    found = _KAFKA.search(text)
    if found is None:
        return None
    return catalogue.BROKER_FAILS(kind=found[1], reason=found[2])


def _lost() -> InputError:
    return catalogue.LOST_RECORDS()
