"""Events per second of the RTLola kernel alone: one process, one core, no files and no Spark.

    python benchmarks/rtlola_loop.py [--events N]

"loop" is the time inside the compiled loop; "all" adds reading Arrow batches and building answers.
`horae bench` measures the same kernels from a file to the last answer.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from horae.languages.rtlola.check.check import load
from horae.languages.rtlola.kernel.kernel import RTLolaKernel
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.options import Emit
from horae.languages.rtlola.program import Program
from horae.source.text import Source

TICKS = 10**6

AVERAGES = """\
input double a, b, c
output double avg_a extend: 1Hz := a[5s, 0.0, avg]
output double avg_b extend: 1Hz := b[5s, 0.0, avg]
output double avg_c extend: 1Hz := c[5s, 0.0, avg]
output double total extend: 1Hz := avg_a + avg_b + avg_c
trigger total > 1.6
"""

RATINGS = """\
frequency 0.1 Hz
input string pid
input double stars
output double stars_by_prod<string prod>
    invoke: pid
    extend: pid = prod
    := stars
output double star_avg_l<string prod>
    invoke: pid
    := stars_by_prod(prod)[100 s, average, 0.0]
output double star_avg_s<string prod>
    invoke: pid
    := stars_by_prod(prod)[10 s, average, 0.0]
output double avg_delta<string prod>
    invoke: pid
    := star_avg_l(prod)[0, 0.0] - star_avg_s(prod)[0, 0.0]
trigger any(avg_delta > 1.0)
"""


@dataclass(frozen=True)
class Measurement:
    name: str
    spec: str
    emit: Emit
    share: int  # one event in so many of those asked for
    make: Callable[[int], dict[str, pa.Array]]


def _averages(count: int) -> dict[str, pa.Array]:
    """Three sensors read a thousand times a second."""
    random = np.random.default_rng(0)
    sensors = {name: pa.array(random.random(count)) for name in "abc"}
    return {"__time": pa.array(np.arange(count) * (TICKS // 1000)), **sensors}


def _ratings(count: int) -> dict[str, pa.Array]:
    """A rating every ten seconds, of 100,000 products with a heavy tail."""
    random = np.random.default_rng(0)
    products = np.fmod(random.pareto(0.5, count) * 300, 100_000).astype(np.int64)
    names = pa.array([f"B{i:09d}" for i in range(100_000)])
    stars = random.integers(1, 6, count).astype(float)
    return {
        "__time": pa.array(np.arange(count) * 10 * TICKS),
        "pid": names.take(pa.array(products)),
        "stars": pa.array(stars),
    }


MEASUREMENTS = (
    Measurement("averages (§5.1)", AVERAGES, Emit.ALL, 1, _averages),
    Measurement("ratings (Fig. 8)", RATINGS, Emit.CHANGES, 5, _ratings),
)


class _Stopwatch:
    """Adds up the time that a kernel spends inside its loops."""

    def __init__(self, kernel: RTLolaKernel) -> None:
        self.seconds = 0.0
        for runner in kernel.runners:
            runner.loop = self._timed(runner.loop)

    def _timed(self, loop: Callable[..., int]) -> Callable[..., int]:
        def timed(*arguments: object) -> int:
            start = time.perf_counter()
            status = loop(*arguments)
            self.seconds += time.perf_counter() - start
            return status

        return timed


def _batches(columns: dict[str, pa.Array], size: int) -> Iterator[pa.RecordBatch]:
    table = pa.table({**columns, "__row": pa.array(np.arange(len(columns["__time"])))})
    for start in range(0, len(table), size):
        yield from table.slice(start, size).combine_chunks().to_batches()


def _measure(measurement: Measurement, count: int, batch: int) -> None:
    program, _ = load(Source(measurement.name, measurement.spec))
    assert program is not None
    batches = list(_batches(measurement.make(count), batch))
    options = Options(TICKS, emit=measurement.emit)
    start = time.perf_counter()
    RTLolaKernel(program, options).finish(-1)
    compiled = time.perf_counter() - start
    runs = [_run(program, options, batches) for _ in range(3)]
    seconds, inside, answers = min(runs)
    _say(
        f"{measurement.name:18}{count:>12,}{batch:>10,}{compiled:>12.1f}"
        f"{count / inside:>14,.0f}{count / seconds:>14,.0f}{answers:>12,}"
    )


def _run(
    program: Program, options: Options, batches: list[pa.RecordBatch]
) -> tuple[float, float, int]:
    kernel = RTLolaKernel(program, options)
    watch = _Stopwatch(kernel)
    answers, last = 0, 0
    start = time.perf_counter()
    for batch in batches:
        last = batch.column("__time")[-1].as_py() or 0
        kernel.push(batch)
        answers += kernel.advance(last - 1).num_rows
    answers += kernel.finish(last).num_rows
    return time.perf_counter() - start, watch.seconds, answers


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=5_000_000)
    events = parser.parse_args().events
    _say(
        f"{'kernel':18}{'events':>12}{'batch':>10}{'first s':>12}"
        f"{'loop ev/s':>14}{'all ev/s':>14}{'answers':>12}"
    )
    for measurement in MEASUREMENTS:
        for batch in (100_000, 10_000):
            _measure(measurement, events // measurement.share, batch)


if __name__ == "__main__":
    main()
