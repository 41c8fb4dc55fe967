"""The options of `horae run` that a language takes, checked; what it cannot take is wrong usage.

Programs take them under the names of the command line, for files and for streams of files alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from glob import glob
from pathlib import Path
from typing import Any, Literal, assert_never

from horae.cli.run_options import Consequences, Emit, Mode
from horae.cli.usage import WrongUsage
from horae.inputs.answer_times import read_at, read_horizon, read_number
from horae.inputs.durations import read_duration, whole_points
from horae.inputs.layout import DECIMALS
from horae.inputs.time_points import read_evaluation_times
from horae.inputs.time_text import seconds_of
from horae.inputs.topics import is_topic

Language = Literal["rtlola", "datalogmtl", "lars", "cql"]
Keywords = dict[str, Any]


@dataclass(frozen=True)
class Given:
    """What was asked for, whatever the language."""

    inputs: Sequence[str]
    time: str | None
    order: str | None
    columns: str | None
    no_header: bool
    emit: Emit
    origin: str
    precision: str
    at: str | None
    horizon: str | None
    mode: Mode
    consequences: Consequences


def check_durations(language: Language, given: Mapping[str, str | None]) -> None:
    """Those of streams, by their names. Time points of rules and queries are whole numbers."""
    read = whole_points if language in ("lars", "cql") else read_duration
    for name, written in given.items():
        _check(partial(read, name, written or "0"))


def options_of(language: Language, given: Given, *, live: bool) -> Keywords:
    if language != "lars":
        _refuse_lars_options(given)
    if language != "datalogmtl" or not live:
        _check_precision(given.precision)
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


# --- the languages


def _of_rtlola(given: Given) -> Keywords:
    _check_events(given)
    return {
        "time": given.time,
        "order": given.order,
        "header": False if given.no_header else None,
        "columns": given.columns.split(",") if given.columns else None,
        "emit": given.emit.value,
        "origin": given.origin,
        "precision": given.precision,
    }


def _of_datalogmtl(given: Given, *, live: bool) -> Keywords:
    """Only a stream must know its ticks before it starts."""
    _check(lambda: (read_at(given.at), read_horizon(given.horizon)))
    found = {"time": given.time, "at": given.at, "horizon": given.horizon}
    return found | {"precision": _unit(given.precision)} if live else found


def _of_lars(given: Given) -> Keywords:
    _check(lambda: (read_evaluation_times(given.at), read_horizon(given.horizon)))
    return {
        "time": given.time,
        "order": given.order,
        "at": given.at,
        "horizon": given.horizon,
        "mode": given.mode.value,
        "consequences": given.consequences.value,
    }


def _of_cql(given: Given) -> Keywords:
    if given.horizon is not None:
        raise WrongUsage("--horizon is for rules; queries are evaluated at the times of --at.")
    _check(lambda: read_evaluation_times(given.at))
    return {"time": given.time, "order": given.order, "at": given.at}


# --- checks


def _check(read: Callable[[], object]) -> None:
    try:
        read()
    except ValueError as error:
        raise WrongUsage(f"--{error}.") from None


def _refuse_lars_options(given: Given) -> None:
    if given.mode is not Mode.STATELESS or given.consequences is not Consequences.ALL:
        raise WrongUsage("--mode and --consequences are for LARS programs (.lars).")


def _check_precision(precision: str) -> None:
    if precision not in DECIMALS:
        raise WrongUsage(f"--precision is one of {', '.join(DECIMALS)}, not `{precision}`.")


def _unit(precision: str) -> str:
    """As a part of a second."""
    if precision in DECIMALS:
        return f"1/{10 ** DECIMALS[precision]}"
    _check(lambda: read_number("precision", precision))
    if Fraction(precision) <= 0:
        raise WrongUsage(f"--precision: `{precision}` must be greater than 0, such as 1/1000.")
    return precision


def _check_events(given: Given) -> None:
    if seconds_of(given.origin) is None:
        raise WrongUsage(f"`{given.origin}` is neither a number of seconds nor a date.")
    if given.no_header and not given.columns:
        raise WrongUsage("--no-header needs --columns, the names of the columns in order.")
    if given.at is not None or given.horizon is not None:
        raise WrongUsage(
            "--at and --horizon are for rules; streams are answered at their own pace."
        )
    _check_one_table(given.inputs)


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
