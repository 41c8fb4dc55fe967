"""Every message about names that only the program or only the input has."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from horae.source.errors import InputError
from horae.source.suggest import did_you_mean

_SHOWN = 12


@dataclass(frozen=True, slots=True)
class NameKind:
    """What the names of a language name. `needs_rows`: of no rows at all, nothing is expected."""

    one: str
    many: str
    given: str
    way_out: str
    needs_rows: bool = False


PREDICATES = NameKind(
    "predicate",
    "predicates",
    "the input has no facts about",
    "write facts such as `{name}(…)@3`, or name a table with --input {name}=PATH",
)
INPUTS = NameKind(
    "stream or relation",
    "streams and relations",
    "the input has no rows of",
    "name a table with --input {name}=PATH, or write facts `{name}(…)`",
)
COLUMNS = NameKind(
    "input",
    "inputs",
    "no row has a value of",
    "what is computed of `{name}` will have no values; is its column empty?",
    needs_rows=True,
)


def unknown(name: str, place: str, kind: NameKind, known: Collection[str]) -> InputError:
    names = sorted(known)
    guess = did_you_mean(name, names)
    return InputError(
        "INP130",
        f"the input has facts about `{name}`, but the program has no such {kind.one}",
        place=place,
        help=f"{guess} its {kind.many} are: {_listed(names)}".strip(),
    )


def nothing_given(names: Sequence[str], kind: NameKind) -> InputError:
    what = kind.one if len(names) == 1 else kind.many
    listed = ", ".join(f"`{name}`" for name in names[:_SHOWN])
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return InputError(
        "INP131",
        f"{kind.given} the {what} {listed}{more}",
        help=kind.way_out.format(name=names[0]),
    )


class Seconds(StrEnum):
    """What helps where numbers should count seconds, and seem to count `{what}`."""

    OF_EVENTS = (
        "if it counts {what}, say --time-unit {unit}; if it does count seconds, --time-unit s"
    )
    OF_WINDOWS = (
        "if it counts {what}, write windows as numbers of {what} without a unit, or give seconds"
    )


_UNITS = {"ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds"}
_PER_SECOND = (("ms", 10**3), ("us", 10**6), ("ns", 10**24))


def large_time(seconds: int, year_3000: int, help: Seconds) -> InputError:
    """In the unit that is meant, it is a time before that year."""
    unit = next(unit for unit, number in _PER_SECOND if seconds // number < year_3000)
    return InputError(
        "INP132",
        f"the time {seconds} is read as seconds since 1970, which is after the year 3000",
        help=help.format(what=_UNITS[unit], unit=unit),
    )


def _listed(names: Sequence[str]) -> str:
    more = ", …" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
