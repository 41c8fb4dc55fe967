"""What a worker's executors are doing, read from what they log: each task has a number of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_BEGUN = re.compile(r"Running task .*\(TID (\d+)\)")
_DONE = re.compile(r"Finished task .*\(TID (\d+)\)")


@dataclass(frozen=True)
class Tasks:
    begun: frozenset[str]
    done: frozenset[str]

    @property
    def under_way(self) -> frozenset[str]:
        return self.begun - self.done


def last_tasks(work: Path) -> Tasks:
    """Of the application that came last to the worker with this directory."""
    applications = sorted(work.glob("app-*"))
    logs = applications[-1].glob("*/stderr") if applications else ()
    text = "\n".join(log.read_text() for log in logs)
    return Tasks(frozenset(_BEGUN.findall(text)), frozenset(_DONE.findall(text)))
