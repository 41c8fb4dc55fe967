"""What the reference refuses."""

from __future__ import annotations


class TooLargeError(Exception):
    """Too many atoms to try all interpretations, or derivable atoms without an end."""
