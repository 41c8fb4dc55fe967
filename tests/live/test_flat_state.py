"""A stream that goes on a hundred times longer keeps no more, if its program is bounded.

Elements, bytes in memory and bytes that are saved are looked at after every micro-batch. The keys of
all streams are the same few ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from tests.languages.datalogmtl.kernel.driving import facts, prepared
from tests.languages.lars.plan.simulated import checked as checked_lars
from tests.languages.rtlola.kernel.driving import checked, options_for
from tests.languages.rtlola.kernel.test_state_bound import SPECS
from tests.live import cql_streams, lars_streams
from tests.live.datalogmtl_streams import rows_of

import horae
from horae.data.cuts import Cuts
from horae.engine.contract import Kernel, Routed
from horae.languages.cql.live.program import LiveCQL
from horae.languages.datalogmtl.live import LiveDatalogMTL, live_datalogmtl
from horae.languages.datalogmtl.report import analyze
from horae.languages.lars.live import LiveLARS, live_lars
from horae.languages.lars.plan.route_program import route_program
from horae.languages.rtlola.live.program import LiveRTLola
from horae.reference.cql import Fact

SHORT, BATCH = 200, 50
SLACK = 1024
"""Bytes: a later time has more digits, and rows may lie in two chunks where they lay in one."""

Rows = Callable[[int], pa.Table]
"""The rows of so many time points."""


@dataclass(frozen=True)
class Size:
    """What a shard holds after a micro-batch, and what it would write in all."""

    elements: int
    bytes: int
    saved: int
    instances: int
    waiting: int


def sizes(live: Routed, rows: pa.Table) -> Iterator[Size]:
    """Rows in the order of their times; nothing is late."""
    kernel = live.start(0)
    times = rows.column("time").to_numpy().astype(np.int64)
    for start in range(0, len(rows), BATCH):
        yield _size(_decided(kernel, rows.slice(start, BATCH), times[start : start + BATCH]))


def _decided(kernel: Kernel, rows: pa.Table, times: Cuts) -> Kernel:
    kernel.see(np.unique(times))
    kernel.add(rows)
    kernel.decide(int(times[-1]) - 1)
    return kernel


def _size(kernel: Kernel) -> Size:
    size, saved = kernel.state_size(), dict(kernel.save())
    written = sum(len(name) + len(data) for name, data in saved.items())
    return Size(size.values, size.bytes, written, size.instances, size.waiting)


def check_flat(live: Routed, rows: Rows, factor: int) -> None:
    """What a short stream has held is enough for a longer one."""
    short, long = [*sizes(live, rows(SHORT))], [*sizes(live, rows(factor * SHORT))]
    assert len(long) > factor / 2 * len(short)
    assert max(s.elements for s in long) <= max(s.elements for s in short)
    assert max(s.bytes for s in long) <= max(s.bytes for s in short) + SLACK
    assert max(s.saved for s in long) <= max(s.saved for s in short) + SLACK


# --- the programs, each with its stream

SECOND = 10**6
KEYED = """input int a, b
output int n<int id>
    invoke: a
    extend: a = id
    := n(id)[-2, 0] + b
output int busy<int id>
    invoke: a
    extend: 1Hz
    := n(id)[6 s, 0, count]
