"""A recursive program over a million facts: who monitors which signal, along a network (Example 1).

    python benchmarks/datalogmtl_recursive.py [FACTS]

A node that flags a signal makes its neighbour monitor it, so flags travel around a ring of nodes as long
as the signal keeps coming. The facts are made as columns; evaluation is measured to the fixpoint.
"""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np

from horae.data.cuts import FUTURE, PAST, Rows
from horae.data.symbols import Symbols
from horae.languages.datalogmtl.check.check import load
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.languages.datalogmtl.check.normalise import normalise
from horae.languages.datalogmtl.kernel.fixpoint import Relations
from horae.languages.datalogmtl.kernel.materialise import materialise
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.rules.intervals.relation import Relation, relation
from horae.source.text import Source

write = sys.stdout.write
RULES = """
flags(X,Z) :- node(X), monitors(X,Z), Boxminus[0,5] Diamondminus[0,2] signal(Z).
Boxplus[0,10] monitors(X,Z) :- connected(X,Y), flags(Y,Z).
?- flags.
"""
NODES, PER_SIGNAL = 200, 1000


def prepared() -> NormalProgram:
    program, found = load(Source("network.dmtl", RULES))
    assert program is not None, found
    return normalise(program)


def network(count: int, symbols: Symbols) -> Relations:
    """Times are halves: a signal comes again after half a second to two and a half."""
    rng = np.random.default_rng(1)
    nodes = symbols.encode([f"n{i}" for i in range(NODES)])
    signals = symbols.encode([f"s{i}" for i in range(max(count // PER_SIGNAL, 1))])
    waits = rng.choice([1, 1, 2, 2, 3, 5], (len(signals), PER_SIGNAL))
    times = (rng.integers(0, 100, (len(signals), 1)) + waits.cumsum(axis=1)).ravel()
    watched = np.column_stack([rng.choice(nodes, len(signals)), signals])
    return {
        "node": always(nodes[:, None]),
        "connected": always(np.column_stack([nodes, np.roll(nodes, 1)])),
        "monitors": held(watched, 0, 2 * rng.integers(10, 60, len(signals))),
        "signal": held(np.repeat(signals, PER_SIGNAL)[:, None], times, times),
    }


def always(arguments: Rows) -> Relation:
    ends = np.empty(len(arguments), np.int64)
    return relation(arguments, np.full_like(ends, PAST), np.full_like(ends, FUTURE))


def held(arguments: Rows, first: int | Rows, last: Rows) -> Relation:
    """In closed intervals of ticks."""
    lo = np.broadcast_to(np.asarray(2 * first, np.int64), last.shape)
    return relation(arguments, lo, 2 * last + 1)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    normal, timeline = prepared(), Timeline(2)
    symbols = Symbols()
    materialise(normal, network(5000, symbols), symbols, timeline)  # loads compiled code
    symbols = Symbols()
    data = network(count, symbols)
    given = sum(map(len, data.values()))
    begin = perf_counter()
    found = materialise(normal, data, symbols, timeline)
    seconds = perf_counter() - begin
    derived = sum(map(len, found.values())) - given
    write(f"{given} facts, {derived} derived intervals, {len(found['flags'])} answers\n")
    write(f"{seconds:.2f} s, {given / seconds:.0f} facts/s\n")


if __name__ == "__main__":
    main()
