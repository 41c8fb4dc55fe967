"""Damaged checkpoints: what Spark says of them, and what a user is told."""

from __future__ import annotations

import re

from horae.source.errors import InputError
from horae.spark import catalogue
from horae.spark.streaming.checkpoint_lock import in_use

_WORDS = {
    "CANNOT_LOAD_STATE_STORE": "its state cannot be read",
    "CHECKPOINT_FILE_CHECKSUM_VERIFICATION_FAILED": "a file was changed",
    "INVALID_LOG_VERSION": "its logs are those of another version of Spark",
    "MALFORMED_LOG_FILE": "a log cannot be read",
    "STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY": "there is state of micro-batches that never were",
    "STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE": "its state has another form",
    "STATE_STORE_VALUE_SCHEMA_NOT_COMPATIBLE": "its state has another form",
    "STREAMING_CHECKPOINT_MISSING_METADATA_FILE": "`metadata` is missing",
    "STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY": "`state` is missing",
    "STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA": "its state is of other operators",
}
"""Spark's names of errors that are about files of a checkpoint."""

_NAME = re.compile(rf"\[({'|'.join(_WORDS)})\b")
_TWO_RUNS = ("Multiple streaming queries are concurrently using", "[CONCURRENT_STREAM_LOG_UPDATE]")


def damaged(reason: str) -> InputError:
    return catalogue.DAMAGED_CHECKPOINT(reason=reason)


def recognise_damage(text: str, checkpoint: str) -> InputError | None:
    """Spark's errors about the checkpoint at this location, and no others."""
    if any(words in text for words in _TWO_RUNS):
        return in_use()
    found = _NAME.search(text)
    if found is None:
        return None
    return damaged(_WORDS[found[1]] + _file(text, checkpoint))


def _file(text: str, checkpoint: str) -> str:
    """The first file of the checkpoint that Spark names, if it does."""
    place = re.escape(checkpoint.removeprefix("file:"))
    named = re.search(rf"{place}/([\w./-]*\w)", text)
    return "" if named is None else f" (`{named[1]}`)"
