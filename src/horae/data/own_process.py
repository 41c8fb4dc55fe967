"""Whether this process is the command, which runs nobody else's code, or a program that calls it."""

from __future__ import annotations

_own = False


def claim() -> None:
    """Say that it is the command."""
    global _own  # noqa: PLW0603
    _own = True


def is_claimed() -> bool:
    return _own
