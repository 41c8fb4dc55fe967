"""Output that is either there as a whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from horae.source.errors import InputError


@contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """A draft beside the file, which takes its place if all goes well and vanishes otherwise."""
    target = path.resolve()  # a link stays a link
    draft = _draft(target)
    try:
        yield draft
        if target.exists():
            shutil.copymode(target, draft)
        draft.replace(target)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        draft.unlink(missing_ok=True)


def _draft(target: Path) -> Path:
    """An empty file in the same directory (only so renaming is atomic), with the usual permissions."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise _cannot_write(target, error) from error
    os.close(handle)
    mask = os.umask(0)
    os.umask(mask)
    Path(name).chmod(0o666 & ~mask)
    return Path(name)


def _cannot_write(path: Path, error: OSError) -> InputError:
    reason = error.strerror or str(error)
    return InputError("ENV003", f"`{path}` cannot be written: {reason}")
