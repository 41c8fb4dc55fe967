"""The options of a run of an RTLola specification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from glob import glob
from pathlib import Path

from horae.data.clock import DECIMALS, SECONDS, Clock
from horae.data.endings import EVENTS, ending_of, is_csv
from horae.data.file_places import is_uri
from horae.data.given_source import is_table
from horae.data.numbers import show
from horae.data.topics import is_topic
from horae.engine.options import (
    UNITS,
    OptionError,
    RunOptions,
    Scope,
    choice,
    flag,
    option,
    order,
    read_names,
    read_unit,
)


class Emit(StrEnum):
    """Which values of the streams are answers."""

    ALL = "all"
    CHANGES = "changes"
    TRIGGERS = "triggers"


def _read_origin(name: str, written: object) -> Fraction:
    """Seconds; a date counts from 1970."""
    seconds = SECONDS.exact(written)
    if seconds is None:
        raise OptionError(name, f"`{show(written)}` is neither a number of seconds nor a date")
    return seconds


@dataclass(frozen=True, kw_only=True)
class RTLolaOptions(RunOptions):
    """`columns` and `header` are for CSV files; `precision` and `time_unit` are names of `DECIMALS`."""

    order: str | None = order()
    columns: tuple[str, ...] | None = option(
        None,
        "the names of the columns of CSV files without a header",
        read_names,
        metavar="A,B,...",
    )
    header: bool | None = flag(
        None, "CSV files without a header, whose columns are given", sets=False
    )
    emit: Emit = choice(Emit.ALL, "which values of streams are answered")
    origin: Fraction = option(
        Fraction(0),
        "the time from which rates are counted",
        _read_origin,
        metavar="T",
        shown="0",
    )
    precision: str = option(
        "us",
        "the finest difference between times of the input",
        read_unit,
        metavar=UNITS,
        shown="us",
    )
    yes: bool = flag(False, "running also where clocks would tick very often")
    whole_rows: bool = flag(
        False,
        "rows that have a value for all inputs or for none: more can be spread",
        scope=Scope.STREAMS,
    )

    def __post_init__(self) -> None:
        if self.header is False and self.columns is None:
            raise OptionError("header", "`columns` must be given too, all names in order")

    def fitted(self, given: Mapping[str, object]) -> dict[str, object]:
        return dict(given)

    @property
    def clock(self) -> Clock:
        return Clock(self.time_unit, self.precision)

    @property
    def decimals(self) -> int:
        """The decimal places of a second that times have."""
        return DECIMALS[self.precision]

    def check_inputs(self, inputs: Sequence[str]) -> None:
        if inputs and (self.header is False or self.columns) and all(map(_is_not_csv, inputs)):
            raise OptionError("columns", "it is for CSV files, and none is given; leave it out")
        for text in inputs:
            name, sign, path = text.partition("=")
            if sign and name.isidentifier() and not _exists(text) and _is_input(path):
                raise OptionError(
                    "input",
                    "a specification reads one table with a column per input stream; "
                    f"write `{path}`, not `{text}`",
                )


def _is_not_csv(path: str) -> bool:
    """Whether the name of an input says that it is no CSV; a directory may hold anything."""
    return is_topic(path) or (not is_csv(path) and ending_of(path) in EVENTS)


def _is_input(path: str) -> bool:
    return is_topic(path) or is_table(path) or is_uri(path) or _exists(path)


def _exists(path: str) -> bool:
    return Path(path).exists() or bool(glob(path))  # noqa: PTH207
