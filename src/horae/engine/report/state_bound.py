"""The numbers that a report has for the state of a stream, to be shown beside what is measured.

A report says more than numbers can: LARS and CQL keep the rows of some time points, and how many those
are is for the stream to say. Only what is a number before the program runs is taken here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StateBound:
    """None where the report has no number. An instance adds at most `per_instance` bytes to `fixed`.

    Bytes are those of one shard, besides the rows that wait until they are decided.
    """

    values: int | None = None
    fixed: int | None = None
    per_instance: int = 0

    def bytes_of(self, instances: int, shards: int = 1) -> int | None:
        """The bytes of all state, if there are so many instances in so many shards."""
        return None if self.fixed is None else self.fixed * shards + self.per_instance * instances
