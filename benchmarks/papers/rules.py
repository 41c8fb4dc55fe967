"""Rules beside tools that answer them today: DatalogMTL beside MeTeoR, windows of LARS beside clingo.

The races are those of `benchmarks/meteor` and `benchmarks/lars_windows.py`; the first at several numbers
of facts. Both sides of a race must give the same answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.lars_windows import PEER, TIMES, Compared, compare_all
from benchmarks.meteor.sides import Raced, race
from benchmarks.meteor.workloads import workloads


@dataclass(frozen=True)
class Sizes:
    """Numbers of facts; time points of a stream, and how many of them clingo solves."""

    facts: tuple[int, ...]
    times: int
    peer: int


FULL = Sizes((10_000, 30_000, 100_000), TIMES, PEER)
QUICK = Sizes((2_000, 4_000), 200, 2)


def beside_meteor(sizes: Sizes, traffic: Path, meteor: str) -> Iterator[Raced]:
    """`meteor` is a Python that has it."""
    for facts in sizes.facts:
        for work in workloads(traffic):
            yield race(work, facts, meteor)


def beside_clingo(sizes: Sizes) -> Iterator[Compared]:
    return compare_all(sizes.times, sizes.peer)
