"""The language reference: every example in it is checked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.languages.datalogmtl.checking import accepted

from horae.data.fact_lines.parse import parse_facts
from horae.languages.datalogmtl.check.normalise import normalise
from horae.languages.datalogmtl.check.print_normal import print_normal
from horae.languages.datalogmtl.syntax.format import format_source
from horae.source.text import Source

_PAGE = Path(__file__).parents[3] / "docs" / "languages" / "datalogmtl.md"
_BLOCKS = re.findall(r"^```(.*?)\n(.*?)^```$", _PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def blocks(kind: str) -> list[str]:
    return [text for name, text in _BLOCKS if name.split()[:1] == [kind]]


@pytest.mark.parametrize("text", blocks("datalogmtl"))
def test_programs_have_neither_errors_nor_warnings(text: str) -> None:
    program = accepted(text)
    assert accepted(format_source(Source("formatted", text))).rules == program.rules


@pytest.mark.parametrize("text", blocks("facts"))
def test_facts_can_be_read(text: str) -> None:
    facts, diagnostics = parse_facts(Source("test.facts", text))
    assert diagnostics == []
    assert len(facts) == len(text.splitlines())


def test_the_normal_form_is_as_shown() -> None:
    texts = {name: text for name, text in _BLOCKS if " " in name}
    shown = print_normal(normalise(accepted(texts["datalogmtl before"])))
    assert shown == texts["datalogmtl after"]


def test_every_block_says_what_it_is() -> None:
    assert {name.split()[0] for name, _ in _BLOCKS} == {"datalogmtl", "facts"}
