"""The brackets of a declaration."""

from __future__ import annotations

from functools import partial

from horae.frontend import brackets
from horae.languages.rtlola.syntax.catalogue_syntax import BRACKETS

check_brackets = partial(
    brackets.check_brackets,
    brackets.Brackets(
        BRACKETS,
        pairs={"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE"},
        words={"RPAR": "`)`", "RSQB": "`]`", "RBRACE": "`}`"},
    ),
)
