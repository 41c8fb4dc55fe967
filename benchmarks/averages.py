"""The specification of §5.1 of the RTLola paper, and its events.

Averages of three streams over five seconds, once a second, their sum, and a trigger on it.

    python benchmarks/averages.py OUT.csv --events 1000000 --rate 25000

writes a trace, with so many events a second.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import ceil, log10
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

SPEC = """\
input double a, b, c
output double avg_a extend: 1Hz := a[5s, 0.0, avg]
output double avg_b extend: 1Hz := b[5s, 0.0, avg]
output double avg_c extend: 1Hz := c[5s, 0.0, avg]
output double total extend: 1Hz := avg_a + avg_b + avg_c
trigger total > 1.5 "high"
"""
FINEST = 6  # decimals of a time: microseconds
_BLOCK = 1 << 20


def write_events(path: Path, count: int, rate: int = 1000) -> None:
    """So many events a second. Below a million, no time is a whole second.

    Where windows begin and end, the dialects of RTLola are not the same.
    """
    options = pa.csv.WriteOptions(quoting_style="none")
    schema = pa.schema([(name, pa.string()) for name in ("time", *"abc")])
    with pa.csv.CSVWriter(path, schema, write_options=options) as writer:
        for block in _blocks(count, rate):
            writer.write_table(block)


def _blocks(count: int, rate: int) -> Iterator[pa.Table]:
    places = min(FINEST, ceil(log10(rate)) + 1)
    step, rest = divmod(10**places, rate)
    if rest:
        raise ValueError(f"{rate} events a second lie at no decimal times")
    random = np.random.default_rng(0)
    for start in range(0, count, _BLOCK):
        numbers = np.arange(start, min(start + _BLOCK, count))
        values = {name: _decimals(random.integers(0, 10**6, len(numbers)), 6) for name in "abc"}
        yield pa.table({"time": _decimals(step * numbers + 3, places), **values})


def _decimals(numbers: npt.NDArray[np.int64], places: int) -> pa.Array:
    whole, rest = np.divmod(numbers, 10**places)
    digits = pc.utf8_lpad(pa.array(rest).cast(pa.string()), places, "0")
    return pc.binary_join_element_wise(pa.array(whole).cast(pa.string()), digits, ".")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--rate", type=int, default=1_000)
    given = parser.parse_args()
    write_events(given.output, given.events, given.rate)


if __name__ == "__main__":
    main()
