"""`make fuzz`: mutated programs, tables and facts through every parser and reader.

    python -m tests.fuzz [--inputs 200000] [--seed 0] [--target "cql programs"] [--only INDEX]

Exits with 1 if an input ended in anything but an answer or a diagnostic.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn
from tests.fuzz.search import Mistake
from tests.fuzz.targets import targets
from tests.fuzz.workers import run_target


def main() -> int:
    options = _options()
    indices = range(options.inputs)
    if options.only is not None:
        indices = range(options.only, options.only + 1)
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    broken = 0
    with Progress(*columns, console=Console(stderr=True)) as progress:
        for name in options.target or targets():
            bar = progress.add_task(name, total=len(indices))
            found = run_target(name, options.seed, indices, partial(progress.advance, bar))
            _show(found, name, len(indices), options.seed)
            broken += len(found)
    return 1 if broken else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--inputs", type=int, default=200_000, help="inputs for each target")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", action="append", choices=list(targets()))
    parser.add_argument("--only", type=int, metavar="INDEX", help="this input alone")
    return parser.parse_args()


def _show(mistakes: list[Mistake], name: str, count: int, seed: int) -> None:
    kinds = {mistake.kind: mistake for mistake in reversed(mistakes)}
    for mistake in kinds.values():
        sys.stdout.write(
            f"{mistake.target}, input {mistake.index} of seed {seed}: {mistake.what}\n"
            f"  at {mistake.place}\n  {mistake.input!r:.2000}\n"
        )
    sys.stdout.write(f"{name}: {count:,} inputs, {len(mistakes)} mistakes\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
