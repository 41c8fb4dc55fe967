"""Sliding windows in LARS, against clingo at each time point.

◇, □ and joins over windows of 20 to 80 time points, with 200 to 800 facts per time point, over 1,000
time points. The peer gets the facts of the windows of each time point and a hand-written program for
them, and solves it from scratch, at time points spread over the stream. Both answers are compared.

    python benchmarks/lars_windows.py [--times 1000] [--peer 10]
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean
from time import perf_counter
from typing import NamedTuple

import clingo
import numpy as np

from horae.data.cuts import Rows
from horae.languages.lars.check.check import load as load_lars
from horae.languages.lars.kernel.codes import Codes
from horae.languages.lars.kernel.facts import Encoded
from horae.languages.lars.kernel.kernel import LarsKernel
from horae.languages.lars.kernel.tuple_windows import AtomLog
from horae.languages.lars.program import Program
from horae.source.text import Source

_RULES = """
seen(X) :- win[{w}] <> a(X, Y).
steady(X) :- win[3] [] b(X).
pair(X, Z) :- win[{w}] <> a(X, Y), win[{h}] <> c(Y, Z), not b(X).
"""
_PEER = """
seen(X) :- a(X, Y, S).
steady(X) :- b(X, t), b(X, t-1), b(X, t-2), b(X, t-3).
pair(X, Z) :- a(X, Y, _), c(Y, Z, S), S >= t - {h}, not b(X, t).
#show seen/1. #show steady/1. #show pair/2.
"""
_OBJECTS = 5_000  # different values of each argument
_STEP = 50  # time points that come at once
WORKLOADS = ((20, 200), (20, 800), (80, 200), (80, 800))
"""Time points of a window, and facts per time point."""
TIMES, PEER = 1_000, 10


class Workload(NamedTuple):
    window: int
    facts: int
    times: int

    @property
    def program(self) -> Program:
        text = _RULES.format(w=self.window, h=self.window // 2)
        program, diagnostics = load_lars(Source("windows.lars", text))
        assert program is not None, diagnostics
        return program

    def logs(self, seed: int = 1) -> dict[str, AtomLog]:
        """Per time point half the facts are about a, a quarter each about b and c."""
        numbers = np.random.default_rng(seed)
        shares = {"a": (2, self.facts // 2), "b": (1, self.facts // 4), "c": (2, self.facts // 4)}
        return {
            name: _log(numbers, arity, each, self.times) for name, (arity, each) in shares.items()
        }


def _log(numbers: np.random.Generator, arity: int, each: int, times: int) -> AtomLog:
    moments = np.repeat(np.arange(times), each)
    objects = 2 * numbers.integers(0, _OBJECTS, (len(moments), arity))
    return AtomLog(objects, moments, np.full(len(moments), -1))


def run_horae(
    work: Workload, logs: dict[str, AtomLog], step: int
) -> tuple[list[float], dict[int, int]]:
    """Seconds per time point, step by step as a stream; and how many answers each time point has."""
    kernel = LarsKernel(work.program, work.program.arities, Codes())
    seconds: list[float] = []
    answers: dict[int, int] = {}
    for start in range(0, work.times, step):
        chunk = {name: _between(log, start, start + step) for name, log in logs.items()}
        begin = perf_counter()
        kernel.push(Encoded({}, chunk))
        for table in kernel.evaluate(np.arange(start, min(start + step, work.times))):
            counts = table.column("time").value_counts().to_pylist()
            answers |= {row["values"]: row["counts"] for row in counts}
        seconds.append((perf_counter() - begin) / step)
    return seconds, answers


def _between(log: AtomLog, first: int, end: int) -> AtomLog:
    rows: Rows = np.flatnonzero((log.times >= first) & (log.times < end))
    return log.take(rows)


def run_clingo(work: Workload, logs: dict[str, AtomLog], time: int) -> tuple[float, int]:
    """Seconds for one time point, and its number of answers."""
    window = {
        name: _between(log, max(0, time - work.window), time + 1) for name, log in logs.items()
    }
    begin = perf_counter()
    control = clingo.Control(["--warn=none", "-c", f"t={time}"])
    control.add("base", [], _PEER.format(h=work.window // 2))
    with control.backend() as backend:
        for name, log in window.items():
            for arguments, moment in zip(log.arguments.tolist(), log.times.tolist(), strict=True):
                terms = [*(clingo.Number(a >> 1) for a in arguments), clingo.Number(moment)]
                atom = backend.add_atom(clingo.Function(name, terms))
                backend.add_rule([atom])
    control.ground([("base", [])])
    shown = 0
    with control.solve(yield_=True) as handle:
        for model in handle:
            shown = len(model.symbols(shown=True))
    return perf_counter() - begin, shown


@dataclass(frozen=True)
class Compared:
    """Milliseconds per time point of both sides, which gave the same answers.

    `first` and `last` are those of Horae in the second and the last tenth of the stream.
    """

    window: int
    facts: int
    horae: float
    first: float
    last: float
    clingo: float

    @property
    def ratio(self) -> float:
        return self.clingo / self.horae


def compare_all(times: int, peer: int) -> Iterator[Compared]:
    """Over so many time points, of which clingo solves some."""
    warm = Workload(20, 200, 200)
    run_horae(warm, warm.logs(), _STEP)  # compiles
    for window, facts in WORKLOADS:
        yield compare(Workload(window, facts, times), peer)


def compare(work: Workload, peer: int) -> Compared:
    logs = work.logs()
    seconds, answers = run_horae(work, logs, _STEP)
    chosen = random.Random(1).sample(range(work.window, work.times), peer)
    solved = [(time, *run_clingo(work, logs, time)) for time in chosen]
    assert all(answers.get(time, 0) == count for time, _, count in solved), "answers differ"
    tenth = max(1, len(seconds) // 10)
    parts = (seconds, seconds[tenth : 2 * tenth], seconds[-tenth:], [s for _, s, _ in solved])
    return Compared(work.window, work.facts, *(1e3 * fmean(part) for part in parts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=TIMES)
    parser.add_argument("--peer", type=int, default=PEER, help="time points that clingo solves")
    given = parser.parse_args()
    out = sys.stdout.write
    out("window  facts/point  horae ms/point  first tenth  last tenth  clingo ms/point  ratio\n")
    for found in compare_all(given.times, given.peer):
        own = f"{found.horae:14.2f}  {found.first:11.2f}  {found.last:10.2f}"
        peer = f"{found.clingo:15.1f}  {found.ratio:5.1f}x"
        out(f"{found.window:6}  {found.facts:11}  {own}  {peer}\n")


if __name__ == "__main__":
    main()
