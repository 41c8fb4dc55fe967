"""The events of §5.1, and what its monitor holds of them."""

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pytest
from benchmarks.averages import write_events
from benchmarks.papers.kernel_state import measure_state


@pytest.mark.parametrize("rate", [1_000, 25_000, 1_000_000])
def test_there_are_so_many_events_a_second(tmp_path: Path, rate: int):
    write_events(tmp_path / "events.csv", 2_000, rate)
    times = pa.csv.read_csv(tmp_path / "events.csv").column("time")
    steps = pc.pairwise_diff(times.combine_chunks()).drop_null()
    assert steps.to_pylist() == pytest.approx([1 / rate] * 1_999)


def test_times_have_microseconds(tmp_path: Path):
    with pytest.raises(ValueError, match="30000 events a second"):
        write_events(tmp_path / "events.csv", 10, 30_000)


def test_the_monitor_keeps_to_its_bound(tmp_path: Path):
    write_events(tmp_path / "events.csv", 10_000)
    found = measure_state(tmp_path / "events.csv")
    assert 0 < found.held <= found.bound
