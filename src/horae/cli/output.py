"""Output that is either there as a whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from horae.data import catalogue
from horae.source.errors import InputError


@contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """A draft beside the file, which takes its place if all goes well and vanishes otherwise.

    A device or a pipe is written to, and stays what it is.
    """
    target = path.resolve()  # a link stays a link
    is_place = target.exists() and not target.is_file()
    draft = _draft(Path(tempfile.gettempdir(), target.name) if is_place else target)
    try:
        yield draft
        if is_place:
            _copy(draft, target)
        else:
            _rename(draft, target)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        draft.unlink(missing_ok=True)


def _copy(draft: Path, target: Path) -> None:
    with draft.open("rb") as found, target.open("wb") as out:
        shutil.copyfileobj(found, out)


def _rename(draft: Path, target: Path) -> None:
    if target.exists():
        shutil.copymode(target, draft)
    draft.replace(target)


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
    return catalogue.CANNOT_WRITE(what=f"`{path}`", reason=reason)
