"""Spark's logs in a checkpoint, looked at before a stream goes on.

    metadata          the query
    sources/S/B       what each source has given out
    offsets/B         the micro-batches that were planned
    commits/B         those that are done: all planned ones, or all but the last

Spark goes on from what it finds, and does not ask whether all of it is there: rows would count
twice or not at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from horae.spark.streaming.checkpoint_folder import Folder
from horae.spark.streaming.damage import damaged

_NUMBER = re.compile(r"([0-9]+)(?:\.compact)?")
_NOTHING = "-"
_KEPT = 20  # micro-batches; Spark removes much older ones, in any order

Log = Mapping[int, str]
"""The name of each entry in the checkpoint, by its number."""


def check_logs(checkpoint: Folder) -> None:
    offsets = _entries(checkpoint, "offsets")
    commits = _entries(checkpoint, "commits")
    if not offsets and not commits and not checkpoint.exists("state"):
        return
    _check_metadata(checkpoint)
    last, done = max(offsets, default=-1), max(commits, default=-1)
    for log in (offsets, commits):
        _check_log(checkpoint, {n: file for n, file in log.items() if n > last - _KEPT})
    if done not in (last, last - 1):
        raise damaged(f"`offsets` ends with micro-batch {last}, but `commits` with {done}")
    _check_sources(checkpoint, _read(checkpoint, offsets[last])[1:] if offsets else [])


def _entries(checkpoint: Folder, log: str) -> dict[int, str]:
    """A micro-batch may have an entry of its own and one that has those before it."""
    found = [(_NUMBER.fullmatch(name), name) for name in checkpoint.names(log)]
    return {int(match[1]): f"{log}/{name}" for match, name in found if match}


def _check_metadata(checkpoint: Folder) -> None:
    try:
        UUID(json.loads(checkpoint.read("metadata"))["id"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise damaged("`metadata` cannot be read") from error
    _check_bytes(checkpoint, "metadata")


def _check_log(checkpoint: Folder, log: Log) -> None:
    """No entry between others is missing, and each can be read."""
    for number, file in log.items():
        if number + 1 not in log and number != max(log):
            raise _missing(f"{file.rpartition('/')[0]}/{number + 1}")
        _read(checkpoint, file)


def _check_sources(checkpoint: Folder, offsets: Sequence[Any]) -> None:
    """What was planned last is known to its source. Kafka's offsets are no numbers of a log."""
    for number, offset in enumerate(offsets):
        source = f"sources/{number}"
        log = _entries(checkpoint, source)
        start = max((n for n, file in log.items() if file.endswith(".compact")), default=0)
        _check_log(checkpoint, {n: file for n, file in log.items() if n >= start})
        reached = offset.get("logOffset", -1) if isinstance(offset, dict) else -1
        if reached > max(log, default=-1):
            raise _missing(f"{source}/{reached}")


def _read(checkpoint: Folder, file: str) -> list[Any]:
    """A line with the version, then JSON or the sign for nothing."""
    _check_bytes(checkpoint, file)
    try:
        version, *lines = checkpoint.read(file).decode().lstrip("\0").split("\n")
        if not re.fullmatch(r"v[0-9]+", version):
            raise ValueError(f"the version {version!r}")
        return [None if line == _NOTHING else json.loads(line) for line in lines if line]
    except (OSError, ValueError) as error:
        raise damaged(f"`{file}` cannot be read") from error


def _check_bytes(checkpoint: Folder, file: str) -> None:
    if not checkpoint.agrees(file):
        raise damaged(f"`{file}` was changed")


def _missing(file: str) -> Exception:
    return damaged(f"`{file}` is missing")
