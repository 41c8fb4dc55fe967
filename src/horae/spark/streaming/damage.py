"""Damaged checkpoints: what Spark says of them, and what a user is told."""

from __future__ import annotations

import re
from pathlib import Path

from horae.source.errors import InputError

_CLASSES = (
    "CANNOT_LOAD_CHECKPOINT_FILE_MANAGER",
    "CANNOT_LOAD_STATE_STORE",
    "CHECKPOINT_FILE_CHECKSUM_VERIFICATION_FAILED",
    "INVALID_LOG_VERSION",
    "MALFORMED_LOG_FILE",
    "STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY",
    "STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE",
    "STATE_STORE_VALUE_SCHEMA_NOT_COMPATIBLE",
    "STREAMING_CHECKPOINT_MISSING_METADATA_FILE",
    "STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY",
    "STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA",
)
_CLASS = re.compile(rf"\[(?:{'|'.join(_CLASSES)})")


def damaged(reason: str) -> InputError:
    return InputError(
        "CHK004",
        f"the stream cannot go on from the checkpoint: {reason}",
        help="start with an empty checkpoint",
    )


def recognise_damage(text: str, checkpoint: Path) -> InputError | None:
    """Spark's errors about files of this checkpoint, and no others."""
    place = str(checkpoint.absolute())
    for line in text.splitlines():
        if place in line and "Checksum error" in line:
            return damaged(f"`{_file(line, place)}` was changed")
    found = next((line for line in text.splitlines() if _CLASS.search(line)), None)
    return None if found is None else damaged(_shortened(found))


def _file(line: str, place: str) -> str:
    return line.partition(place)[2].lstrip("/").split(" ")[0]


def _shortened(line: str) -> str:
    """From the name of the error on, without what Spark numbers."""
    start = _CLASS.search(line)
    said = line[start.start() :] if start else line
    return said.strip().split(" SQLSTATE")[0][:300]
