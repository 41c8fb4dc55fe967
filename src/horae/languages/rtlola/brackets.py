"""The brackets of a declaration."""

from __future__ import annotations

from functools import partial

from horae.languages import brackets
from horae.languages.rtlola.catalogue_syntax import BRACKETS

check_brackets = partial(
    brackets.check_brackets,
    brackets.Brackets(
        BRACKETS,
        pairs={"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE"},
        words={"RPAR": "`)`", "RSQB": "`]`", "RBRACE": "`}`"},
    ),
)
