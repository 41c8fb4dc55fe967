"""Whether a broker of Kafka can be talked to, and what its refusals mean."""

from __future__ import annotations

import re
import socket

from horae.source.errors import InputError

_PATIENCE = 5  # seconds
_KAFKA = re.compile(r"org\.apache\.kafka\.common\.\S*?(\w+Exception): ([^\n]+)")


def check_broker(servers: str) -> None:
    """Spark would wait for minutes. One of several brokers is enough: it knows the others."""
    reasons = [_unreachable(server) for server in servers.split(",")]
    if all(reason is not None for reason in reasons):
        raise InputError(
            "ENV013",
            f"no broker of Kafka answers at {servers}: {reasons[0]}",
            help="check the address: kafka://host:port/topic",
        )


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
        return InputError("INP076", "the broker of Kafka has no such topic", help="make it first")
    if "Some data may have been lost" in text:
        return _lost()
    found = _KAFKA.search(text)
    if found is None:
        return None
    return InputError("ENV013", f"the broker of Kafka fails: {found[1]}: {found[2]}")


def _lost() -> InputError:
    return InputError(
        "INP077",
        "records that were still to be read are not in the topic any more",
        help="start with an empty checkpoint, or go on without them: kafka://…?failOnDataLoss=false",
    )
