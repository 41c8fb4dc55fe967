"""The language reference: every example in it is checked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.languages.lars.checking import accepted

from horae.languages.lars.syntax.format import format_source
from horae.source.text import Source

_PAGE = Path(__file__).parents[3] / "docs" / "languages" / "lars.md"
_BLOCKS = re.findall(r"^```lars\n(.*?)^```$", _PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
_TABLES = re.findall(r"^\| (.*?) \|", _PAGE.read_text("utf-8"), re.MULTILINE)
_WINDOWS = sorted({w for cell in _TABLES for w in re.findall(r"`(win\[[^`]*\])`", cell)})


@pytest.mark.parametrize("text", _BLOCKS)
def test_programs_have_neither_errors_nor_warnings(text: str) -> None:
    program = accepted(text)
    assert accepted(format_source(Source("formatted", text))).rules == program.rules


def test_there_are_programs() -> None:
    assert _BLOCKS


@pytest.mark.parametrize("window", [w for w in _WINDOWS if "…" not in w])
def test_every_window_of_the_tables_can_be_written(window: str) -> None:
    """Their letters stand for parameters; here they are variables that the body binds."""
    numbers = re.sub(r"\b[dglux]\b", lambda match: match[0].upper(), window)
    if "name" not in numbers:
        accepted(f"a :- n(L,U,D,G,X), L = U, D = G, X = X, {numbers} <> b.")
