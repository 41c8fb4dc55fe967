"""The languages of the command line: the ending of a file selects one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from horae.languages.cql.check import check as cql_check
from horae.languages.cql.syntax import format as cql_format
from horae.languages.datalogmtl.check import check as datalogmtl_check
from horae.languages.datalogmtl.syntax import format as datalogmtl_format
from horae.languages.lars.check import check as lars_check
from horae.languages.lars.syntax import format as lars_format
from horae.languages.rtlola.check import check as rtlola_check
from horae.languages.rtlola.syntax import format as rtlola_format
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source


class LanguageName(StrEnum):
    RTLOLA = "rtlola"
    DATALOGMTL = "datalogmtl"
    LARS = "lars"
    CQL = "cql"


@dataclass(frozen=True, slots=True)
class Language:
    """What `check` and `fmt` need; they start at once, because nothing else is loaded."""

    name: str
    diagnose: Callable[[Source], list[Diagnostic]]
    format: Callable[[Source], str]


LANGUAGES = {
    ".lola": Language(
        "rtlola", lambda source: rtlola_check.load(source)[1], rtlola_format.format_source
    ),
    ".dmtl": Language(
        "datalogmtl",
        lambda source: datalogmtl_check.load(source)[1],
        datalogmtl_format.format_source,
    ),
    ".lars": Language("lars", lambda source: lars_check.load(source)[1], lars_format.format_source),
    ".cql": Language("cql", lambda source: cql_check.load(source)[1], cql_format.format_source),
}
BY_NAME = {LanguageName(language.name): language for language in LANGUAGES.values()}
