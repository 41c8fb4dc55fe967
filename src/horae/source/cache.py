"""The user's cache: what takes long to make is kept there from one run to the next."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def cache_directory() -> Path:
    """`HORAE_CACHE`, else a folder in the user's cache."""
    chosen = os.environ.get("HORAE_CACHE")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "horae"


def store(path: Path, content: bytes) -> None:
    """Write a file as a whole; several processes may do so at once."""
    handle, draft = tempfile.mkstemp(dir=path.parent, suffix=".draft")
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    Path(draft).replace(path)
