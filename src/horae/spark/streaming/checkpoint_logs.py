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
from collections.abc import Mapping
from pathlib import Path
from uuid import UUID

from horae.spark.streaming.damage import damaged

_NUMBER = re.compile(r"([0-9]+)(?:\.compact)?")
_NOTHING = "-"
_KEPT = 20  # micro-batches; Spark removes much older ones, in any order


def check_logs(checkpoint: Path) -> None:
    offsets = _entries(checkpoint / "offsets")
    commits = _entries(checkpoint / "commits")
    if not offsets and not commits and not (checkpoint / "state").exists():
        return
    _check_metadata(checkpoint / "metadata")
    last, done = max(offsets, default=-1), max(commits, default=-1)
    for log in (offsets, commits):
        _check_entries(checkpoint, {n: file for n, file in log.items() if n > last - _KEPT})
    if done not in (last, last - 1):
        raise damaged(f"`offsets` ends with micro-batch {last}, but `commits` with {done}")
    for source in sorted((checkpoint / "sources").glob("[0-9]*")):
        _check_source(checkpoint, source)


def _entries(log: Path) -> dict[int, Path]:
    """By number. A micro-batch may have an entry of its own and one that has those before it."""
    found = [(_NUMBER.fullmatch(path.name), path) for path in sorted(log.glob("[0-9]*"))]
    return {int(match[1]): path for match, path in found if match}


def _check_metadata(file: Path) -> None:
    try:
        UUID(json.loads(file.read_text(encoding="utf-8"))["id"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise damaged("`metadata` cannot be read") from error


def _check_entries(checkpoint: Path, log: Mapping[int, Path]) -> None:
    for number, file in log.items():
        if number + 1 not in log and number != max(log):
            missing = file.with_name(str(number + 1)).relative_to(checkpoint)
            raise damaged(f"`{missing}` is missing")
        _check_entry(checkpoint, file)


def _check_source(checkpoint: Path, source: Path) -> None:
    """Entries before the last one that has all of them are on their way out."""
    log = _entries(source)
    start = max((n for n, file in log.items() if file.suffix == ".compact"), default=0)
    _check_entries(checkpoint, {n: file for n, file in log.items() if n >= start})


def _check_entry(checkpoint: Path, file: Path) -> None:
    """A line with the version, then JSON or the sign for nothing."""
    try:
        version, *lines = file.read_text(encoding="utf-8").lstrip("\0").split("\n")
        if not re.fullmatch(r"v[0-9]+", version):
            raise ValueError(f"the version {version!r}")
        for line in lines:
            if line and line != _NOTHING:
                json.loads(line)
    except (OSError, ValueError) as error:
        raise damaged(f"`{file.relative_to(checkpoint)}` cannot be read") from error
