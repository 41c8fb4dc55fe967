"""The options of `horae run` that a language takes, checked; what it cannot take is wrong usage.

Programs take them under the names of the command line, for files and for streams of files alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from horae.cli.usage import WrongUsage
from horae.engine.options import OptionError, RunOptions, Scope
from horae.engine.options import options_of as options_in
from horae.languages import languages
from horae.languages.lars.options import Consequences, Mode
from horae.languages.rtlola.options import Emit

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
    def keywords(self) -> Keywords:
        """Those that were given, as Python has them."""
        found = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "inputs"}
        found["columns"] = self.columns.split(",") if self.columns else None
        given = {name: value for name, value in found.items() if value not in (None, False)}
        return given | {"header": False} if given.pop("no_header", False) else given


def check_durations(language: str, given: Mapping[str, str | None]) -> None:
    """Those of streams, by their names."""
    _read(language, given)


def options_of(language: str, given: Given, *, live: bool) -> Keywords:
    """What the program takes; an option that would have no effect is refused."""
    keywords = given.keywords
    for name in keywords:
        _check_taken(language, name, live=live)
    _read(language, keywords, given.inputs)
    return keywords


def _read(language: str, given: Mapping[str, object], inputs: Sequence[str] = ()) -> None:
    try:
        _class_of(language).read(given).check_inputs(inputs)
    except OptionError as error:
        raise WrongUsage(f"{option_name(error.name)}: {error.problem}.") from None


def _check_taken(language: str, name: str, *, live: bool) -> None:
    taken = options_in(_class_of(language))
    if name not in taken:
        raise WrongUsage(f"{option_name(name)} is for {_takers(name)}: {_purpose(name)}.")
    if taken[name].scope is Scope.STREAMS and not live:
        raise WrongUsage(f"{option_name(name)} is for streams: it needs --stream.")


def _takers(name: str) -> str:
    """`DatalogMTL, LARS and CQL`."""
    *others, last = [languages()[language].title for language in _with_option(name)]
    return f"{', '.join(others)} and {last}" if others else last


def _purpose(name: str) -> str:
    return options_in(_class_of(_with_option(name)[0]))[name].purpose


def _with_option(name: str) -> list[str]:
    return [found for found in languages() if name in options_in(_class_of(found))]


def _class_of(language: str) -> type[RunOptions]:
    return languages()[language].options()


def option_name(field: str) -> str:
    return "--no-header" if field == "header" else f"--{field.replace('_', '-')}"
