"""The brackets of a statement."""

from __future__ import annotations

from functools import partial

from horae.frontend import brackets
from horae.languages.cql.syntax.catalogue_syntax import BRACKETS

check_brackets = partial(
    brackets.check_brackets,
    brackets.Brackets(
        BRACKETS,
        pairs={"LPAR": "RPAR", "LSQB": "RSQB"},
        words={"RPAR": "`)`", "RSQB": "`]`"},
    ),
)
