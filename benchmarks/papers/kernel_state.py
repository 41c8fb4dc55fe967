"""What the monitor of §5.1 itself holds while it reads a trace, beside the bound of its analysis.

    python -m benchmarks.papers.kernel_state EVENTS.csv

Prints JSON: `held`, the greatest number of bytes that the kernel held after a block of rows, and
`bound`, what `horae analyze` says of its state. Rows that wait are counted by neither.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
from benchmarks.averages import SPEC
from benchmarks.papers.process import run_module

_TICKS = 10**6
_BLOCK = 1 << 22  # bytes of CSV


@dataclass(frozen=True)
class Held:
    """Bytes."""

    held: int
    bound: int


def measure_state(events: Path) -> Held:
    return Held(**json.loads(run_module("benchmarks.papers.kernel_state", events)))


def _held(events: Path) -> dict[str, int]:
    import horae
    from horae.languages.rtlola.kernel.kernel import RTLolaKernel
    from horae.languages.rtlola.kernel.options import Options

    program: Any = horae.compile(SPEC)
    kernel, greatest = RTLolaKernel(program.checked, Options(_TICKS)), 0
    for block in _blocks(events):
        kernel.push(block)
        kernel.advance_to_rows()
        greatest = max(greatest, kernel.state_size().bytes)
    return {"held": greatest, "bound": program.report.to_dict()["state"]["bytes"]}


def _blocks(events: Path) -> Iterator[pa.RecordBatch]:
    """As kernels get them: times are ticks, and rows have numbers."""
    rows = 0
    with pa.csv.open_csv(events, pa.csv.ReadOptions(block_size=_BLOCK)) as reader:
        for batch in reader:
            times = pc.round(pc.multiply(batch.column("time"), float(_TICKS))).cast(pa.int64())
            numbers = pa.array(range(rows, rows + len(batch)), pa.int64())
            values = {name: batch.column(name) for name in "abc"}
            yield pa.record_batch({"__time": times, **values, "__row": numbers})
            rows += len(batch)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_held(Path(sys.argv[1]))))
