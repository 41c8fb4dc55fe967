"""Grammars, built once per machine: their tables are kept in the user's cache.

To build them takes longer than to parse most programs. The name of a file in the cache is made of all
that its content depends on; a file that cannot be read is built again, and one that cannot be written is
not kept.
"""

from __future__ import annotations

import hashlib
import io
import sys
from contextlib import suppress
from pathlib import Path

import lark
from lark import Lark

from horae.source.cache import cache_directory, store


def load_grammar(module: str, *, maybe_placeholders: bool = False) -> Lark:
    """The `grammar.lark` beside a module, given by its `__file__`.

    Its lexer, which keeps what the grammar ignores, is made here: `lex` would make one for every text.
    """
    text = Path(module).with_name("grammar.lark").read_text(encoding="utf-8")
    parts = (text, lark.__version__, sys.version, str(maybe_placeholders))
    name = f"grammar_{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:24]}.tables"
    grammar = _kept(name)
    if grammar is None:
        grammar = _build(text, maybe_placeholders=maybe_placeholders)
        _keep(grammar, name)
    grammar.lexer = grammar._build_lexer(dont_ignore=True)
    return grammar


def _build(text: str, *, maybe_placeholders: bool) -> Lark:
    return Lark(
        text,
        parser="lalr",
        lexer="basic",
        propagate_positions=True,
        maybe_placeholders=maybe_placeholders,
    )


def _kept(name: str) -> Lark | None:
    try:
        return Lark.load(io.BytesIO((cache_directory() / name).read_bytes()))
    except Exception:  # noqa: BLE001  (there is none, or somebody damaged it, in whatever way)
        return None


def _keep(grammar: Lark, name: str) -> None:
    tables = io.BytesIO()
    grammar.save(tables)
    with suppress(
        OSError, RuntimeError
    ):  # a user may have no home, or nothing may be written there
        path = cache_directory() / name
        path.parent.mkdir(parents=True, exist_ok=True)
        store(path, tables.getvalue())
