"""Programs and data for the cluster: many small files, so that a stream has many micro-batches.

Example 1 of the DatalogMTL paper and Figure 8 of the RTLola paper are the examples of the package, over
more nodes, signals and products than these have; so are the trams of the LARS paper.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from horae.examples import example

FILES = 8
_SIGNALS = 12
_NODES = 5
_SEED = 5


@dataclass(frozen=True)
class Case:
    """A program of the package, and lines for files with this ending."""

    program: str
    ending: str
    files: tuple[tuple[str, ...], ...]

    @property
    def spec(self) -> str:
        return str(example(self.program))

    def write(self, folder: Path) -> Path:
        """Older files come first; Spark looks at their times."""
        folder.mkdir(parents=True)
        for number, lines in enumerate(self.files):
            file = folder / f"{number:03}{self.ending}"
            file.write_text("".join(f"{line}\n" for line in lines))
            os.utime(file, (1_700_000_000 + number, 1_700_000_000 + number))
        return folder


def signals() -> Case:
    """A chain of nodes; the first is told to look at signals that are read more or less often."""
    nodes = [f"node(n{n})" for n in range(_NODES)]
    links = [f"connected(n{n + 1},n{n})" for n in range(_NODES - 1)]
    told = [f"monitors(n0,s{s})@[0,9]" for s in range(_SIGNALS)]
    readings = [
        f"signal(s{s})@{time}"
        for time in range(60)
        for s in range(_SIGNALS)
        if time % (1 + s % 4) == 0
    ]
    return Case("signals.dmtl", ".facts", _cut(readings, first=[*nodes, *links, *told]))


def ratings() -> Case:
    """Ratings of products, which all fall after a while."""
    chance, time, rows = random.Random(_SEED), 960595200, []
    for number in range(240):
        time += chance.choice((0, 1, 2, 3))
        low = 1 if number > 120 else 3
        product, stars = f"p{chance.randrange(20)}", chance.randint(low, low + 2)
        rows.append(f"u{number},{product},{stars},{time}")
    return Case("ratings.lola", ".csv", _cut(rows, header="uid,pid,stars,ts"))


def trams() -> Case:
    lines = [*_LINES, "old(a3)"]
    return Case("tram.lars", ".facts", _cut(_trams("tram(a{0}, p{1})@{2}"), first=lines))


def tram_rows() -> Case:
    return Case("tram.cql", ".facts", _cut(_trams("tram(a{0}, p{1}, {2})@{2}"), first=_LINES))


_LINES = [
    *("line(a1, l1)", "line(a2, l2)", "line(a3, l1)"),
    *("plan(l1, p1, p3, 8)", "plan(l2, p2, p3, 3)", "plan(l1, p2, p1, 5)"),
]


def _trams(form: str) -> list[str]:
    chance = random.Random(_SEED)
    return [
        form.format(chance.randint(1, 3), chance.randint(1, 2), 36 + time) for time in range(48)
    ]


def _cut(
    lines: Sequence[str], first: Sequence[str] = (), header: str | None = None
) -> tuple[tuple[str, ...], ...]:
    """In this order over all files; `first` stands at the beginning, `header` in each of them."""
    size = -(-len(lines) // FILES)
    parts = [tuple(lines[start : start + size]) for start in range(0, len(lines), size)]
    heads = (header,) if header is not None else ()
    return tuple(
        (*heads, *(first if number == 0 else ()), *part) for number, part in enumerate(parts)
    )
