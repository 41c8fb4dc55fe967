"""The papers' experiments again, with tables and plots of what they gave.

    python -m benchmarks.papers [--only rates|products|rules] [--quick] [--docs docs]
        [--ratings FILE] [--traffic FILE]

`make bench-papers` runs all. What was measured is written into DOCS/benchmarks/papers.json after each
experiment; then plots and the tables of DOCS/benchmarks.md are made of it. Experiments that are not made
again stay as they are. `--quick` makes small ones and shows them, and writes nothing.

`HORAE_METEOR_PYTHON` names a Python with MeTeoR, which the rules need. FILE are the real ratings and the
real traffic data.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from benchmarks.meteor.workloads import TRAFFIC
from benchmarks.papers import products, rates, rules
from benchmarks.papers.made_ratings import REAL
from benchmarks.papers.page import FOLDER, RESULTS, text_of, write_page
from benchmarks.papers.results import Results, Row, load_results, save_results

Experiments = dict[str, Callable[[], Iterator[Row]]]


def _of_rates(given: argparse.Namespace) -> Experiments:
    sizes = rates.QUICK if given.quick else rates.FULL
    return {
        "rates": lambda: rates.over_rates(sizes),
        "lengths": lambda: rates.over_lengths(sizes),
    }


def _of_products(given: argparse.Namespace) -> Experiments:
    sizes, real = products.QUICK if given.quick else products.FULL, _existing(given.ratings)
    return {"products": lambda: products.over_products(sizes, real)}


def _of_rules(given: argparse.Namespace) -> Experiments:
    sizes = rules.QUICK if given.quick else rules.FULL
    traffic, meteor = _existing(given.traffic), _meteor()
    return {
        "datalogmtl": lambda: rules.beside_meteor(sizes, traffic, meteor),
        "lars": lambda: rules.beside_clingo(sizes),
    }


PARTS = {"rates": _of_rates, "products": _of_products, "rules": _of_rules}


def _existing(file: Path) -> Path:
    if not file.exists():
        sys.exit(f"there is no file {file}: name it with --ratings or --traffic")
    return file


def _meteor() -> str:
    meteor = os.environ.get("HORAE_METEOR_PYTHON")
    if not meteor:
        sys.exit("HORAE_METEOR_PYTHON names no Python with MeTeoR; `make bench-papers` makes one")
    return meteor


def _told(name: str, rows: Iterator[Row]) -> Iterator[Row]:
    """Each row as it comes is progress."""
    say(f"{name} …")
    for row in rows:
        say(f"  {', '.join(f'{key} {_short(value)}' for key, value in asdict(row).items())}")
        yield row


def _short(value: object) -> object:
    if isinstance(value, dict):
        return " / ".join(f"{key} {_short(part)}" for key, part in value.items())
    return f"{value:.3g}" if isinstance(value, float) else value


def say(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def run(given: argparse.Namespace) -> None:
    path = given.docs / FOLDER / RESULTS
    results = Results() if given.quick else load_results(path)
    parts = [given.only] if given.only else [*PARTS]
    experiments = {name: made for part in parts for name, made in PARTS[part](given).items()}
    for name, rows in experiments.items():
        results = results.with_rows(name, _told(name, rows()))
        if not given.quick:
            save_results(results, path)
            write_page(given.docs)
    if given.quick:
        sys.stdout.write("\n\n".join(text_of(name, made) for name, made in results) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=[*PARTS])
    parser.add_argument("--quick", action="store_true", help="small sizes; writes no files")
    parser.add_argument("--docs", type=Path, default=Path("docs"))
    parser.add_argument("--ratings", type=Path, default=REAL, metavar="FILE")
    parser.add_argument("--traffic", type=Path, default=TRAFFIC, metavar="FILE")
    run(parser.parse_args())


if __name__ == "__main__":
    main()
