"""Grammars are built once, and whatever is in the cache, they are the grammars of the languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark import Lark

from horae.frontend import grammars
from horae.frontend.lalr import derive
from horae.languages.rtlola.syntax import tokens as rtlola

TEXT = "input int a\noutput int b := a + 1\n"


@pytest.fixture
def cache(monkeypatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("HORAE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def built(monkeypatch) -> list[str]:
    """The texts of the grammars that were built."""
    found: list[str] = []

    def build(text: str, *, maybe_placeholders: bool) -> Lark:
        found.append(text)
        return original(text, maybe_placeholders=maybe_placeholders)

    original = grammars._build
    monkeypatch.setattr(grammars, "_build", build)
    return found


def tree() -> object:
    grammar = grammars.load_grammar(rtlola.__file__, maybe_placeholders=True)
    seen = [token for token in grammar.lex(TEXT) if token.type != "SPACE"]
    return derive(grammar, seen)


def test_a_grammar_is_built_once(cache, built):
    first = tree()
    assert tree() == first
    assert len(built) == 1
    assert len(list(cache.iterdir())) == 1


def test_a_damaged_file_is_built_again(cache, built):
    first = tree()
    (kept,) = cache.iterdir()
    for content in (b"", b"nonsense", kept.read_bytes()[:100]):
        kept.write_bytes(content)
        assert tree() == first
    assert len(built) == 4


def test_where_nothing_can_be_written_it_is_built_each_time(monkeypatch, tmp_path, built):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HORAE_CACHE", str(tmp_path / "file" / "cache"))
    assert tree() == tree()
    assert len(built) == 2


def test_other_settings_are_another_grammar(cache, built):
    tree()
    grammars.load_grammar(rtlola.__file__)
    assert len(built) == 2
