"""§5.2 of the RTLola paper (Figures 7 and 8): growing numbers of products, on Spark and in process.

Ratings are made as the real ones lie (`made_ratings.py`), as Parquet; the answers are the notifications,
in one file, in the order of time. Both ways of running must give the same file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.papers.process import Measured, run_horae, run_module

SPEC = Path(__file__).parents[2] / "src" / "horae" / "examples" / "ratings.lola"
ENGINES = ("local", "spark")
_RATINGS = "ratings.parquet"


@dataclass(frozen=True)
class Category:
    """A number of products with so many ratings in all."""

    products: int
    ratings: int


FULL = (
    Category(10_000, 164_000),
    Category(50_000, 820_000),
    Category(100_000, 1_640_000),
    Category(476_000, 7_800_000),  # the largest that the paper's monitor finished
    Category(1_200_000, 11_740_000),  # with as many ratings per product as the next one
    Category(2_300_000, 22_500_000),
)
QUICK = (Category(500, 5_000), Category(2_000, 20_000))


@dataclass(frozen=True)
class Monitored:
    """What a run took: seconds, and MiB of all processes together, the JVM and Python workers too."""

    products: int
    ratings: int
    engine: str
    wall: float
    cpu: float
    peak_mib: float
    java_mib: float
    notifications: int


def over_products(categories: tuple[Category, ...], real: Path) -> Iterator[Monitored]:
    """A first run, which is not counted, leaves what later ones find."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for number, category in enumerate(categories):
            _write_ratings(folder / _RATINGS, category, real)
            if number == 0:
                for engine in ENGINES:
                    _run(folder, engine)
            yield from _both(folder, category)


def _write_ratings(path: Path, category: Category, real: Path) -> None:
    sizes = ("--products", category.products, "--ratings", category.ratings)
    run_module("benchmarks.papers.made_ratings", path, *sizes, "--real", real)


def _both(folder: Path, category: Category) -> Iterator[Monitored]:
    for engine in ENGINES:
        run, found = _run(folder, engine), _lines(_answers(folder, engine))
        memory = run.peak_mib if engine == "local" else run.all_mib
        sizes = (category.products, category.ratings)
        yield Monitored(*sizes, engine, run.wall, run.cpu, memory, run.java_mib, found)
    files = [_answers(folder, engine).read_bytes() for engine in ENGINES]
    assert files[0] == files[1], f"{category}: the answers differ"


def _run(folder: Path, engine: str) -> Measured:
    what = ("--input", folder / _RATINGS, "--engine", engine, "--emit", "triggers")
    return run_horae("run", SPEC, *what, "--output", _answers(folder, engine))


def _answers(folder: Path, engine: str) -> Path:
    return folder / f"{engine}.jsonl"


def _lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in file)
