"""What cannot be computed while a query runs: each stops the run."""

from __future__ import annotations


class RunError(Exception):
    """The base of the failures of a run."""


class DivisionByZeroError(RunError):
    pass


class IntegerOverflowError(RunError):
    """A result does not fit into 64 bits."""


class NotFiniteError(RunError):
    """A double result is too large."""
