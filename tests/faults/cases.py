"""Programs whose state is worth losing, and events that come out of order, as many small files.

Windows, recursion, templates, heads and looks into the future, several shards and stages. No event is
late, whatever the micro-batches: it comes at most the lateness after a later one.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_PER_FILE = 100
_DISORDER = 30  # places in the stream
_IDS = 6


@dataclass(frozen=True)
class Event:
    """The `place`-th of the stream, by time."""

    place: int
    id: int
    x: int


Write = Callable[[Path, Sequence[Event], bool], None]


@dataclass(frozen=True)
class Case:
    """`write` makes a file of events, also the first one; `input` is said of their folder."""

    language: str
    ending: str
    program: str
    lateness: str
    write: Write
    input: str = "{}"
    options: tuple[str, ...] = ()

    @property
    def spec(self) -> str:
        return f"spec.{self.ending}"

    def lay_out(self, folder: Path, files: int, seed: int) -> None:
        """The program, and the folder `in` of events."""
        (folder / "in").mkdir(parents=True)
        (folder / self.spec).write_text(self.program)
        (folder / "room.csv").write_text("id,r\n" + "".join(f"{i},r{i % 2}\n" for i in range(_IDS)))
        for number, events in enumerate(_events(files, seed)):
            file = folder / "in" / f"{number:04}"
            self.write(file, events, number == 0)

    def arguments(self, folder: Path) -> list[str]:
        """Of a run, in batch and as a stream."""
        named = [self.input.format(folder / "in")]
        if self.language == "cql":
            named.append(f"room={folder / 'room.csv'}")
        inputs = [part for text in named for part in ("--input", text)]
        return ["run", str(folder / self.spec), *inputs, *self.options]


def _events(files: int, seed: int) -> Iterator[list[Event]]:
    chance = random.Random(seed)
    count = files * _PER_FILE
    places = sorted(range(count), key=lambda place: place + chance.uniform(0, _DISORDER))
    events = [Event(place, chance.randrange(_IDS), chance.randrange(100)) for place in places]
    for start in range(0, count, _PER_FILE):
        yield events[start : start + _PER_FILE]


# --- forms of files


def _put(file: Path, ending: str, lines: Sequence[str]) -> None:
    """Spark reads older files first."""
    place = file.with_suffix(ending)
    place.write_text("".join(f"{line}\n" for line in lines))
    os.utime(place, (1_000_000 + int(file.name),) * 2)


def _objects(file: Path, events: Sequence[Event], _: bool) -> None:
    rows = [{"time": event.place / 4, "id": event.id, "x": event.x} for event in events]
    _put(file, ".jsonl", [json.dumps(row) for row in rows])


def _table(file: Path, events: Sequence[Event], _: bool) -> None:
    rows = [f"{event.place / 4},{event.id},{event.x}" for event in events]
    _put(file, ".csv", ["time,id,x", *rows])


def _rows(file: Path, events: Sequence[Event], _: bool) -> None:
    rows = [{"time": event.place // 5, "id": event.id, "x": event.x} for event in events]
    _put(file, ".jsonl", [json.dumps(row) for row in rows])


def _facts(file: Path, events: Sequence[Event], is_first: bool) -> None:
    _put(
        file,
        ".facts",
        [*_rooms(is_first), *(f"beat({e.id},{e.x})@{e.place // 5}" for e in events)],
    )


def _intervals(file: Path, events: Sequence[Event], is_first: bool) -> None:
    """Some hold for a while."""
    times = [
        f"[{e.place}/2,{e.place + 3}/2)" if e.x < 20 else f"{e.place}/2"  # in halves
        for e in events
    ]
    facts = [f"beat({e.id})@{time}" for e, time in zip(events, times, strict=True)]
    _put(file, ".facts", [*_rooms(is_first), *facts])


def _rooms(is_first: bool) -> list[str]:
    return [f"room({i},r{i % 2})" for i in range(_IDS)] if is_first else []


# --- programs

_TEMPLATES = """\
input int id
input int x
output int seen<int i>
    invoke: id
    extend: id = i
    := seen(i)[-1, 0] + 1
output int recent<int i>
    invoke: id
    extend: id = i
    := seen(i)[20 s, 0, count]
output int pulse<int i>
    invoke: id
    extend: 0.2Hz
    := seen(i)[10 s, 0, max]
output int known := count(seen)
trigger any(recent > 18) "busy"
"""
_AHEAD = """\
input int id
input int x
output int step := x - x[-1, 0]
output int soon := x[2 s, 0] - x
output int load
    extend: 1Hz
    := x[5 s, 0, sum]
"""
_DATALOGMTL = """\
often(Z) :- Boxminus[0,5] Diamondminus[0,3] beat(Z).
Boxplus[0,4] watched(Z) :- often(Z).
watched(Z) :- beat(Z), Diamondminus[0,2] watched(Z).
last(Z) :- beat(Z), not Diamondplus(0,3] beat(Z).
near(Z,R) :- watched(Z), room(Z,R).
busy(R) :- Diamondminus[0,1] near(_,R), Boxminus[0,1] near(_,R).
"""
_LARS = """\
near(I,R) :- room(I,R), win[6] <> beat(I,X), X > 60.
low(I) :- beat(I,X), X < 50.
calm(I) :- win[1] [] low(I).
@T due(I,X) :- win[beat(I,_) by I #1] @T1 beat(I,X), T = T1 + 3.
up(I) :- beat(I,X), X > 80.
up(I) :- win[2] <> up(I), beat(I,X), X > 20.
"""
_CQL = """\
REGISTER STREAM beat(id int, x int);
REGISTER RELATION room(id int, r string);
sums: SELECT r, COUNT(*) AS n, SUM(x) AS total
      FROM beat [RANGE 5], room WHERE beat.id = room.id GROUP BY r;
last: ISTREAM(SELECT id, x FROM beat [PARTITION BY id ROWS 2]);
gone: DSTREAM(SELECT id FROM beat [RANGE 8 SLIDE 4] WHERE x > 50);
"""

CASES = {
    "rtlola": Case("rtlola", "lola", _TEMPLATES, "8 s", _objects),
    "rtlola, ahead": Case("rtlola", "lola", _AHEAD, "8 s", _table),
    "datalogmtl": Case("datalogmtl", "dmtl", _DATALOGMTL, "15", _intervals),
    "lars": Case("lars", "lars", _LARS, "6", _facts),
    "cql": Case("cql", "cql", _CQL, "6", _rows, input="beat={}"),
}
