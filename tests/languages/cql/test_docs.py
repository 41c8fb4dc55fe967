"""The examples of the language reference are queries."""

from __future__ import annotations

import re
from pathlib import Path

from horae.languages.cql.check.check import load
from horae.languages.cql.syntax.format import format_source
from horae.languages.cql.syntax.parse import parse
from horae.source.text import Source

_PAGE = Path(__file__).parents[3] / "docs" / "languages" / "cql.md"


def examples() -> list[Source]:
    blocks = re.findall(r"```sql\n(.*?)```", _PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return [Source("cql.md", block) for block in blocks]


def test_the_examples_are_checked() -> None:
    assert examples()
    for source in examples():
        program, report = load(source)
        assert program is not None
        assert report == []


def test_the_examples_can_be_formatted() -> None:
    for source in examples():
        formatted = Source("cql.md", format_source(source))
        assert parse(formatted)[0] == parse(source)[0]