"""
RTLOLA = (*SPECS.values(), KEYED)


def rtlola(text: str) -> tuple[LiveRTLola, Rows]:
    """Four rows a second."""
    program = checked(text)
    live = LiveRTLola(program, options_for(program))

    def rows(count: int) -> pa.Table:
        columns: dict[str, list[int | None]] = {"time": [n * SECOND // 4 for n in range(count)]}
        for place, name in enumerate(live.rows.names[1:], 2):
            columns[name] = [n // place % 4 if n % place else None for n in range(count)]
        return pa.table(columns).cast(live.rows)

    return live, rows


LARS = (
    "s(X) :- win[10] <> p(X,_).",
    "s(X) :- win[p(_,K) by K #2] <> p(X,K).",
    "s(X) :- win[#4] <> p(X,_).",
    "s(X) :- win[3,2] <> p(X,_).",
    "s(X) :- win[9] <> p(X,K), not win[5] <> p(X,K).",
    "@U soon(X) :- win[4] @T p(X,K), U = T + K.",
)
SOLVED = "s(X) :- win[3] <> p(X,_), not t(X).\nt(X) :- p(X,_), not s(X)."


def lars(text: str) -> tuple[LiveLARS, Rows]:
    program = checked_lars(text)
    live = live_lars(route_program(program))

    def rows(count: int) -> pa.Table:
        lines = [f"p(c{time % 5},{time % 3})@{time}" for time in range(count)]
        return lars_streams.rows_of(program, lars_streams.facts_of(program, "\n".join(lines)))

    return live, rows


DATALOGMTL = (
    "s(X) :- Diamondminus[0,10] p(X).",
    "often(X) :- Boxminus[0,8] Diamondminus[0,5] p(X).\nBoxplus[0,2] calm(X) :- often(X).",
    "s(X) :- p(X) Since[0,9] q(X).\nr(X) :- Diamondplus[1,3] s(X).",
    "s(X) :- p(X).\ns(X) :- Diamondminus[5,5] s(X), Diamondminus[0,20] p(X).",
)


def datalogmtl(text: str) -> tuple[LiveDatalogMTL, Rows]:
    """`p` at two of three time points, `q` at the others."""
    normal = prepared(text)
    live = live_datalogmtl(normal, precision=Fraction(1))

    def rows(count: int) -> pa.Table:
        lines = [f"{'qpp'[time % 3]}(c{time % 5})@{time}" for time in range(count)]
        found = facts("\n".join(lines))
        return rows_of(live, [f for f in found if f.predicate in normal.program.arities])

    return live, rows


TRAMS = "REGISTER STREAM tram(ID string, X int);\nREGISTER RELATION line(ID string, L string);\n"
CQL = (
    "SELECT L, COUNT(*) AS n, AVG(X) AS x FROM tram [RANGE 5], line WHERE tram.ID = line.ID GROUP BY L;",
    "ISTREAM(SELECT ID, X FROM tram [PARTITION BY ID ROWS 2]);",
    "DSTREAM(SELECT X FROM tram [RANGE 20 SLIDE 5]);",
)


def cql(text: str) -> tuple[LiveCQL, Rows]:
    relation: list[Fact] = [("line", (f"c{n}", f"l{n % 2}"), None) for n in range(5)]
    query = f"{TRAMS}q: {text}"

    def rows(count: int) -> pa.Table:
        trams: list[Fact] = [("tram", (f"c{n % 5}", n % 3), n) for n in range(count)]
        return cql_streams.live(query, [*relation, *trams], "events")[1]

    return cql_streams.live(query, relation, "events")[0], rows


# --- all of them

Make = Callable[[str], tuple[Routed, Rows]]
CASES: list[tuple[Make, str]] = [
    *((rtlola, text) for text in RTLOLA),
    *((lars, text) for text in LARS),
    *((datalogmtl, text) for text in DATALOGMTL),
    *((cql, text) for text in CQL),
]


@pytest.mark.parametrize(("make", "text"), CASES)
def test_ten_times_longer(make: Make, text: str):
    check_flat(*make(text), 10)


@pytest.mark.long
@pytest.mark.parametrize(("make", "text"), [*CASES, (lars, SOLVED)])
def test_a_hundred_times_longer(make: Make, text: str):
    check_flat(*make(text), 100)


# --- what the analysis says


@pytest.mark.parametrize("text", RTLOLA, ids=[*SPECS, "keyed"])
def test_rtlola_keeps_its_bound(text: str):
    """Besides rows that wait."""
    live, rows = rtlola(text)
    bound = horae.compile(text).report.state_bound
    for size in sizes(live, rows(1000)):
        most = bound.bytes_of(size.instances)
        assert most is not None
        assert size.bytes - size.waiting <= most


@pytest.mark.parametrize("text", [text for text in DATALOGMTL if "Diamondplus" not in text])
def test_datalogmtl_keeps_its_bound(text: str):
    """Five constants, whole times, and as far in one step as a micro-batch reaches.

    The theorems are about rules that look back.
    """
    live, rows = datalogmtl(text)
    bound = analyze(live.normal.program, objects=5, gcd=1, step=BATCH).state_bound
    assert bound.values is not None
    assert max(size.elements for size in sizes(live, rows(1000))) <= bound.values
