"""Which inputs are topics of Kafka: `kafka://host:port/topic`. Only Spark reads them."""

from __future__ import annotations

from collections.abc import Iterable

from horae.data import catalogue
from horae.source.errors import InputError

SCHEME = "kafka://"


def is_topic(path: str) -> bool:
    return path.startswith(SCHEME)


def has_topic(inputs: Iterable[str]) -> bool:
    """Among `PATH` and `NAME=PATH`."""
    return any(is_topic(text) or is_topic(text.partition("=")[2]) for text in inputs)


def topic_for_spark(path: str) -> InputError:
    return catalogue.TOPIC_FOR_SPARK(path=path.partition("?")[0])
