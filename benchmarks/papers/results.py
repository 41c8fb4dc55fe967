"""The file of results: what was measured, by experiment, each with the machine that it ran on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.lars_windows import Compared
from benchmarks.meteor.sides import Raced
from benchmarks.papers.products import Monitored
from benchmarks.papers.rates import Trace

Row = Trace | Monitored | Raced | Compared
KINDS: dict[str, type[Row]] = {
    "rates": Trace,
    "lengths": Trace,
    "products": Monitored,
    "datalogmtl": Raced,
    "lars": Compared,
}
"""The experiments, in the order in which they are shown."""


@dataclass(frozen=True)
class Machine:
    cores: int
    memory_gib: int

    def __str__(self) -> str:
        return f"{self.cores} cores, {self.memory_gib} GiB of memory"


@dataclass(frozen=True)
class Experiment:
    machine: Machine
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Results:
    """Those experiments that were made, by name."""

    experiments: dict[str, Experiment] = field(default_factory=dict)

    def with_rows(self, name: str, rows: Iterable[Row]) -> Results:
        made = Experiment(this_machine(), tuple(rows))
        return replace(self, experiments=self.experiments | {name: made})

    def __iter__(self) -> Iterator[tuple[str, Experiment]]:
        return ((name, self.experiments[name]) for name in KINDS if name in self.experiments)


def this_machine() -> Machine:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Machine(os.cpu_count() or 1, round(memory / 2**30))


def load_results(path: Path) -> Results:
    """None of them, if there is no such file."""
    if not path.exists():
        return Results()
    found = json.loads(path.read_text(encoding="utf-8"))
    return Results({name: _experiment(name, content) for name, content in found.items()})


def _experiment(name: str, content: dict[str, Any]) -> Experiment:
    rows = tuple(KINDS[name](**row) for row in content["rows"])
    return Experiment(Machine(**content["machine"]), rows)


def save_results(results: Results, path: Path) -> None:
    """A line per row, so that it can be read and compared."""
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = [f"{json.dumps(name)}: {_text(made)}" for name, made in results]
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def _text(made: Experiment) -> str:
    rows = ",\n    ".join(json.dumps(_rounded(asdict(row))) for row in made.rows)
    machine = json.dumps(asdict(made.machine))
    return f'{{\n  "machine": {machine},\n  "rows": [\n    {rows}\n  ]\n}}'


def _rounded(value: Any) -> Any:
    """Four digits are more than a second run would give again."""
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    return float(f"{value:.4g}") if isinstance(value, float) else value
