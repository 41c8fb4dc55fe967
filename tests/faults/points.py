"""Moments in the life of a micro-batch, told by the files that are there and those that are not yet.

sources/0/N     its input files are chosen
offsets/N       it is planned
state/…/N+1     its state, a file per shard
out/.batch-N…   its answers, a draft
out/batch-N     its answers
commits/N       it is done
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import assert_never

from tests.faults.driver import Stream

_VERSION = re.compile(r"^\.?([0-9]+)(?:_[^.]*)?\.(?:changelog|zip)(?!\.crc$)")


class Point(StrEnum):
    SOURCE = "source log written"
    OFFSET = "offset log written"
    STATE = "during state commit"
    SINK = "during sink write"
    ANSWERED = "between sink and commit"
    COMMITTED = "commit log written"
    FINISH = "end told, not answered"


@dataclass(frozen=True)
class Disk:
    """The latest micro-batch in each place, -1 for none.

    `source` counts what its source chose, of which `planned` is in a micro-batch: a driver that was
    killed between the two leaves the source ahead for ever. `drafts` and `answered` are those since
    the driver was started; `end` is of the source that tells the end of the stream.
    """

    source: int
    planned: int
    offset: int
    commit: int
    state: int
    drafts: frozenset[int]
    answered: frozenset[int]
    is_told: bool
    end: int

    def is_at(self, point: Point) -> bool:
        batch, is_open = self.offset, self.offset > self.commit
        match point:
            case Point.SOURCE:
                return not is_open and self.source > self.planned
            case Point.OFFSET:
                return is_open and self.state <= batch and batch not in self.answered
            case Point.STATE:
                return is_open and self.state > batch and not self._has_written(batch)
            case Point.SINK:
                return is_open and batch in self.drafts
            case Point.ANSWERED:
                return is_open and batch in self.answered and batch not in self.drafts
            case Point.COMMITTED:
                return not is_open and batch >= 0 and self.source <= self.planned
            case Point.FINISH:
                return self.is_told and (is_open or self.end < 0)
            case _:
                assert_never(point)

    def _has_written(self, batch: int) -> bool:
        return batch in self.drafts or batch in self.answered


@dataclass(frozen=True)
class Eye:
    """Looks at the files of a stream; those that `before` had are not of this run."""

    stream: Stream
    before: frozenset[tuple[str, int]]

    def look(self) -> Disk:
        checkpoint = self.stream.checkpoint
        written = _written(self.stream.output) - self.before
        offset = _latest(checkpoint / "offsets")
        return Disk(
            source=_latest(checkpoint / "sources" / "0"),
            planned=_planned(checkpoint / "offsets" / str(offset)),
            offset=offset,
            commit=_latest(checkpoint / "commits"),
            state=max(map(_latest_state, _shards(checkpoint / "state")), default=-1),
            drafts=frozenset(_numbers(written, r"\.batch-([0-9]+)\.jsonl\..+")),
            answered=frozenset(_numbers(written, r"batch-([0-9]+)\.jsonl")),
            is_told=(checkpoint / "horae" / "control" / "finish.json").exists(),
            end=_latest(checkpoint / "sources" / "1"),
        )


def open_eye(stream: Stream) -> Eye:
    return Eye(stream, frozenset(_written(stream.output)))


def _latest(folder: Path) -> int:
    """The greatest number among the names; `9.compact` is 9."""
    return max((int(n.split(".")[0]) for n in _names(folder) if n[0].isdigit()), default=-1)


def _planned(entry: Path) -> int:
    """Up to where a micro-batch reads the first source: the third line of its entry."""
    try:
        return int(json.loads(entry.read_text().split("\n")[2])["logOffset"])
    except (OSError, ValueError, LookupError, TypeError):
        return -1


def _latest_state(folder: Path) -> int:
    """Also of a file that is being written."""
    found = (_VERSION.match(name) for name in _names(folder))
    return max((int(match[1]) for match in found if match), default=-1)


def _shards(state: Path) -> list[Path]:
    """Of all operators."""
    return [shard for operator in _folders(state) for shard in _folders(operator)]


def _folders(folder: Path) -> list[Path]:
    return [folder / name for name in _names(folder) if name.isdigit()]


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 (much faster, and these are looked at all the time)
    except FileNotFoundError:
        return []


def _written(folder: Path) -> set[tuple[str, int]]:
    """A file that takes the place of another one has another number."""
    try:
        with os.scandir(folder) as entries:
            return {(entry.name, entry.inode()) for entry in entries}
    except FileNotFoundError:
        return set()


def _numbers(written: Iterable[tuple[str, int]], pattern: str) -> list[int]:
    found = (re.fullmatch(pattern, name) for name, _ in written)
    return [int(match[1]) for match in found if match]
