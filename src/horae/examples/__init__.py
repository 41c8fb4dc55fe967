"""Specifications and sample data that come with the package."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def example(name: str) -> Path:
    """The path of a file of this folder."""
    return Path(str(files(__name__) / name))
