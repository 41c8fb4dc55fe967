"""The worked examples: a folder per case with a program, its input and the expected answers.

The answers are worked out by hand from the definitions; the comment at the top of each program says
why they are what they are. Every engine is tested with the same folders.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from horae.source.text import Source

_ROOT = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """Input is `rows` (RTLola) or the text of `facts` (rule languages).

    `options` are those of the language's `evaluate` that differ from the default: `emit` and `origin`,
    or `horizon` and `at`. Rationals are text.
    """

    name: str
    source: Source
    rows: list[dict[str, Any]]
    expected: list[dict[str, Any]]
    options: dict[str, Any]
    facts: str = ""


def cases(language: str = "rtlola") -> list[Case]:
    folders = sorted(path.parent for path in (_ROOT / language).glob("*/expected.jsonl"))
    return [_read(folder) for folder in folders]


def _read(folder: Path) -> Case:
    (spec,) = folder.glob("spec.*")
    return Case(
        folder.name,
        Source(spec.name, spec.read_text(encoding="utf-8")),
        _lines(folder / "input.jsonl"),
        _lines(folder / "expected.jsonl"),
        json.loads(_text(folder / "options.json") or "{}"),
        _text(folder / "input.facts"),
    )


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in _text(path).splitlines()]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
