"""`horae bench`: how many events a second."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from horae.cli.run_options import Engine
from horae.cli.terminal import progress, say
from horae.cli.usage import WrongUsage

if TYPE_CHECKING:
    from horae.cli.benchmarks import Benchmark
    from horae.program import Program


def bench(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Without names: list them.")
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Run every benchmark.")] = False,
    events: Annotated[
        int, typer.Option(min=1000, metavar="N", help="How many events.")
    ] = 1_000_000,
    engine: Annotated[Engine | None, typer.Option(help="Only this engine [default: both].")] = None,
    repeat: Annotated[
        int, typer.Option(min=1, metavar="N", help="Runs per benchmark; the best one counts.")
    ] = 3,
) -> None:
    """List the benchmarks, or run them and print events per second."""
    chosen = _choose(names or [], all)
    if not chosen:
        _list()
        return
    say(f"{'benchmark':12}{'engine':8}{'events':>12}{'first s':>10}{'best s':>10}{'events/s':>14}")
    for benchmark in chosen:
        for each in [engine] if engine else list(Engine):
            say(_measure(benchmark, each, events, repeat))


def _list() -> None:
    from horae.cli.benchmarks import BENCHMARKS

    for benchmark in BENCHMARKS:
        say(f"{benchmark.name:12}{benchmark.about}")


def _choose(names: Iterable[str], all: bool) -> list[Benchmark]:
    from horae.cli.benchmarks import BENCHMARKS

    known = {benchmark.name: benchmark for benchmark in BENCHMARKS}
    for name in names:
        if name not in known:
            raise WrongUsage(f"no benchmark `{name}`; there are: {', '.join(known)}.")
    return list(known.values()) if all else [known[name] for name in names]


def _measure(benchmark: Benchmark, engine: Engine, events: int, repeat: int) -> str:
    """Reading the file counts; the first run also starts Spark and compiles."""
    from horae import api

    program = api.compile(benchmark.spec, language="rtlola", name=benchmark.name)
    with tempfile.TemporaryDirectory(prefix="horae-bench-") as folder:
        path = Path(folder, "events.parquet")
        benchmark.write_events(events, path)
        with progress(f"{benchmark.name} on {engine}"):
            times = [_time(program, path, engine) for _ in range(repeat)]
    best = min(times)
    return (
        f"{benchmark.name:12}{engine:8}{events:>12,}{times[0]:>10.2f}{best:>10.2f}"
        f"{events / best:>14,.0f}"
    )


def _time(program: Program, path: Path, engine: Engine) -> float:
    start = time.perf_counter()
    answers = program.run_files([str(path)], engine=engine.value, time="time", emit="triggers")
    for _ in answers:
        pass
    return time.perf_counter() - start
