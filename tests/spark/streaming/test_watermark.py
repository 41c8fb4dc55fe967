"""What is late and what is decided, with several sources; worked out by hand, without Spark."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from tests.spark.streaming.sums import ROWS, Sums

from horae.spark.parcels import BAD, COUNTS, ParcelKind, pack, unpack
from horae.spark.streaming.route import ShardRoute
from horae.spark.streaming.shard import SeenTimes, arrival, step
from horae.spark.streaming.watermark import Watermark, later

_SOURCE = "source"


@pytest.mark.parametrize(
    ("idle", "greatest", "limit"),
    [
        (None, (None, None), None),
        (None, (20, None), None),  # the second source may still start anywhere
        (None, (20, 14), 14 - 3),
        (4, (20, None), 20 - 4 - 3),
        (4, (20, 14), 20 - 4 - 3),  # the second is more than 4 behind
        (4, (20, 18), 18 - 3),
        (0, (20, 18), 20 - 3),
    ],
)
def test_the_slowest_source_that_is_waited_for_sets_the_limit(
    idle: int | None, greatest: tuple[int | None, ...], limit: int | None
):
    assert Watermark(3, 2, idle).limit(greatest) == limit


def test_times_of_a_source_only_grow():
    assert later((None, 5, 7), (3, None, 6)) == [3, 5, 7]


def _rows(*rows: tuple[int, int, int | None]) -> pa.Table:
    """Rows (source, time, key); without a key they could not be read."""
    return pa.table(
        {
            "time": pa.array([time for _, time, _ in rows], pa.int64()),
            "key": pa.array([key for *_, key in rows], pa.int64()),
            "value": pa.array([1 for _ in rows], pa.int64()),
            _SOURCE: pa.array([source for source, *_ in rows], pa.int32()),
            BAD: pa.array([None if key is not None else "{}" for *_, key in rows]),
        }
    )


def _parcels(table: pa.Table) -> list[tuple[str, bytes]]:
    """Those of the first shard of one; a source that is over has the number -1."""
    found = []
    sources = table.column(_SOURCE).to_numpy()
    for source in np.unique(sources).tolist():
        rows = table.filter(pa.array(sources == source))
        route = ShardRoute(Sums(width=1), (0,), None if source == -1 else source)
        found += [row for b in route(iter(rows.to_batches())) for row in b.to_pylist()]
    return [(row["kind"], row["payload"]) for row in found]


def _run(watermark: Watermark, *batches: pa.Table) -> tuple[SeenTimes, list[tuple[str, bytes]]]:
    kernel, seen = Sums().start(0), SeenTimes((None,) * watermark.sources)
    parcels: list[tuple[str, bytes]] = []
    for table in batches:
        seen, found = step(kernel, seen, arrival(_parcels(table)), watermark)
        parcels += [*found.parcels, *((ParcelKind.ANSWERS, pack(table)) for table in found.answers)]
    return seen, parcels


def _times(parcels: list[tuple[str, bytes]], kind: ParcelKind) -> list[int]:
    tables = [unpack(payload) for found, payload in parcels if found == kind]
    return [int(time) for table in tables for time in table.column("time").to_numpy()]


FAST = _rows((0, 10, 1), (0, 20, 1), (1, 9, 1))


def test_a_source_that_is_behind_is_waited_for():
    seen, parcels = _run(Watermark(0, 2), FAST, _rows((1, 15, 1)))
    assert _times(parcels, ParcelKind.ANSWERS) == [9, 10]  # 15 of the second source is not late
    assert (seen.late, seen.greatest, seen.last) == (0, (20, 15), 20)


def test_a_source_that_fell_silent_is_not_waited_for():
    seen, parcels = _run(Watermark(0, 2, idle=4), FAST, _rows((1, 15, 1)))
    assert _times(parcels, ParcelKind.ANSWERS) == [9, 10]
    assert _times(parcels, ParcelKind.LATE) == [15]  # before 20 − 4
    assert seen.late == 1


def test_a_source_that_is_over_does_not_count():
    _, parcels = _run(Watermark(0), _rows((-1, 50, 1), (0, 10, 1)), _rows((0, 12, 1)))
    assert _times(parcels, ParcelKind.LATE) == []
    assert _times(parcels, ParcelKind.ANSWERS) == [10]


def test_what_could_not_be_read_is_passed_on_and_counted():
    seen, parcels = _run(Watermark(0), _rows((0, 10, 1), (0, 99, None)))
    assert [unpack(p).to_pylist() for k, p in parcels if k == ParcelKind.BAD] == [[{BAD: "{}"}]]
    assert (seen.events, seen.bad, seen.last) == (1, 1, 10)


def test_rows_keep_the_columns_of_the_program():
    found = [unpack(p) for k, p in _parcels(FAST) if k == ParcelKind.ROWS]
    assert [rows.drop_columns([COUNTS]).schema for rows in found] == [ROWS, ROWS]
