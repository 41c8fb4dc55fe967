"""§5.1 of the RTLola paper (Figure 6): memory and seconds over the rate and the number of events.

A trace is a CSV file; the command writes all answers into a file, in process. A first run, which is not
counted, leaves compiled code for the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.averages import SPEC
from benchmarks.papers.kernel_state import measure_state
from benchmarks.papers.process import Measured, run_horae, run_module

COUNT = 1_000_000
RATES = (1_000, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000)
RATE = 25_000
"""Events a second where their number grows: as many as the paper's monitor reached."""
LENGTHS = (1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000)


_SPEC, _EVENTS = "averages.lola", "events.csv"


@dataclass(frozen=True)
class Trace:
    """A trace and what its run took: seconds, MiB of the process, and bytes that the kernel held."""

    rate: int
    events: int
    wall: float
    cpu: float
    peak_mib: float
    held_bytes: int
    bound_bytes: int


@dataclass(frozen=True)
class Sizes:
    count: int
    rates: tuple[int, ...]
    lengths: tuple[int, ...]


FULL = Sizes(COUNT, RATES, LENGTHS)
QUICK = Sizes(20_000, RATES[::3], (20_000, 40_000))


def over_rates(sizes: Sizes) -> Iterator[Trace]:
    return _measured((sizes.count, rate) for rate in sizes.rates)


def over_lengths(sizes: Sizes) -> Iterator[Trace]:
    return _measured((length, RATE) for length in sizes.lengths)


def _measured(traces: Iterable[tuple[int, int]]) -> Iterator[Trace]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / _SPEC).write_text(SPEC)
        for number, (count, rate) in enumerate(traces):
            wanted = ("--events", count, "--rate", rate)
            run_module("benchmarks.averages", folder / _EVENTS, *wanted)
            if number == 0:
                _run(folder)
            yield _trace(folder, count, rate)


def _trace(folder: Path, count: int, rate: int) -> Trace:
    run, state = _run(folder), measure_state(folder / _EVENTS)
    return Trace(rate, count, run.wall, run.cpu, run.peak_mib, state.held, state.bound)


def _run(folder: Path) -> Measured:
    files = (folder / _SPEC, "--input", folder / _EVENTS, "--output", folder / "answers.jsonl")
    return run_horae("run", *files, "--engine", "local")
