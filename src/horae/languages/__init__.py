"""The languages: one line each. A record is loaded when somebody asks for the list; it is light."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from horae.engine.language import Language

_OWN = (
    "horae.languages.rtlola.language",
    "horae.languages.datalogmtl.language",
    "horae.languages.lars.language",
    "horae.languages.cql.language",
)
"""Modules, each with its record as `LANGUAGE`."""

_others: dict[str, Language] = {}


def register(language: Language) -> None:
    """Add a language of somebody else's; the last one with a name or an ending has it."""
    _others[language.name] = language


def unregister(name: str) -> None:
    """Forget a language that was registered."""
    del _others[name]


def languages() -> dict[str, Language]:
    """All languages by name, in their order."""
    return {record.name: record for record in (*_listed(), *_others.values())}


def by_ending() -> dict[str, Language]:
    """All languages by the ending of their files."""
    return {record.ending: record for record in languages().values()}


@cache
def _listed() -> tuple[Language, ...]:
    return tuple(cast("Language", import_module(name).LANGUAGE) for name in _OWN)
