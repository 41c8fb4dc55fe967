"""Specifications as text, read the way that users' ones are."""

from __future__ import annotations

from pathlib import Path

from horae.languages.rtlola.check.check import load
from horae.languages.rtlola.report import RTLolaReport, analyze
from horae.source.text import Source

SPECS = sorted((Path(__file__).parent / "specs").glob("*.lola"))


def report_of(path: Path) -> RTLolaReport:
    program, diagnostics = load(Source(path.name, path.read_text()))
    assert program is not None, diagnostics
    return analyze(program)
