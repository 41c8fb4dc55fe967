"""The partition of a program: what is spread over shards, what joins them, what stays in one place."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from horae.languages.rtlola.program import Program, Quantified


@dataclass(frozen=True, slots=True)
class Joined:
    """An operator over instances that are spread over shards, with the period of its templates.

    Shards export the changes of its counters; the stage that joins them imports the sums.
    """

    node: Quantified
    period: Fraction | None


@dataclass(frozen=True, slots=True)
class Shards:
    """Templates whose instances are spread by the value of one parameter.

    A row goes to the shard of each of its `keys` that is not null. `present` lists pairs of inputs
    (key, other): spreading is exact only if `other` has a value in every row where `key` has one,
    because else an instance would read a value that came with another one's row.
    """

    program: Program
    keys: tuple[str, ...]
    present: tuple[tuple[str, str], ...]
    exported: tuple[Joined, ...]


@dataclass(frozen=True, slots=True)
class Join:
    """What reads nothing but operators over spread instances: fed with what the shards export."""

    program: Program
    imported: tuple[Joined, ...]


@dataclass(frozen=True, slots=True)
class Single:
    """What needs all rows in one place, with the reasons."""

    program: Program
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Partition:
    """`shards` first, then `join`; `single` stands beside them."""

    whole: Program
    shards: tuple[Shards, ...]
    join: Join | None
    single: Single | None

    @property
    def is_spread(self) -> bool:
        return bool(self.shards)
