"""What can go wrong with a value while a specification runs: the codes and their messages."""

from __future__ import annotations

DIVISION_BY_ZERO = "RUN001"
INTEGER_OVERFLOW = "RUN002"
NOT_FINITE = "RUN003"
FAILED_CAST = "RUN004"
NEGATIVE_EXPONENT = "RUN005"
BAD_PATTERN = "RUN006"


class RunError(Exception):
    """Raised where a value cannot be computed; the run adds the row and the place."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
