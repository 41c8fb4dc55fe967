"""Three workloads for the race with MeTeoR: rules that both sides read, and lines of facts.

Facts are made with fixed seeds, so that every race runs over the same file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from random import Random

TRAFFIC = Path(__file__).parents[3] / "shared" / "data" / "traffic_s1.facts"


@dataclass(frozen=True)
class Workload:
    name: str
    rules: tuple[str, ...]
    queried: tuple[str, ...]
    lines: Callable[[], Iterator[str]]
    """All facts that there are to take from, one per line."""

    @property
    def program(self) -> str:
        """The rules as Horae reads them, with the predicates that are asked for."""
        return "\n".join([*self.rules, f"?- {', '.join(self.queried)}."])

    def write(self, path: Path, facts: int) -> None:
        """The first so many facts into a file."""
        lines = list(islice(self.lines(), facts))
        assert len(lines) == facts, f"{self.name} has {len(lines)} facts only"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


# --- traffic: real data, and again with other vehicles


def _short_stops() -> tuple[str, ...]:
    """A vehicle that stands for one to four seconds, between two moments without a position."""
    steps = [f"Boxminus[{n},{n}]" for n in range(6)]
    found = ["NotPos(V):-NotOnMap(V)"]
    for length in range(1, 5):
        stops = [f"{steps[n]}Pos(V)" for n in range(1, length + 1)]
        body = ["NotPos(V)", *stops, f"{steps[length + 1]}NotPos(V)"]
        found.append(f"ShortStop(V):-{','.join(body)}")
    return tuple(found)


def _traffic(path: Path) -> Iterator[str]:
    """The file as it is, then copies of it about vehicles of their own: `veh21` becomes `veh21c1`."""
    lines = path.read_text(encoding="utf-8").split()
    yield from lines
    for copy in count(1):
        yield from (line.replace(")@", f"c{copy})@") for line in lines)


# --- weather: hourly measurements of stations in regions


_HEAT = (
    "Hot(S):-Diamondminus[0,1]TempAbove24(S)",  # until it is measured again
    "ExcessiveHeat(S):-Boxminus[0,24]Hot(S),Diamondminus[0,24]TempAbove41(S)",
    "HeatAffected(R):-ExcessiveHeat(S),LocatedIn(S,R)",
    "Windy(S):-Diamondminus[0,1]WindAbove62(S)",  # MeTeoR loses a box over a diamond in one rule
    "Gale(S):-Boxminus[0,2]Windy(S)",
    "GaleAffected(R):-Gale(S),LocatedIn(S,R)",
    "Warm(R):-Hot(S),LocatedIn(S,R)",
    "Warned(R):-HeatAffected(R)",
    "Warned(R):-Diamondminus[0,6]Warned(R),Warm(R)",  # a warning lasts while it stays warm
    "Warned(Q):-Diamondminus[12,12]Warned(R),Borders(R,Q),Warm(Q)",  # and travels with the air
)
_STATIONS, _REGIONS, _HOURS = 400, 40, 24 * 60


def _weather() -> Iterator[str]:
    """Days and nights, with hot spells of some days per region; a measurement is a time point."""
    rng = Random(1)
    for region in range(_REGIONS):
        yield f"Borders(r{region},r{(region + 1) % _REGIONS})@[0,{_HOURS}]"
    for station in range(_STATIONS):
        yield f"LocatedIn(s{station},r{station % _REGIONS})@[0,{_HOURS}]"
    spells = [_hot_spells(rng) for _ in range(_REGIONS)]
    for hour in range(_HOURS):
        for station in range(_STATIONS):
            yield from _measured(rng, station, hour, spells[station % _REGIONS][hour // 24])


def _hot_spells(rng: Random) -> list[float]:
    """Per day, how many degrees it is above the usual."""
    days: list[float] = []
    while len(days) < _HOURS // 24:
        days += [0.0] * rng.randint(3, 9) + [rng.uniform(8, 16)] * rng.randint(2, 5)
    return days


def _measured(rng: Random, station: int, hour: int, above: float) -> Iterator[str]:
    measured = f"(s{station})@{hour}"
    temperature = 22 + above - 6 * abs(hour % 24 - 14) / 12 * (1.5 if above == 0 else 1)
    temperature += rng.gauss(0, 1.5) + station % 7
    if temperature > 24:
        yield f"TempAbove24{measured}"
    if temperature > 41:
        yield f"TempAbove41{measured}"
    if rng.random() < (0.7 if (hour // 9 + station) % 17 == 0 else 0.02):
        yield f"WindAbove62{measured}"


# --- university: joins of two and three relations, and chains that are followed in time


_UNIVERSITY = (
    "PartOf(X,Y):-SubOrganizationOf(X,Y)",
    "PartOf(X,Z):-PartOf(X,Y),SubOrganizationOf(Y,Z)",
    "Employed(P,U):-WorksFor(P,D),PartOf(D,U)",
    "TaughtBy(S,P):-TakesCourse(S,C),TeacherOf(P,C)",
    "Visits(S,U):-TaughtBy(S,P),Employed(P,U)",
    "Established(P):-Boxminus[0,6]Employed(P,U)",
    "Lineage(S,P):-AdvisedBy(S,P)",
    "Lineage(S,Q):-Lineage(S,P),Diamondminus[0,40]AdvisedBy(P,Q)",  # an adviser was advised before
    "Heard(P):-Announced(P)",
    "Heard(S):-Diamondminus[1,2]Heard(P),AdvisedBy(S,P)",
    "Renowned(P):-Established(P),Diamondminus[0,3]Heard(P)",
)
_UNITS, _PROFESSORS, _COURSES, _TERMS = 40, 200, 400, 40  # MeTeoR scans new facts for each old one


def _university() -> Iterator[str]:
    """Terms are time points; people stay for some terms, and take courses for one."""
    rng = Random(2)
    always = f"@[0,{_TERMS}]"
    for unit in range(1, _UNITS):  # a tree: departments, faculties, universities
        yield f"SubOrganizationOf(d{unit},d{(unit - 1) // 4}){always}"
    for person in range(_PROFESSORS):
        begin, end = _stay(rng, 4, 25)
        yield f"WorksFor(p{person},d{rng.randrange(_UNITS)})@[{begin},{end}]"
        if person:  # by somebody of the generation before
            yield f"AdvisedBy(p{person},p{rng.randrange(person // 2, person)})@[{begin},{begin + 4}]"
        if rng.random() < 0.3:
            yield f"Announced(p{person})@{rng.randrange(_TERMS)}"
    for course in range(_COURSES):
        begin, end = _stay(rng, 2, 12)
        yield f"TeacherOf(p{rng.randrange(_PROFESSORS)},c{course})@[{begin},{end}]"
    while True:
        yield from _student(rng)


def _student(rng: Random) -> Iterator[str]:
    student, (begin, end) = f"s{rng.randrange(10**9)}", _stay(rng, 3, 8)
    yield f"AdvisedBy({student},p{rng.randrange(_PROFESSORS)})@[{end - 2},{end}]"
    for term in range(begin, end):
        for _ in range(2):
            yield f"TakesCourse({student},c{rng.randrange(_COURSES)})@[{term},{term + 1})"


def _stay(rng: Random, least: int, most: int) -> tuple[int, int]:
    begin = rng.randrange(_TERMS - most)
    return begin, begin + rng.randint(least, most)


def workloads(traffic: Path) -> tuple[Workload, ...]:
    """`traffic` is the file of real data."""
    regions, people = ("HeatAffected", "GaleAffected", "Warned"), ("Visits", "Lineage", "Renowned")
    return (
        Workload("traffic", _short_stops(), ("ShortStop",), lambda: _traffic(traffic)),
        Workload("weather", _HEAT, regions, _weather),
        Workload("university", _UNIVERSITY, people, _university),
    )
