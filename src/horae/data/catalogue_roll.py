"""Every message about names that only the program or only the input has."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from horae.data.clock import DECIMALS, NAMES
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


def unknown_name(name: str, place: str, kind: NameKind, known: Collection[str]) -> InputError:
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
        "if it counts {what}, say --precision {unit}, or write windows as numbers of {what} "
        "without a unit; if it does count {read}, say --time-unit {known}"
    )
    BESIDE_DATES = (
        "there are also dates, which count seconds; if it counts {what}, say --time-unit {unit}; "
        "if it does count seconds, --time-unit s"
    )


def large_time(number: int, read_as: str, year_3000: int, help: Seconds) -> InputError:
    """A time after the year 3000, which lies before that year in the unit that is probably meant."""
    meant = (unit for unit, places in DECIMALS.items() if number // 10**places < year_3000)
    unit = next(meant, "ns")
    return InputError(
        "INP132",
        f"the time {number} is read as {NAMES[read_as]} since 1970, which is after the year 3000",
        help=help.format(what=NAMES[unit], unit=unit, read=NAMES[read_as], known=read_as),
    )


def _listed(names: Sequence[str]) -> str:
    more = ", …" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
