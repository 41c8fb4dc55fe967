"""The options of `horae run` that a language takes, checked; what it cannot take is wrong usage.

Programs take them under the names of the command line, for files and for streams of files alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import partial
from glob import glob
from pathlib import Path
from typing import Any, Literal, assert_never

from horae.cli.run_options import Consequences, Emit, Mode
from horae.cli.usage import WrongUsage
from horae.data.answer_counts import read_answers
from horae.data.answer_times import read_at, read_horizon, read_number
from horae.data.clock import DECIMALS, SECONDS
from horae.data.durations import read_duration, whole_points
from horae.data.time_points import read_evaluation_times
from horae.data.topics import is_topic

Language = Literal["rtlola", "datalogmtl", "lars", "cql"]
Keywords = dict[str, Any]


@dataclass(frozen=True)
class Given:
    """What was asked for, whatever the language: None, or False, where an option was not given."""

    inputs: Sequence[str]
    time: str | None = None
    order: str | None = None
    columns: str | None = None
    no_header: bool = False
    emit: Emit | None = None
    origin: str | None = None
    precision: str | None = None
    at: str | None = None
    horizon: str | None = None
    mode: Mode | None = None
    consequences: Consequences | None = None
    answers: str | None = None
    yes: bool = False
    strict: bool = False
    time_unit: str | None = None

    @property
    def named(self) -> list[str]:
        """The options that were given."""
        return [f.name for f in fields(self) if getattr(self, f.name) not in (None, False)]


_EVERYWHERE = frozenset({"inputs", "time", "strict"})
_TAKEN: dict[Language, frozenset[str]] = {
    "rtlola": frozenset(
        {"order", "columns", "no_header", "emit", "origin", "precision", "yes", "time_unit"}
    ),
    "datalogmtl": frozenset({"at", "horizon"}),
    "lars": frozenset({"order", "at", "horizon", "mode", "consequences", "answers"}),
    "cql": frozenset({"order", "at"}),
}
"""What has an effect in each language, beside what has one everywhere."""
_TAKEN_LIVE: dict[Language, frozenset[str]] = {
    **_TAKEN,
    "datalogmtl": _TAKEN["datalogmtl"] | {"precision"},
}
"""Only a stream of DatalogMTL facts must know its ticks before it starts."""
_PURPOSES = {
    "order": "is for events and rows; facts of DatalogMTL have no order",
    "columns": "is for the events of RTLola; other tables name their columns themselves",
    "no_header": "is for the events of RTLola; other tables name their columns themselves",
    "emit": "is for RTLola (.lola): which values of its streams are answered",
    "origin": "is for the clocks of RTLola (.lola)",
    "precision": "is for RTLola, and for streams of DatalogMTL facts; other times are exact",
    "time_unit": "is for RTLola; times of rules and queries count what their windows count",
    "at": "is for rules and queries; streams of RTLola are answered at their own pace",
    "horizon": "is for rules: how far they derive",
    "mode": "is for LARS programs (.lars)",
    "consequences": "is for LARS programs (.lars)",
    "yes": "is for the clocks of RTLola (.lola)",
    "answers": "is for LARS programs (.lars); others have one answer",
}


def check_durations(language: Language, given: Mapping[str, str | None]) -> None:
    """Those of streams, by their names. Time points of rules and queries are whole numbers."""
    read = whole_points if language in ("lars", "cql") else read_duration
    for name, written in given.items():
        _check(partial(read, name, written or "0"))


def options_of(language: Language, given: Given, *, live: bool) -> Keywords:
    """What the program takes; an option that would have no effect is refused."""
    taken = _EVERYWHERE | (_TAKEN_LIVE if live else _TAKEN)[language]
    for name in given.named:
        if name not in taken:
            raise WrongUsage(f"{option_name(name)} {_PURPOSES[name]}.")
    return _of_language(language, given, live=live) | {"strict": given.strict}


def _of_language(language: Language, given: Given, *, live: bool) -> Keywords:
    match language:
        case "rtlola":
            return _of_rtlola(given)
        case "datalogmtl":
            return _of_datalogmtl(given, live=live)
        case "lars":
            return _of_lars(given)
        case "cql":
            return _of_cql(given)
        case _:
            assert_never(language)


def option_name(field: str) -> str:
    return f"--{field.replace('_', '-')}"


# --- the languages


def _of_rtlola(given: Given) -> Keywords:
    _check_events(given)
    return {
        "time": given.time,
        "order": given.order,
        "header": False if given.no_header else None,
        "columns": given.columns.split(",") if given.columns else None,
        "emit": (given.emit or Emit.ALL).value,
        "origin": given.origin or "0",
        "precision": given.precision or "us",
        "time_unit": given.time_unit,
        "yes": given.yes,
    }


def _of_datalogmtl(given: Given, *, live: bool) -> Keywords:
    _check(lambda: (read_at(given.at), read_horizon(given.horizon)))
    found = {"time": given.time, "at": given.at, "horizon": given.horizon}
    return found | {"precision": _unit(given.precision or "us")} if live else found


def _of_lars(given: Given) -> Keywords:
    _check(lambda: (read_evaluation_times(given.at), read_horizon(given.horizon)))
    _check(lambda: read_answers(given.answers, given.consequences))
    return {
        "time": given.time,
        "order": given.order,
        "at": given.at,
        "horizon": given.horizon,
        "mode": (given.mode or Mode.STATELESS).value,
        "consequences": (given.consequences or Consequences.ALL).value,
        "answers": given.answers,
    }


def _of_cql(given: Given) -> Keywords:
    _check(lambda: read_evaluation_times(given.at))
    return {"time": given.time, "order": given.order, "at": given.at}


# --- checks


def _check(read: Callable[[], object]) -> None:
    try:
        read()
    except ValueError as error:
        raise WrongUsage(f"--{error}.") from None


def _unit(precision: str) -> str:
    """As a part of a second."""
    if precision in DECIMALS:
        return f"1/{10 ** DECIMALS[precision]}"
    _check(lambda: read_number("precision", precision))
    if Fraction(precision) <= 0:
        raise WrongUsage(f"--precision: `{precision}` must be greater than 0, such as 1/1000.")
    return precision


def _check_events(given: Given) -> None:
    for name, unit in (("precision", given.precision), ("time-unit", given.time_unit)):
        if unit is not None and unit not in DECIMALS:
            raise WrongUsage(f"--{name} is one of {', '.join(DECIMALS)}, not `{unit}`.")
    if given.origin is not None and SECONDS.exact(given.origin) is None:
        raise WrongUsage(f"`{given.origin}` is neither a number of seconds nor a date.")
    if (given.no_header or given.columns) and all(map(_is_not_csv, given.inputs)):
        raise WrongUsage("--columns and --no-header are for CSV files: leave them out.")
    if given.no_header and not given.columns:
        raise WrongUsage("--no-header needs --columns, the names of the columns in order.")
    _check_one_table(given.inputs)


def _is_not_csv(path: str) -> bool:
    """By what its name says; a directory may hold anything."""
    return is_topic(path) or Path(path).suffix.lower() in (".jsonl", ".json", ".parquet")


def _check_one_table(inputs: Sequence[str]) -> None:
    """`NAME=PATH` is for languages that read several tables. A file may have such a name, though."""
    for text in inputs:
        name, sign, path = text.partition("=")
        if sign and name.isidentifier() and not _exists(text) and (is_topic(path) or _exists(path)):
            raise WrongUsage(
                "a specification reads one table with a column per input stream: "
                f"write --input {path}, not --input {text}."
            )


def _exists(path: str) -> bool:
    return Path(path).exists() or bool(glob(path))  # noqa: PTH207
