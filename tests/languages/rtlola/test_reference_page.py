"""The examples on the page of the language are whole specifications without any problem."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from horae.languages.rtlola.check.check import load
from horae.languages.rtlola.check.functions import FUNCTIONS
from horae.languages.rtlola.syntax.tokens import KEYWORDS
from horae.source.text import Source

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "languages" / "rtlola.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```lola\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("text", BLOCK.findall(PAGE) + BLOCK.findall(README))
def test_an_example_is_clean(text):
    assert load(Source("example.lola", text))[1] == []


def test_every_block_of_the_page_is_a_specification():
    assert PAGE.count("```") == 2 * len(BLOCK.findall(PAGE))


def test_every_keyword_and_function_is_named():
    words = set(re.findall(r"\w+", PAGE))
    assert words >= KEYWORDS
    assert words >= set(FUNCTIONS)
