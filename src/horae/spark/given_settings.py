"""Settings of Spark that the command line was given, for the session that its run starts.

They pass by everything in between, which knows nothing of Spark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import ContextVar

_given: ContextVar[Mapping[str, str] | None] = ContextVar("given_settings", default=None)


def read_spark_settings(texts: Sequence[str]) -> dict[str, str]:
    """Of `KEY=VALUE`, as Spark writes it: `spark.executor.memory=2g`."""
    settings = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not key.strip().startswith("spark."):
            raise ValueError(f"`{text}` is no setting of Spark such as spark.executor.memory=2g")
        settings[key.strip()] = value.strip()
    return settings


def give_settings(settings: Mapping[str, str]) -> None:
    _given.set(dict(settings))


def given_settings() -> Mapping[str, str]:
    return _given.get() or {}
