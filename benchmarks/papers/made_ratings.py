"""Ratings of products as the real ones lie, in any number, as a Parquet file in the order of time.

    python -m benchmarks.papers.made_ratings OUT.parquet --products 476000 --ratings 7800000

Each product is modelled on a real one, chosen at random, and each rating on a real rating of that
product: it has its stars and its day. So stars have their frequencies, days lie over the years as they
do, and most products have a handful of ratings where a few have thousands. Each product has one rating
at least; the others fall to products in the ratio of those that their models have.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

REAL = Path(__file__).parents[3] / "shared" / "data" / "amazon_electronics_50k.csv"
Ints = npt.NDArray[np.int64]
_BLOCK = 1 << 20


@dataclass(frozen=True)
class RealRatings:
    """Sorted by product: those of product i are in the rows from `begins[i]`, `counts[i]` of them."""

    stars: Ints
    seconds: Ints
    begins: Ints
    counts: Ints


@dataclass(frozen=True)
class Ratings:
    """In the order of time; products are numbers from 0 on, users too."""

    seconds: Ints
    products: Ints
    users: Ints
    stars: Ints

    def __len__(self) -> int:
        return len(self.seconds)


def read_real(path: Path) -> RealRatings:
    """The file has no header: user, product, stars, seconds since 1970."""
    options = pa.csv.ReadOptions(column_names=["user", "product", "stars", "seconds"])
    types = {"product": pa.string(), "stars": pa.int64(), "seconds": pa.int64()}
    convert = pa.csv.ConvertOptions(column_types=types)
    table = pa.csv.read_csv(path, options, convert_options=convert).sort_by("product")
    _, counts = np.unique(table.column("product").to_numpy(), return_counts=True)
    begins = np.cumsum(counts) - counts
    stars, seconds = (table.column(name).to_numpy() for name in ("stars", "seconds"))
    return RealRatings(stars, seconds, begins, counts)


def make_ratings(real: RealRatings, products: int, ratings: int, seed: int = 1) -> Ratings:
    random = np.random.default_rng(seed)
    models = random.integers(0, len(real.counts), products)
    rated = np.repeat(np.arange(products), _numbers(random, real.counts[models], ratings))
    model = models[rated]
    chosen = real.begins[model] + random.integers(0, real.counts[model])
    order = random.permutation(ratings)
    order = order[np.argsort(real.seconds[chosen][order], kind="stable")]
    users = random.integers(0, ratings, ratings)
    return Ratings(real.seconds[chosen][order], rated[order], users, real.stars[chosen][order])


def _numbers(random: np.random.Generator, wanted: Ints, ratings: int) -> Ints:
    """How many ratings each product has, in all as many as are asked for."""
    others = wanted - 1
    return 1 + random.multinomial(ratings - len(wanted), others / others.sum())


def write_parquet(ratings: Ratings, path: Path) -> None:
    """The columns that Figure 8 reads."""
    with pq.ParquetWriter(path, _SCHEMA) as writer:
        for block in _blocks(ratings):
            writer.write_batch(block)


_SCHEMA = pa.schema(
    [("ts", pa.int64()), ("uid", pa.string()), ("pid", pa.string()), ("stars", pa.float64())]
)


def _blocks(ratings: Ratings) -> Iterator[pa.RecordBatch]:
    for start in range(0, len(ratings), _BLOCK):
        rows = slice(start, start + _BLOCK)
        users, products = _names("A", ratings.users[rows]), _names("B", ratings.products[rows])
        stars = ratings.stars[rows].astype(float)
        columns = [pa.array(ratings.seconds[rows]), users, products, pa.array(stars)]
        yield pa.record_batch(columns, _SCHEMA)


def _names(letter: str, numbers: Ints) -> pa.Array:
    """As long as those of the shop: ten characters."""
    digits = pc.utf8_lpad(pa.array(numbers).cast(pa.string()), 9, "0")
    return pc.binary_join_element_wise(letter, digits, "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--products", type=int, required=True)
    parser.add_argument("--ratings", type=int, required=True)
    parser.add_argument("--real", type=Path, default=REAL, help="the real ratings [%(default)s]")
    given = parser.parse_args()
    made = make_ratings(read_real(given.real), given.products, given.ratings)
    write_parquet(made, given.output)


if __name__ == "__main__":
    main()
