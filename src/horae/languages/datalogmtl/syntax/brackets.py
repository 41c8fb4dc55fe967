"""The brackets of a statement. The ends of an interval may differ, as in `[0,5)`."""

from __future__ import annotations

from functools import partial

from horae.frontend import brackets
from horae.languages.datalogmtl.syntax.catalogue_syntax import BRACKETS

check_brackets = partial(
    brackets.check_brackets,
    brackets.Brackets(
        BRACKETS,
        pairs={"LPAR": "RPAR", "INTERVAL_START": "INTERVAL_END"},
        words={"RPAR": "`)`", "INTERVAL_END": "`]` or `)`"},
    ),
)
