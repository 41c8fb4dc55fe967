"""One run at a time has a checkpoint: two would write each other's micro-batches.

The lock ends with its process, however that ends.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from horae.data import catalogue as inputs
from horae.source.errors import InputError
from horae.spark import catalogue


@contextmanager
def locked(checkpoint: Path) -> Iterator[None]:
    file = checkpoint / "horae" / "lock"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        held = file.open("w")
    except OSError as error:
        reason = error.strerror or str(error)
        raise inputs.CANNOT_WRITE(what=f"`{checkpoint}`", reason=reason) from error
    with held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise in_use() from error
        yield


def in_use() -> InputError:
    return catalogue.CHECKPOINT_IN_USE()
