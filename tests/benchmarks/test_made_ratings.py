"""Ratings that are made lie as the real ones do."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from benchmarks.papers.made_ratings import RealRatings, make_ratings, read_real, write_parquet

DAY = 86_400
COUNTS = (1, 2, 10, 400)
"""Ratings of the real products: product n has n stars, on the days after n years."""


@pytest.fixture
def real(tmp_path: Path) -> RealRatings:
    rows = [(n, day) for n, count in enumerate(COUNTS, 1) for day in range(count)]
    columns = {
        "user": [f"A{row}" for row in range(len(rows))],
        "product": [f"{n:010}" for n, _ in rows],
        "stars": [n for n, _ in rows],
        "seconds": [(365 * n + day) * DAY for n, day in rows],
    }
    path = tmp_path / "real.csv"
    pa.csv.write_csv(pa.table(columns), path, pa.csv.WriteOptions(include_header=False))
    return read_real(path)


def test_real_ratings_are_read_by_product(real: RealRatings):
    assert real.counts.tolist() == [*COUNTS]
    assert real.stars[real.begins].tolist() == [1, 2, 3, 4]


def test_there_are_as_many_as_asked_for(real: RealRatings):
    made = make_ratings(real, 300, 5_000)
    assert len(made) == 5_000
    assert np.unique(made.products).tolist() == [*range(300)]


def test_a_rating_has_the_stars_and_the_day_of_a_real_one(real: RealRatings):
    made = make_ratings(real, 300, 5_000)
    known = set(zip(real.stars.tolist(), real.seconds.tolist(), strict=True))
    assert set(zip(made.stars.tolist(), made.seconds.tolist(), strict=True)) <= known


def test_the_tail_is_heavy(real: RealRatings):
    """Products that are modelled on the popular one have nearly all ratings."""
    made = make_ratings(real, 1_000, 100_000)
    stars, counts = np.unique(made.stars, return_counts=True)
    shares = dict(zip(stars.tolist(), counts / len(made), strict=True))
    assert shares[4] == pytest.approx(400 / 413, abs=0.02)
    assert shares[1] == pytest.approx(0.25 * 1_000 / 100_000, rel=0.2)


def test_files_are_in_the_order_of_time(real: RealRatings, tmp_path: Path):
    write_parquet(make_ratings(real, 20, 1_000), tmp_path / "made.parquet")
    table = pq.read_table(tmp_path / "made.parquet")
    assert table.column_names == ["ts", "uid", "pid", "stars"]
    assert (np.diff(table.column("ts").to_numpy()) >= 0).all()


def test_they_are_the_same_at_every_call(real: RealRatings):
    first, second = (make_ratings(real, 20, 1_000) for _ in range(2))
    assert first.products.tolist() == second.products.tolist()
