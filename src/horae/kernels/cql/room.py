"""How many rows a join may find in a part: beyond, the run stops before memory runs out."""

from __future__ import annotations

MOST = 50_000_000


class TooManyRowsError(Exception):
    """A join would find more rows than there is room for."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count


def check_room(count: int) -> None:
    if count > MOST:
        raise TooManyRowsError(count)
